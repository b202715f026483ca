import { correlateItem, correlateMember } from './correlate.ts'
import { deepEqual } from './deepEqual.ts'
import { type Check, duplicate, type FieldError, invalid, required, tooMany, typeInvalid } from './fieldError.ts'
import { itemPath, memberPath } from './fieldPath.ts'
import { isJsonObject, type JSONSchemaProps, type JsonObject, jsonText } from './jsonSchemaProps.ts'
import { compileScalarCheck } from './scalarCheck.ts'

/**
 * Compiles the checks of a structural schema except CEL, with the API server's words. A part that an update leaves as it
 * was stored is not checked again (Kubernetes documentation, "Validation ratcheting").
 */
export function compileCheck(schema: JSONSchemaProps, { isRoot = false }: { isRoot?: boolean } = {}): Check {
  const types = allowedTypes(schema)
  const parts = [
    compileScalarCheck(schema),
    compileArrayCheck(schema),
    compileObjectCheck(schema),
    schema['x-kubernetes-embedded-resource'] && !isRoot ? checkEmbeddedResource : undefined,
    ...compileCombinations(schema),
  ].filter((part): part is Check => part !== undefined)
  return (value, old, path, errors) => {
    if (old !== undefined && deepEqual(value, old)) return
    if (value === null && schema.nullable) return
    const actual = typeName(value)
    if (types.length > 0 && !types.includes(actual) && !(actual === 'integer' && types.includes('number'))) {
      errors.push(typeInvalid(path, actual, `${path} in body must be of type ${types.join(',')}: "${actual}"`))
      return
    }
    for (const part of parts) part(value, old, path, errors)
  }
}

function allowedTypes(schema: JSONSchemaProps): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string']
  return schema.type === undefined ? [] : [schema.type]
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  // Readers hand over integers beyond 2^53 as bigint, to keep them exact.
  if (typeof value === 'bigint') return 'integer'
  return typeof value
}

function compileArrayCheck(schema: JSONSchemaProps): Check | undefined {
  const { minItems, maxItems, items } = schema
  const checkItem = items ? compileCheck(items) : undefined
  return (value, old, path, errors) => {
    if (!Array.isArray(value)) return
    if (minItems !== undefined && value.length < minItems) {
      errors.push(invalid(path, value.length, `${path} in body should have at least ${minItems} items`))
    }
    if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems))
    if (checkItem) {
      value.forEach((item, index) => {
        checkItem(item, correlateItem(schema, item, old), itemPath(path, index), errors)
      })
    }
    pushDuplicates(schema, value, path, errors)
  }
}

/** Sets hold a value once, lists of type map a combination of keys once. */
function pushDuplicates(schema: JSONSchemaProps, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const listType = schema['x-kubernetes-list-type']
  if (listType !== 'set' && listType !== 'map') return
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const identity = listType === 'set' ? item : keysOf(item, keys)
    const text = jsonText(identity)
    if (seen.has(text)) errors.push(duplicate(itemPath(path, index), identity))
    seen.add(text)
  }
}

function keysOf(item: unknown, keys: readonly string[]): JsonObject {
  const object = isJsonObject(item) ? item : {}
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]))
}

function compileObjectCheck(schema: JSONSchemaProps): Check | undefined {
  const { minProperties, maxProperties } = schema
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, compileCheck(member)]),
  )
  const additional =
    typeof schema.additionalProperties === 'object' ? compileCheck(schema.additionalProperties) : undefined
  // Members of an atomic map have no stored counterpart, and keep being checked.
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
  return (value, old, path, errors) => {
    if (!isJsonObject(value)) return
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) errors.push(required(memberPath(path, name)))
    }
    const names = Object.keys(value)
    if (minProperties !== undefined && names.length < minProperties) {
      errors.push(invalid(path, names.length, `${path} in body should have at least ${minProperties} properties`))
    }
    if (maxProperties !== undefined && names.length > maxProperties) {
      errors.push(tooMany(path, names.length, maxProperties))
    }
    for (const name of names) {
      const check = properties.get(name) ?? additional
      check?.(value[name], isAtomic ? undefined : correlateMember(name, old), memberPath(path, name), errors)
    }
  }
}

/** An embedded object must say what it is, as a stored one does. */
const checkEmbeddedResource: Check = (value, _old, path, errors) => {
  if (!isJsonObject(value)) return
  for (const name of ['apiVersion', 'kind']) {
    if (typeof value[name] !== 'string' || value[name] === '') {
      errors.push(required(memberPath(path, name), 'must not be empty'))
    }
  }
}

function compileCombinations(schema: JSONSchemaProps): readonly (Check | undefined)[] {
  const holds = (part: JSONSchemaProps) => {
    const check = compileCheck(part)
    return (value: unknown, path: string): readonly FieldError[] => {
      const found: FieldError[] = []
      check(value, undefined, path, found)
      return found
    }
  }
  const allOf = schema.allOf?.map(holds)
  const anyOf = schema.anyOf?.map(holds)
  const oneOf = schema.oneOf?.map(holds)
  const not = schema.not && holds(schema.not)
  return [
    allOf &&
      ((value, _old, path, errors) => {
        const found = allOf.flatMap((part) => part(value, path))
        if (found.length > 0)
          errors.push(...found, invalid(path, '', `${path} in body must validate all the schemas (allOf)`))
      }),
    anyOf &&
      ((value, _old, path, errors) => {
        if (anyOf.some((part) => part(value, path).length === 0)) return
        errors.push(invalid(path, '', `${path} in body must validate at least one schema (anyOf)`))
      }),
    oneOf &&
      ((value, _old, path, errors) => {
        const valid = oneOf.filter((part) => part(value, path).length === 0).length
        if (valid === 1) return
        const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
        errors.push(invalid(path, '', `${path} in body must validate one and only one schema (oneOf). ${found}`))
      }),
    not &&
      ((value, _old, path, errors) => {
        if (not(value, path).length > 0) return
        errors.push(invalid(path, '', `${path} in body must not validate the schema (not)`))
      }),
  ]
}
