import { isObject } from '../builtins/jsonObject.ts'
import { type FieldPath, type FieldSet, setOf } from './fieldSet.ts'
import { compareElements, isPathElement } from './pathElement.ts'

export type FieldsV1 = Readonly<Record<string, unknown>>

/** Most writes leave most managers' sets as they are. */
const written = new WeakMap<FieldSet, FieldsV1>()

/** The stored form of a set: nested objects, where `.` says that a path with members below it is a member itself. */
export function setToFieldsV1(set: FieldSet): FieldsV1 {
  const known = written.get(set)
  if (known) return known
  const elements = [...new Set([...set.members, ...set.children.keys()])].sort(compareElements)
  const fields = Object.fromEntries(
    elements.map((element) => {
      const child = set.children.get(element)
      if (!child) return [element, noFields]
      const inner = setToFieldsV1(child)
      return [element, set.members.has(element) ? { '.': noFields, ...inner } : inner]
    }),
  )
  written.set(set, fields)
  return fields
}

const noFields: FieldsV1 = {}

/** Undefined when it is not such a form: the writer's entry is then ignored as a whole. */
export function fieldsV1ToSet(fields: unknown): FieldSet | undefined {
  const paths: FieldPath[] = []
  return collect(fields, [], paths) ? setOf(paths) : undefined
}

function collect(fields: unknown, prefix: FieldPath, paths: FieldPath[]): boolean {
  if (!isObject(fields)) return false
  return Object.entries(fields).every(([element, inner]) => {
    if (element === '.') {
      paths.push(prefix)
      return true
    }
    if (!isPathElement(element) || !isObject(inner)) return false
    const path = [...prefix, element]
    if (Object.keys(inner).length > 0) return collect(inner, path, paths)
    paths.push(path)
    return true
  })
}
