import type { JSONSchemaProps } from '../../schema/jsonSchemaProps.ts'
import { compileSchema, type StructuralSchema } from '../../schema/structuralSchema.ts'
import type { OpenApiSchema, ResourceDefinition } from './resource.ts'

const compiled = new WeakMap<OpenApiSchema, StructuralSchema>()

/** A schema is compiled at its first use: most built-in kinds are never written. */
export function schemaOf({ schema }: Pick<ResourceDefinition, 'schema'>): StructuralSchema | undefined {
  if (!schema) return undefined
  let found = compiled.get(schema)
  if (!found) {
    found = compileSchema(schema as JSONSchemaProps)
    compiled.set(schema, found)
  }
  return found
}
