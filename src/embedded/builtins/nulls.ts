import type { OpenApiSchema } from '../server/resource.ts'
import { isObject, type JsonObject } from './jsonObject.ts'

/**
 * Built-in kinds read null as absent, everywhere (API conventions, "Optional vs. Required"): this removes nulls that the
 * schema does not allow, so that defaults apply and validation does not stumble. Custom resources keep theirs.
 */
export function withoutNulls<T extends JsonObject>(object: T, schema: OpenApiSchema): T {
  return clean(object, schema) as T
}

function clean(value: unknown, schema: OpenApiSchema | undefined): unknown {
  if (schema === undefined || !holdsNull(value)) return value
  if (Array.isArray(value)) return value.map((item: unknown) => clean(item, schema.items))
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const inner = memberSchema(schema, name)
    if (member === null && inner !== undefined && inner.nullable !== true && inner.type !== undefined) return []
    return [[name, clean(member, inner)] as const]
  })
  return Object.fromEntries(entries)
}

function memberSchema(schema: OpenApiSchema, name: string): OpenApiSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** Most objects hold none: they are returned as they are. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true
  if (Array.isArray(value)) return value.some(holdsNull)
  return isObject(value) && Object.values(value).some(holdsNull)
}
