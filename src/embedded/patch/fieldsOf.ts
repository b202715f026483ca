import { isObject } from '../builtins/jsonObject.ts'
import type { OpenApiSchema } from '../server/resource.ts'
import { allowsUnknown, divide, entrySchema } from './fieldSchema.ts'
import { type FieldPath, type FieldSet, SetBuilder } from './fieldSet.ts'
import { fieldElement, pathText } from './pathElement.ts'

/** What is wrong with an applied configuration, as the API server words it: `.spec.x: field not declared in schema`. */
interface TypedProblem {
  readonly path: string
  readonly message: string
}

export interface FieldsOf {
  readonly set: FieldSet
  readonly problems: readonly TypedProblem[]
}

/** All paths that an object sets: what a manager owns after applying it. */
export function fieldsOf(object: unknown, schema: OpenApiSchema | undefined): FieldsOf {
  const set = new SetBuilder()
  const problems: TypedProblem[] = []
  visit(object, schema, [], set, problems)
  return { set: set.build(), problems }
}

function visit(
  value: unknown,
  schema: OpenApiSchema | undefined,
  path: FieldPath,
  set: SetBuilder,
  problems: TypedProblem[],
): void {
  const division = divide(schema, [value])
  switch (division.kind) {
    case 'leaf':
      set.insert(path)
      return
    case 'map':
      for (const [name, entry] of Object.entries(isObject(value) ? value : {})) {
        const { schema: inner, declared } = entrySchema(schema, name)
        const entryPath = [...path, fieldElement(name)]
        if (!declared && !allowsUnknown(schema)) {
          problems.push({ path: pathText(entryPath), message: 'field not declared in schema' })
          continue
        }
        visit(entry, inner, entryPath, set, problems)
        if (!declared || isEmptyValue(entry)) set.insert(entryPath)
      }
      return
    case 'items': {
      const seen = new Set<string>()
      const items: readonly unknown[] = Array.isArray(value) ? value : []
      for (const [index, item] of items.entries()) {
        const element = division.elementOf(item)
        if (element === undefined) {
          problems.push({ path: pathText(path), message: `element ${index}: ${withoutAddress(item, schema)}` })
          continue
        }
        const itemPath = [...path, element]
        if (seen.has(element)) {
          problems.push({ path: pathText(path), message: `duplicate entries for key ${pathText([element])}` })
        }
        seen.add(element)
        visit(item, schema?.items, itemPath, set, problems)
        set.insert(itemPath)
      }
      return
    }
    default:
      division satisfies never
  }
}

const isEmptyValue = (value: unknown): boolean => value === null || (isObject(value) && Object.keys(value).length === 0)

function withoutAddress(item: unknown, schema: OpenApiSchema | undefined): string {
  const missing = (schema?.['x-kubernetes-list-map-keys'] ?? []).find(
    (name) => !isObject(item) || item[name] === undefined,
  )
  return missing === undefined
    ? 'associative list without keys has an element that is a map type'
    : `associative list with keys has an element that omits key field ${JSON.stringify(missing)} (and doesn't have default value)`
}
