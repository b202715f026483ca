import { nameRuleOf, validationOfKind } from '../../api/validation/builtinKinds.ts'
import { validateObjectMeta } from '../../api/validation/objectMeta.ts'
import { fieldErrorToCause } from '../../schema/fieldError.ts'
import { type StructuralSchema, unknownFieldMessage } from '../../schema/structuralSchema.ts'
import { withoutNulls } from '../builtins/nulls.ts'
import { schemaOf } from './compiledSchema.ts'
import type { WriteCall } from './context.ts'
import type { ApiObject, FieldProblem, ResourceDefinition } from './resource.ts'
import { badRequest, invalid } from './statusError.ts'

/**
 * Everything between decoding and storage that looks at the object itself: unknown fields, defaults, the kind's own
 * preparation, validation. Throws one Status with every problem found.
 */
export function prepareObject(
  resource: ResourceDefinition,
  given: ApiObject,
  old: ApiObject | undefined,
  subresource: string,
  call: WriteCall,
  now: Date,
): ApiObject {
  const schema = schemaOf(resource)
  const written = resource.schema && !resource.custom ? withoutNulls(given, resource.schema) : given
  const known = dropUnknown(resource, schema, written, call)
  const defaulted = schema ? (schema.applyDefaults(known) as ApiObject) : known
  if (schema && !resource.custom) requireTypes(resource, schema, defaulted)
  const { hooks } = resource
  const hookContext = { now, ...(subresource === '' ? {} : { subresource }) }
  const object = old
    ? (hooks?.prepareForUpdate?.(defaulted, old, hookContext) ?? defaulted)
    : (hooks?.prepareForCreate?.(defaulted, hookContext) ?? defaulted)
  const problems: readonly FieldProblem[] = [
    ...validateObjectMeta(object.metadata, { namespaced: resource.namespaced, nameErrors: nameRuleOf(resource) }).map(
      fieldErrorToCause,
    ),
    ...(resource.custom ? [] : validationOfKind(resource)(object, old).map(fieldErrorToCause)),
    ...(schema?.validate(object, old).map(fieldErrorToCause) ?? []),
    ...(hooks?.validate?.(object, old) ?? []),
  ]
  if (problems.length > 0) throw invalid(resource, object.metadata.name ?? '', problems)
  for (const warning of hooks?.warnings?.(object, old) ?? []) call.warnings.add(warning)
  return object
}

/** Hooks and rules of built-in kinds look at typed values: a wrong type must be found before them. */
function requireTypes(resource: ResourceDefinition, schema: StructuralSchema, object: ApiObject): void {
  const wrong = schema.validate(object).filter(({ type }) => type === 'TypeInvalid')
  if (wrong.length > 0) throw invalid(resource, object.metadata.name ?? '', wrong.map(fieldErrorToCause))
}

/** Field validation, see API concepts, "Validation for unrecognized or duplicate fields". */
function dropUnknown(
  resource: ResourceDefinition,
  schema: StructuralSchema | undefined,
  given: ApiObject,
  { fieldValidation, warnings, decodingProblems = new Set() }: WriteCall,
): ApiObject {
  const { value, unknown } = schema?.prune(given) ?? { value: given, unknown: [] }
  const messages = [...decodingProblems, ...unknown.map(unknownFieldMessage)]
  if (messages.length > 0 && fieldValidation === 'Strict') {
    const { kind, version } = resource
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${messages.join(', ')}`,
    )
  }
  if (fieldValidation === 'Warn') for (const message of messages) warnings.add(message)
  return value as ApiObject
}
