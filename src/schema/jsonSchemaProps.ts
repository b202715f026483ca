/** One `x-kubernetes-validations` entry: a CEL rule on the value that carries it. */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

/** A structural OpenAPI v3 schema as CustomResourceDefinitions carry it (apiextensions.k8s.io/v1). */
export interface JSONSchemaProps {
  readonly type?: string
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly example?: unknown
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>
  readonly additionalProperties?: JSONSchemaProps | boolean
  readonly items?: JSONSchemaProps
  readonly allOf?: readonly JSONSchemaProps[]
  readonly anyOf?: readonly JSONSchemaProps[]
  readonly oneOf?: readonly JSONSchemaProps[]
  readonly not?: JSONSchemaProps
  readonly externalDocs?: { readonly url?: string; readonly description?: string }
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Compact JSON; integers beyond 2^53 (bigint) are written as they are. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
  return `{${members.join(',')}}`
}
