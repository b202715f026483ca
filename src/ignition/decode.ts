import { JsonNumber } from './jsonText.ts'
import {
  goNameOf,
  goTypeOf,
  type ListShape,
  type Member,
  type ScalarShape,
  type Shape,
  type StructShape,
} from './shape.ts'

export type Path = readonly (string | number)[]

/** The first member whose JSON type does not fit, worded by `typeFaultText`. */
export interface TypeFault {
  readonly path: Path
  /** What stands there, as Go names it: `string`, `array`, `number 420.5` … */
  readonly found: string
  /** `File.storage.files.FileEmbedded1.mode`; empty when the document itself does not fit. */
  readonly goField: string
  readonly goType: string
  readonly expected: Shape['kind']
}

export interface Decoded {
  readonly value: Record<string, unknown>
  readonly fault?: TypeFault
  /** Keys that the declared version does not know. */
  readonly unused: readonly Path[]
  /** Places where `null` stands for an object: the reference reports them beside other faults. */
  readonly nulls: readonly Path[]
  /** Keys that only match without regard to case. */
  readonly misspelled: readonly { readonly path: Path; readonly name: string }[]
}

/**
 * A parsed document as the struct that `shape` describes, in the specification's `minor` version. Go's rules: `null` is
 * absent, keys match without regard to case, unknown keys are skipped, the first wrong type is the error.
 * Explicitly empty lists stay, empty objects do not.
 */
export function decode(shape: StructShape, document: unknown, minor: number): Decoded {
  const state: State = { minor, unused: [], nulls: [], misspelled: [] }
  const value = decodeStruct(shape, document, [], { goField: '', owner: '', goType: shape.goType }, state) ?? {}
  const { fault, unused, nulls, misspelled } = state
  return { value, unused, nulls, misspelled, ...(fault && { fault }) }
}

export function typeFaultText({ found, goField, goType }: TypeFault): string {
  const target = goField === '' ? 'Go value' : `Go struct field ${goField}`
  return `json: cannot unmarshal ${found} into ${target} of type ${goType}`
}

interface State {
  readonly minor: number
  readonly unused: Path[]
  readonly nulls: Path[]
  readonly misspelled: { path: Path; name: string }[]
  fault?: TypeFault
}

/** Where the value goes, for Go's message: dotted members from the root, and the name of the struct that holds it. */
interface Target {
  readonly goField: string
  readonly owner: string
  readonly goType: string
}

function decodeStruct(
  shape: StructShape,
  value: unknown,
  path: Path,
  target: Target,
  state: State,
): Record<string, unknown> | undefined {
  const given = new Map<Member, unknown>()
  if (isObject(value)) decodeMembers(shape, value, path, target, state, given)
  else if (value === null) state.nulls.push(path)
  else if (value !== undefined) return mismatch(shape, value, path, target, state)
  const result: Record<string, unknown> = {}
  for (const member of shape.members) {
    const decoded = given.get(member) ?? absent(member, state)
    if (decoded !== undefined) result[member.name] = decoded
  }
  return result
}

/** In the order of the document: the first wrong type that stands there is the one that is reported. */
function decodeMembers(
  shape: StructShape,
  object: Record<string, unknown>,
  path: Path,
  target: Target,
  state: State,
  given: Map<Member, unknown>,
): void {
  for (const key of Object.keys(object)) {
    const member = shape.byName.get(key) ?? shape.byFoldedName.get(key.toLowerCase())
    if (member === undefined || member.since > state.minor) {
      state.unused.push([...path, key])
      continue
    }
    if (member.name !== key) state.misspelled.push({ path: [...path, key], name: member.name })
    const value = object[key]
    if (value === null) {
      if (member.shape.kind === 'struct') state.nulls.push([...path, key])
      continue
    }
    const decoded = decodeValue(member.shape, value, [...path, key], within(target, shape, member, state.minor), state)
    given.set(member, joined(member.shape, given.get(member), decoded))
  }
}

/** A member that is written twice, in different case: Go reads both objects into one. */
const joined = (shape: Shape, earlier: unknown, later: unknown): unknown =>
  shape.kind === 'struct' && isObject(earlier) ? { ...earlier, ...(later ?? {}) } : later

/** What an absent member amounts to. */
function absent(member: Member, { minor }: State): unknown {
  const plain = member.plain !== undefined || (member.plainUntil ?? -1) >= minor
  return plain && member.since <= minor && member.shape.kind === 'string' ? '' : undefined
}

const within = ({ goField }: Target, shape: StructShape, member: Member, minor: number): Target => {
  const name = member.embedded === undefined ? member.name : `${member.embedded}.${member.name}`
  return {
    goField: goField === '' ? name : `${goField}.${name}`,
    owner: goNameOf(shape, minor),
    goType: goTypeOf(member.shape, minor),
  }
}

function decodeValue(shape: Shape, value: unknown, path: Path, target: Target, state: State): unknown {
  if (shape.kind === 'list') return decodeList(shape, value, path, target, state)
  if (shape.kind !== 'struct') return decodeScalar(shape, value, path, target, state)
  const struct = decodeStruct(shape, value, path, target, state)
  return struct === undefined || isEmpty(struct) ? undefined : struct
}

function decodeList(shape: ListShape, value: unknown, path: Path, target: Target, state: State): unknown {
  if (!Array.isArray(value)) return mismatch(shape, value, path, target, state)
  const itemTarget = { ...target, goType: goTypeOf(shape.item, state.minor) }
  return value.map((item: unknown, index) => {
    const itemPath = [...path, index]
    if (shape.item.kind === 'struct') return decodeStruct(shape.item, item, itemPath, itemTarget, state) ?? {}
    if (item === null) return ''
    return decodeScalar(shape.item, item, itemPath, itemTarget, state) ?? ''
  })
}

function decodeScalar(shape: ScalarShape, value: unknown, path: Path, target: Target, state: State): unknown {
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' ? value : mismatch(shape, value, path, target, state)
    case 'bool':
      return typeof value === 'boolean' ? value : mismatch(shape, value, path, target, state)
    case 'int':
      if (typeof value === 'number' && Number.isInteger(value)) return value
      if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return Number(value)
      return mismatch(shape, value, path, target, state)
    default:
      return shape.kind satisfies never
  }
}

function mismatch(
  shape: Shape,
  value: unknown,
  path: Path,
  { goField, owner, goType }: Target,
  state: State,
): undefined {
  const found = shape.kind === 'int' && isNumber(value) ? `number ${literal(value)}` : kindOf(value)
  state.fault ??= { path, found, goField: goField === '' ? '' : `${owner}.${goField}`, goType, expected: shape.kind }
  return undefined
}

function kindOf(value: unknown): string {
  if (isNumber(value)) return 'number'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const isNumber = (value: unknown): value is number | bigint | JsonNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber

const literal = (value: number | bigint | JsonNumber): string =>
  value instanceof JsonNumber ? value.text : String(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

function isEmpty(struct: Record<string, unknown>): boolean {
  for (const _key in struct) return false
  return true
}
