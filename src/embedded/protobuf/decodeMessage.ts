import { bytesOf, type Place, valueReaders } from './fieldValue.ts'
import { type FieldType, fieldsOf } from './messageTable.ts'
import type { WireReader, WireValue } from './wire.ts'

/**
 * The JSON form of a message, as a Go client would write the same object: a field that no table knows is skipped (a
 * newer client knows more than this server), and a time that is not set is left out.
 */
export function decodeMessage(message: string, bytes: Buffer, reader: WireReader): Readonly<Record<string, unknown>> {
  return Object.fromEntries(membersOf(message, bytes, { at: '', depth: 0, reader }))
}

type Member = readonly [name: string, value: unknown]

function membersOf(message: string, bytes: Buffer, { at, depth, reader }: Place): readonly Member[] {
  const sent = reader.readMessage(bytes, at, depth)
  if (sent.size === 0) return []
  const fields = fieldsOf(message)
  if (!fields) throw new Error(`the table of protobuf messages has no ${message}`)
  return fields.flatMap((field) => {
    const values = sent.get(field.number)
    const path = field.shape === 'inlined' || at === '' ? `${at}${nameIn(field)}` : `${at}.${nameIn(field)}`
    return values ? fieldMembers(field, values, { at: path, depth: depth + 1, reader }) : []
  })
}

const nameIn = ({ shape, name }: FieldType): string => (shape === 'inlined' ? '' : name)

function fieldMembers(field: FieldType, values: readonly WireValue[], place: Place): readonly Member[] {
  const { name, type, shape, keepsZero } = field
  switch (shape) {
    case 'inlined':
      return membersOf(type, merged(values, place), place)
    case 'list':
      return [[name, listOf(type, values, place)]]
    case 'map':
      return [[name, mapOf(type, values, place)]]
    case 'single': {
      const value = decodeValue(type, values, place)
      return value === null || (!keepsZero && isZero(type, value)) ? [] : [[name, value]]
    }
    default:
      return shape satisfies never
  }
}

/** Of the scalars alone: an IntOrString of 0 is a message that was sent. */
const isZero = (type: string, value: unknown): boolean =>
  type !== 'IntOrString' && (value === '' || value === 0 || value === false)

function listOf(type: string, values: readonly WireValue[], place: Place): readonly unknown[] {
  const items = values.flatMap((value) =>
    isPacked(type, value) ? place.reader.readPacked(value.bytes, place.at) : [value],
  )
  return items.map((item, index) => decodeValue(type, [item], { ...place, at: `${place.at}[${index}]` }))
}

const numbers = new Set(['bool', 'int32', 'int64'])
const isPacked = (type: string, value: WireValue): value is Extract<WireValue, { kind: 'bytes' }> =>
  value.kind === 'bytes' && numbers.has(type)

/** A map is a list of entries with key (1) and value (2); both may be left out when they are empty. */
function mapOf(type: string, values: readonly WireValue[], place: Place): Readonly<Record<string, unknown>> {
  const entries = values.map((value): Member => {
    const entry = place.reader.readMessage(bytesOf(value, place), place.at, place.depth)
    const key = String(decodeValue('string', entry.get(1) ?? [empty], place))
    const inner = { ...place, depth: place.depth + 1 }
    return [key, decodeValue(type, entry.get(2) ?? [empty], inner)]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

const empty: WireValue = { kind: 'bytes', bytes: Buffer.alloc(0) }

function decodeValue(type: string, values: readonly WireValue[], place: Place): unknown {
  const read = valueReaders.get(type)
  return read ? read(values.at(-1) ?? empty, place) : Object.fromEntries(membersOf(type, merged(values, place), place))
}

/** A message that was sent in parts is their concatenation (protobuf documentation, "Last One Wins"). */
function merged(values: readonly WireValue[], place: Place): Buffer {
  const parts = values.map((value) => bytesOf(value, place))
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}
