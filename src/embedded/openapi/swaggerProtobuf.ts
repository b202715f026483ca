import type { Field } from './protobuf.ts'
import { doubleField, messageField, textField, varintField } from './protobuf.ts'

/**
 * A Swagger 2.0 document in the protobuf form that kubectl asks `/openapi/v2` for and accepts nothing else
 * (message Document of package openapi.v2; field numbers are those of its public definition). Maps are lists of
 * named values, free values are YAML text.
 */
export function encodeSwagger(document: Json): Buffer {
  const info = objectAt(document, 'info')
  return Buffer.concat([
    textField(1, stringAt(document, 'swagger')),
    messageField(2, [textField(1, stringAt(info, 'title')), textField(2, stringAt(info, 'version'))]),
    messageField(
      8,
      entries(document.paths).map(([path, item]) => named(2, path, pathItem(item))),
    ),
    messageField(
      9,
      entries(document.definitions).map(([name, definition]) => named(1, name, schema(definition))),
    ),
  ])
}

type Json = Readonly<Record<string, unknown>>

const named = (number: number, name: string, value: readonly Field[]): Field =>
  messageField(number, [textField(1, name), messageField(2, value)])

const operationNumbers = { get: 2, put: 3, post: 4, delete: 5, options: 6, head: 7, patch: 8 }

const pathItem = (item: Json): readonly Field[] => [
  ...Object.entries(operationNumbers).map(([method, number]) => {
    const value = item[method]
    return messageField(number, isObject(value) ? operation(value) : undefined)
  }),
  ...parameters(9, item.parameters),
]

const operation = (value: Json): readonly Field[] => [
  textField(3, stringAt(value, 'description')),
  textField(5, stringAt(value, 'operationId')),
  ...strings(6, value.produces),
  ...strings(7, value.consumes),
  ...parameters(8, value.parameters),
  messageField(
    9,
    entries(value.responses).map(([code, response]) =>
      named(1, code, [
        messageField(1, [
          textField(1, stringAt(response, 'description')),
          messageField(2, [messageField(1, schema(objectAt(response, 'schema')))]),
        ]),
      ]),
    ),
  ),
  ...extensions(13, value),
]

/** ParametersItem > Parameter > BodyParameter, or NonBodyParameter > one message per place. */
function parameters(number: number, values: unknown): readonly Field[] {
  if (!Array.isArray(values)) return []
  return values.filter(isObject).map((value) => messageField(number, [messageField(1, [parameter(value)])]))
}

function parameter(value: Json): Field {
  const place = stringAt(value, 'in')
  const name = stringAt(value, 'name')
  const description = stringAt(value, 'description')
  const required = value.required === true
  if (place === 'body') {
    return messageField(1, [
      textField(1, description),
      textField(2, name),
      textField(3, place),
      varintField(4, required),
      messageField(5, schema(objectAt(value, 'schema'))),
    ])
  }
  const common = [varintField(1, required), textField(2, place), textField(3, description), textField(4, name)]
  const type = stringAt(value, 'type')
  const [message, typeNumber] = place === 'path' ? [4, 5] : [3, 6]
  return messageField(2, [messageField(message, [...common, textField(typeNumber, type)])])
}

function schema(value: Json): readonly Field[] {
  const { type, items, properties, additionalProperties } = value
  return [
    textField(1, stringAt(value, '$ref')),
    textField(2, stringAt(value, 'format')),
    textField(3, stringAt(value, 'title')),
    textField(4, stringAt(value, 'description')),
    messageField(5, value.default === undefined ? undefined : free(value.default)),
    doubleField(6, numberAt(value, 'multipleOf')),
    doubleField(7, numberAt(value, 'maximum')),
    varintField(8, value.exclusiveMaximum === true),
    doubleField(9, numberAt(value, 'minimum')),
    varintField(10, value.exclusiveMinimum === true),
    varintField(11, numberAt(value, 'maxLength') ?? 0),
    varintField(12, numberAt(value, 'minLength') ?? 0),
    textField(13, stringAt(value, 'pattern')),
    varintField(14, numberAt(value, 'maxItems') ?? 0),
    varintField(15, numberAt(value, 'minItems') ?? 0),
    varintField(16, value.uniqueItems === true),
    varintField(17, numberAt(value, 'maxProperties') ?? 0),
    varintField(18, numberAt(value, 'minProperties') ?? 0),
    ...strings(19, value.required),
    ...(Array.isArray(value.enum) ? value.enum.map((each: unknown) => messageField(20, free(each))) : []),
    messageField(21, additional(additionalProperties)),
    messageField(22, typeof type === 'string' ? [textField(1, type)] : undefined),
    messageField(23, isObject(items) ? [messageField(1, schema(items))] : undefined),
    ...(Array.isArray(value.allOf) ? value.allOf.filter(isObject).map((each) => messageField(24, schema(each))) : []),
    messageField(
      25,
      isObject(properties)
        ? entries(properties).map(([name, property]) => named(1, name, schema(property)))
        : undefined,
    ),
    ...extensions(31, value),
  ]
}

function additional(value: unknown): readonly Field[] | undefined {
  if (isObject(value)) return [messageField(1, schema(value))]
  // The default of a boolean has no bytes, but inside a choice it says which member is meant.
  if (typeof value === 'boolean') return [value ? varintField(2, true) : Buffer.from([16, 0])]
  return undefined
}

const extensions = (number: number, value: Json): readonly Field[] =>
  Object.entries(value)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, each]) => named(number, name, free(each)))

/** Any: JSON is YAML, so the text is what the reader expects. */
const free = (value: unknown): readonly Field[] => [textField(2, `${JSON.stringify(value)}\n`)]

const strings = (number: number, values: unknown): readonly Field[] =>
  Array.isArray(values) ? values.map((value: unknown) => textField(number, String(value))) : []

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const entries = (value: unknown): readonly (readonly [string, Json])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, each]) => (isObject(each) ? [[name, each] as const] : []))
    : []

const objectAt = (value: Json, name: string): Json => {
  const member = value[name]
  return isObject(member) ? member : {}
}
const stringAt = (value: Json, name: string): string | undefined => {
  const member = value[name]
  return typeof member === 'string' ? member : undefined
}
const numberAt = (value: Json, name: string): number | undefined => {
  const member = value[name]
  return typeof member === 'number' ? member : undefined
}
