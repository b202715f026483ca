import { type CelExpression, celErrorMessage, compileCel } from './cel.ts'
import { compileToCel } from './celValue.ts'
import { correlateItem, correlateMember } from './correlate.ts'
import { deepEqual } from './deepEqual.ts'
import { type Check, type FieldError, forbidden, invalid, required } from './fieldError.ts'
import { itemPath, keyPath, memberPath } from './fieldPath.ts'
import { isJsonObject, type JSONSchemaProps, type ValidationRule } from './jsonSchemaProps.ts'

/**
 * Compiles the `x-kubernetes-validations` of a schema and of everything below it (Kubernetes documentation, "Validation
 * rules"); undefined when there are none, so that schemas without rules cost nothing. Run it only on values that pass the
 * plain checks: rules assume the types of the schema.
 */
export function compileRules(
  schema: JSONSchemaProps,
  { isRoot = false }: { isRoot?: boolean } = {},
): Check | undefined {
  const parts = [compileOwnRules(schema, isRoot), compileMemberRules(schema), compileItemRules(schema)].filter(
    (part): part is Check => part !== undefined,
  )
  if (parts.length === 0) return undefined
  return (value, old, path, errors) => {
    if (value === null) return
    for (const part of parts) part(value, old, path, errors)
  }
}

function compileOwnRules(schema: JSONSchemaProps, isRoot: boolean): Check | undefined {
  const rules = (schema['x-kubernetes-validations'] ?? []).map(compileRule)
  if (rules.length === 0) return undefined
  const toCel = compileToCel(schema, { isRoot })
  const typeName = schema['x-kubernetes-int-or-string'] ? 'string' : (schema.type ?? 'object')
  return (value, old, path, errors) => {
    const unchanged = old !== undefined && deepEqual(value, old)
    const applicable = rules.filter(({ expression, rule }) =>
      expression.usesOldSelf ? old !== undefined || rule.optionalOldSelf === true : !unchanged,
    )
    if (applicable.length === 0) return
    const self = toCel(value)
    const oldSelf = old === undefined ? undefined : toCel(old)
    for (const rule of applicable) {
      const error = violation(rule, self, oldSelf, typeName, path)
      if (error) errors.push(error)
    }
  }
}

interface CompiledRule {
  readonly rule: ValidationRule
  readonly expression: CelExpression
  readonly message: CelExpression | undefined
}

function compileRule(rule: ValidationRule): CompiledRule {
  const options = { optionalOldSelf: rule.optionalOldSelf === true }
  return {
    rule,
    expression: compileCel(rule.rule, options),
    message: rule.messageExpression === undefined ? undefined : compileCel(rule.messageExpression, options),
  }
}

function violation(
  compiled: CompiledRule,
  self: unknown,
  oldSelf: unknown,
  typeName: string,
  path: string,
): FieldError | undefined {
  const { rule, expression } = compiled
  const place = rule.fieldPath === undefined ? path : `${path}${rule.fieldPath}`.replace(/^\./, '')
  try {
    if (expression.evaluate(self, oldSelf) === true) return undefined
  } catch (cause) {
    // A rule that cannot be computed refuses the object, as on the API server; the engine's reason says why.
    return invalid(place, typeName, `${celErrorMessage(cause)} evaluating rule: ${rule.message ?? rule.rule}`)
  }
  const detail = messageOf(compiled, self, oldSelf)
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(place, detail)
    case 'FieldValueRequired':
      return required(place, detail)
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', field: place, value: typeName, detail }
    case 'FieldValueInvalid':
    case undefined:
      return invalid(place, typeName, detail)
    default:
      rule.reason satisfies never
      return invalid(place, typeName, detail)
  }
}

function messageOf({ rule, message }: CompiledRule, self: unknown, oldSelf: unknown): string {
  const computed = message === undefined ? undefined : computeMessage(message, self, oldSelf)
  return computed ?? rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`
}

/** A message that cannot be computed, or is not one line of text, gives way to the fixed one (documented fallback). */
function computeMessage(message: CelExpression, self: unknown, oldSelf: unknown): string | undefined {
  let text: unknown
  try {
    text = message.evaluate(self, oldSelf)
  } catch {
    return undefined
  }
  return typeof text === 'string' && text.trim() !== '' && !/[\r\n]/.test(text) ? text.trim() : undefined
}

function compileMemberRules(schema: JSONSchemaProps): Check | undefined {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]): [string, Check][] => {
    const check = compileRules(member)
    return check ? [[name, check]] : []
  })
  const additional =
    typeof schema.additionalProperties === 'object' ? compileRules(schema.additionalProperties) : undefined
  if (members.length === 0 && !additional) return undefined
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
  return (value, old, path, errors) => {
    if (!isJsonObject(value)) return
    const oldOf = (name: string) => (isAtomic ? undefined : correlateMember(name, old))
    for (const [name, check] of members) {
      if (Object.hasOwn(value, name)) check(value[name], oldOf(name), memberPath(path, name), errors)
    }
    if (!additional) return
    for (const [key, inner] of Object.entries(value)) additional(inner, oldOf(key), keyPath(path, key), errors)
  }
}

function compileItemRules(schema: JSONSchemaProps): Check | undefined {
  const check = schema.items ? compileRules(schema.items) : undefined
  if (!check) return undefined
  return (value, old, path, errors) => {
    if (!Array.isArray(value)) return
    value.forEach((item, index) => {
      check(item, correlateItem(schema, item, old), itemPath(path, index), errors)
    })
  }
}
