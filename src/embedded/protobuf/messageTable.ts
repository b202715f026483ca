import { coreMessages } from './coreMessages.ts'
import { groupMessages } from './groupMessages.ts'
import { metaMessages } from './metaMessages.ts'
import { podMessages } from './podMessages.ts'
import { reviewMessages } from './reviewMessages.ts'
import { workloadMessages } from './workloadMessages.ts'

/** How a field of a message shows in the JSON form of the same object. */
export interface FieldType {
  readonly number: number
  /** The JSON member. */
  readonly name: string
  /** `inlined`: the members of the message stand beside those of the one that holds it. */
  readonly shape: 'single' | 'list' | 'map' | 'inlined'
  /** A scalar, a well-known type or a message. */
  readonly type: string
  /** A zero was meant. */
  readonly keepsZero: boolean
}

/**
 * The messages of the built-in kinds: which field number is which JSON member, of which type. The numbers are part of
 * the Kubernetes API's wire format (published beside each group as `generated.proto`) and never change meaning.
 *
 * Each line is `Message: NUMBER member TYPE, ...`; indented lines continue it. `[]` before a type is a list, `map[]`
 * a map from strings. `-` for the member: inlined. `?` after a scalar: a zero that was sent is meant; Go clients send
 * each field that is no pointer, so without it a zero means "not set". Messages that were sent always stay.
 */
const tables = [metaMessages, podMessages, coreMessages, workloadMessages, groupMessages, reviewMessages]

const lines = new Map<string, string>()
const parsed = new Map<string, readonly FieldType[]>()

/** The fields of a message by number; undefined: no message of that name. Parsed at its first use. */
export function fieldsOf(message: string): readonly FieldType[] | undefined {
  const known = parsed.get(message)
  if (known) return known
  const line = allLines().get(message)
  if (line === undefined) return undefined
  const fields = line.split(',').map(parseField)
  parsed.set(message, fields)
  return fields
}

export const messageNames = (): readonly string[] => [...allLines().keys()]

function allLines(): ReadonlyMap<string, string> {
  if (lines.size > 0) return lines
  for (const line of tables.join('').replaceAll(/\n +/g, ' ').trim().split(/\n+/)) {
    const colon = line.indexOf(':')
    lines.set(line.slice(0, colon), line.slice(colon + 1))
  }
  return lines
}

const field = /^(?<number>\d+) (?<name>\S+) (?<shape>\[\]|map\[)?(?<type>\w+)\]?(?<mark>\??)$/

function parseField(text: string): FieldType {
  const { number = '', name = '', shape, type = '', mark } = field.exec(text.trim())?.groups ?? {}
  if (type === '')
    throw new Error(`the table of protobuf messages has ${JSON.stringify(text)}; expected NUMBER member TYPE`)
  return {
    number: Number(number),
    name,
    shape: name === '-' ? 'inlined' : shape === '[]' ? 'list' : shape === 'map[' ? 'map' : 'single',
    type,
    keepsZero: mark === '?',
  }
}
