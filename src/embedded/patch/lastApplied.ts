import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import type { ApiObject, OpenApiSchema } from '../server/resource.ts'
import { compareFields } from './compareFields.ts'
import { difference, emptySet, type FieldSet } from './fieldSet.ts'
import { fieldsOf } from './fieldsOf.ts'
import { withoutManagers } from './managedFields.ts'

/** Where `kubectl apply` on the client's side keeps what it applied. */
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** Fields that a client-side apply set and that still have the value it gave them. */
export function appliedBefore(live: ApiObject, schema: OpenApiSchema): FieldSet {
  const config = lastApplied(live)
  if (!config) return emptySet
  const { added, modified, removed } = compareFields(config, withoutManagers(live), schema)
  return [added, modified, removed].reduce(difference, fieldsOf(config, schema).set)
}

function lastApplied(live: ApiObject): JsonObject | undefined {
  const text = live.metadata.annotations?.[lastAppliedAnnotation]
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    // Anybody can write the annotation; text that is not JSON remembers nothing.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * An object that was once applied on the client's side keeps the annotation current when kubectl applies it on the
 * server's side, so that going back finds the truth.
 */
export function refreshLastApplied(
  object: ApiObject,
  live: ApiObject | undefined,
  applied: ApiObject,
  manager: string,
): ApiObject {
  const known = live?.metadata.annotations?.[lastAppliedAnnotation]
  if (manager !== 'kubectl' || known === undefined) return object
  const { [lastAppliedAnnotation]: _own, ...annotations } = applied.metadata.annotations ?? {}
  const metadata = { ...applied.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) }
  const text = `${JSON.stringify({ ...applied, metadata })}\n`
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [lastAppliedAnnotation]: text } },
  }
}
