import { malformed, type WireReader, type WireValue } from './wire.ts'

/** Where a value stands, and what reads the messages inside it. */
export interface Place {
  /** Path in the JSON form of the object. */
  readonly at: string
  readonly depth: number
  readonly reader: WireReader
}

type ReadValue = (value: WireValue, place: Place) => unknown

/**
 * Types that are no object in JSON: numbers, texts, and `null` for a time that is not set. Their fields are facts of
 * meta/v1, `api/resource`, `util/intstr` and `runtime`, as published in their `generated.proto`.
 */
export const valueReaders: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ['string', textOf],
  ['bytes', (value, place) => bytesOf(value, place).toString('base64')],
  ['bool', (value, place) => varintOf(value, place) !== 0n],
  ['int32', int32Of],
  ['int64', int64Of],
  ['Time', (value, place) => timeOf(value, place, false)],
  ['MicroTime', (value, place) => timeOf(value, place, true)],
  ['Quantity', quantityOf],
  ['IntOrString', intOrStringOf],
  ['FieldsV1', jsonOf],
  ['RawExtension', jsonOf],
  ['StringList', stringListOf],
])

export function bytesOf(value: WireValue, { at }: Place): Buffer {
  if (value.kind === 'bytes') return value.bytes
  throw malformed(at, `expected bytes, found a number (wire type ${value.kind === 'varint' ? 0 : '1 or 5'})`)
}

function varintOf(value: WireValue, { at }: Place): bigint {
  if (value.kind === 'varint') return value.number
  throw malformed(at, `expected a number (wire type 0), found ${value.bytes.length} bytes`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(value: WireValue, place: Place): string {
  const bytes = bytesOf(value, place)
  try {
    return utf8.decode(bytes)
  } catch {
    // The decoder's own message says no more than this.
    throw malformed(place.at, 'the text is not valid UTF-8')
  }
}

/** A negative number comes in 64 bits too. */
function int32Of(value: WireValue, place: Place): number {
  return Number(BigInt.asIntN(32, varintOf(value, place)))
}

function int64Of(value: WireValue, place: Place): number {
  const number = Number(BigInt.asIntN(64, varintOf(value, place)))
  if (Number.isSafeInteger(number)) return number
  throw malformed(place.at, 'the number has more than 53 bits; JSON clients could not read it exactly')
}

/** The fields of a message inside a value, each with the last value that was sent: that one counts ("Last One Wins"). */
function membersOf(value: WireValue, place: Place): (number: number) => WireValue | undefined {
  const fields = place.reader.readMessage(bytesOf(value, place), place.at, place.depth + 1)
  return (number) => fields.get(number)?.at(-1)
}

/** What Go's zero time is in seconds since 1970. */
const zeroTimeSeconds = -62_135_596_800

/** Seconds and nanoseconds since 1970. An empty message is no time at all. */
function timeOf(value: WireValue, place: Place, writesMicroseconds: boolean): string | null {
  if (bytesOf(value, place).length === 0) return null
  const member = membersOf(value, place)
  const seconds = int64Of(member(1) ?? zero, place)
  const nanoseconds = int32Of(member(2) ?? zero, place)
  if (seconds === zeroTimeSeconds && nanoseconds === 0) return null
  const time = new Date(seconds * 1000)
  const year = time.getUTCFullYear()
  if (!(year >= 0 && year <= 9999)) {
    throw malformed(place.at, 'the time is outside of the years 0 to 9999, which RFC 3339 can write')
  }
  if (nanoseconds < 0 || nanoseconds > 999_999_999) {
    throw malformed(place.at, `a time has 0 to 999999999 nanoseconds, found ${nanoseconds}`)
  }
  const fraction = writesMicroseconds ? `.${String(Math.trunc(nanoseconds / 1000)).padStart(6, '0')}` : ''
  return `${time.toISOString().slice(0, 19)}${fraction}Z`
}

const zero: WireValue = { kind: 'varint', number: 0n }
const emptyText: WireValue = { kind: 'bytes', bytes: Buffer.alloc(0) }

function quantityOf(value: WireValue, place: Place): string {
  const text = membersOf(value, place)(1)
  return text ? textOf(text, place) : '0'
}

function intOrStringOf(value: WireValue, place: Place): number | string {
  const member = membersOf(value, place)
  const type = int64Of(member(1) ?? zero, place)
  switch (type) {
    case 0:
      return int32Of(member(2) ?? zero, place)
    case 1:
      return textOf(member(3) ?? emptyText, place)
    default:
      throw malformed(place.at, `${type} is no type of an IntOrString; expected 0 (number) or 1 (text)`)
  }
}

/** A list of texts as the value of a map (`extra` of a user). */
function stringListOf(value: WireValue, place: Place): readonly string[] {
  const fields = place.reader.readMessage(bytesOf(value, place), place.at, place.depth + 1)
  return (fields.get(1) ?? []).map((item) => textOf(item, place))
}

/** JSON inside protobuf, as bytes of its own. Nothing at all is null. */
function jsonOf(value: WireValue, place: Place): unknown {
  const raw = membersOf(value, place)(1)
  const text = raw ? textOf(raw, place) : ''
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
    throw malformed(place.at, 'the raw value is not valid JSON')
  }
}
