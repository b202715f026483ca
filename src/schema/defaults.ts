import { isJsonObject, type JSONSchemaProps, type JsonObject } from './jsonSchemaProps.ts'

/** Returns the value with absent members set to their defaults; the same reference when nothing was absent. */
export type ApplyDefaults = (value: unknown) => unknown

const same: ApplyDefaults = (value) => value

/**
 * Compiles the defaulting of a structural schema (Kubernetes documentation, "Defaulting and Nullable"): a null where the
 * schema allows none becomes the default, or is dropped when there is none. Defaults apply inside objects that exist or
 * are themselves defaulted; an absent object without a default stays absent.
 */
export function compileDefaults(schema: JSONSchemaProps): ApplyDefaults {
  const items = schema.items ? compileDefaults(schema.items) : same
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, compileMember(member)]),
  )
  const additional =
    typeof schema.additionalProperties === 'object' ? compileMember(schema.additionalProperties) : undefined
  if (items === same && properties.size === 0 && additional === undefined) return same
  return (value) => {
    if (Array.isArray(value)) return mapSame(value, items)
    return isJsonObject(value) ? defaultObject(value, properties, additional) : value
  }
}

interface Member {
  readonly nullable: boolean
  /** The default with its own inner defaults applied; absent when the schema has none. */
  readonly fallback: { readonly value: unknown } | undefined
  readonly inner: ApplyDefaults
}

function compileMember(schema: JSONSchemaProps): Member {
  const inner = compileDefaults(schema)
  const fallback = Object.hasOwn(schema, 'default') ? { value: inner(schema.default) } : undefined
  return { nullable: schema.nullable === true, fallback, inner }
}

function defaultObject(
  object: JsonObject,
  properties: ReadonlyMap<string, Member>,
  additional: Member | undefined,
): JsonObject {
  const changes = new Map<string, { readonly value: unknown } | undefined>()
  for (const [name, value] of Object.entries(object)) {
    const member = properties.get(name) ?? additional
    if (!member) continue
    if (value === null && !member.nullable) changes.set(name, member.fallback)
    else {
      const inner = member.inner(value)
      if (inner !== value) changes.set(name, { value: inner })
    }
  }
  const added = [...properties].filter(([name, member]) => member.fallback && !Object.hasOwn(object, name))
  if (changes.size === 0 && added.length === 0) return object
  const kept = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    if (!changes.has(name)) return [[name, value]]
    const change = changes.get(name)
    return change ? [[name, structuredClone(change.value)]] : []
  })
  return Object.fromEntries([
    ...kept,
    ...added.map(([name, member]): [string, unknown] => [name, structuredClone(member.fallback?.value)]),
  ])
}

function mapSame(list: readonly unknown[], apply: ApplyDefaults): readonly unknown[] {
  if (apply === same) return list
  const mapped = list.map(apply)
  return mapped.some((item, index) => item !== list[index]) ? mapped : list
}
