import type { ObjectMeta } from '../../api/meta.ts'
import { badRequest } from './statusError.ts'

type Decode = (value: unknown, field: string) => unknown

/**
 * Metadata with every member of its type, as decoding into ObjectMeta leaves it: null is absent, unknown members are
 * dropped, a wrong type is a 400 that names the member and never its value.
 */
export function decodeMetadata(value: unknown, onUnknown: (path: string) => void = ignore): ObjectMeta {
  for (const name of Object.keys(isObject(value) ? value : {})) {
    if (!Object.hasOwn(decoders, name) && !historic.has(name)) onUnknown(`metadata.${name}`)
  }
  return members(value ?? {}, 'metadata', decoders) as ObjectMeta
}

const ignore = () => undefined

/** Members that no server fills in any more, and that old clients still send. */
const historic: ReadonlySet<string> = new Set(['selfLink', 'clusterName'])

const text: Decode = (value, field) => (typeof value === 'string' ? value : refuse(value, field, 'a string'))
const flag: Decode = (value, field) => (typeof value === 'boolean' ? value : refuse(value, field, 'true or false'))
const whole: Decode = (value, field) => (Number.isSafeInteger(value) ? value : refuse(value, field, 'a whole number'))
const json: Decode = (value, field) => (isObject(value) ? value : refuse(value, field, 'an object'))

/** A label without a value is the empty string. */
const textMap: Decode = (value, field) => {
  if (!isObject(value)) return refuse(value, field, 'a map of strings')
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, text(member ?? '', `${field}[${key}]`)]))
}

const listOf =
  (decode: Decode): Decode =>
  (value, field) => {
    if (!Array.isArray(value)) return refuse(value, field, 'a list')
    return value.map((item, index) => decode(item, `${field}[${index}]`))
  }

const struct =
  (table: Readonly<Record<string, Decode>>): Decode =>
  (value, field) =>
    members(value, field, table)

const owner = struct({
  apiVersion: text,
  kind: text,
  name: text,
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
})
const manager = struct({
  manager: text,
  operation: text,
  apiVersion: text,
  time: text,
  fieldsType: text,
  fieldsV1: json,
  subresource: text,
})

const decoders: Readonly<Record<keyof ObjectMeta, Decode>> = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: whole,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: whole,
  labels: textMap,
  annotations: textMap,
  ownerReferences: listOf(owner),
  finalizers: listOf(text),
  managedFields: listOf(manager),
}

function members(value: unknown, field: string, table: Readonly<Record<string, Decode>>): Record<string, unknown> {
  if (!isObject(value)) return refuse(value, field, 'an object')
  const known = Object.entries(table).filter(([name]) => value[name] !== undefined && value[name] !== null)
  return Object.fromEntries(known.map(([name, decode]) => [name, decode(value[name], `${field}.${name}`)]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function refuse(value: unknown, field: string, expected: string): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : `of type ${typeof value}`
  throw badRequest(`${field} is ${found}; expected ${expected}`)
}
