import { parseJson as parseStrictly } from '../../ignition/jsonText.ts'
import { decodeProtobuf, isProtobuf } from '../protobuf/decodeProtobuf.ts'
import { decodeMetadata } from './decodeMetadata.ts'
import { requireShallow } from './nesting.ts'
import { type ApiObject, type ResourceDefinition, resourceApiVersion } from './resource.ts'
import { badRequest, unsupportedMediaType } from './statusError.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const readable = ['application/json', 'application/yaml']

/** The text of a body as a JSON object; `undefined` for an empty body. Message texts never quote the body. */
export function parseBody(
  body: Uint8Array | string | undefined,
  contentType: string,
  parseYaml: (text: string) => unknown,
  onRepeatedKey?: (key: string) => void,
): JsonObject | undefined {
  if (body === undefined || body.length === 0) return undefined
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  // JSON inside protobuf (managed fields, revisions) may be as deep as any.
  if (isProtobuf(type)) return requireShallow(decodeProtobuf(bufferOf(body), readable))
  const text = typeof body === 'string' ? body : bufferOf(body).toString('utf8')
  if (text.trim() === '') return undefined
  const value =
    type === 'application/yaml' || type === 'text/yaml'
      ? parseYaml(text)
      : isJson(type)
        ? parseJson(text, onRepeatedKey)
        : refuse()
  if (!isJsonObject(value)) {
    throw badRequest('the body of the request is not a JSON object; expected one Kubernetes object')
  }
  return requireShallow(value)
}

const bufferOf = (body: Uint8Array | string): Buffer =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.buffer, body.byteOffset, body.byteLength)

const isJson = (type: string): boolean =>
  type === '' || type === '*/*' || type === 'application/json' || type.endsWith('+json')

function refuse(): never {
  throw unsupportedMediaType(readable)
}

/** The strict parser is slow: it is asked for what `JSON.parse` hides, the place of an error and repeated keys. */
function parseJson(text: string, onRepeatedKey?: (key: string) => void): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    // The engine's own message quotes the text, which may hold a secret; this one shows a single character.
    throw badRequest(`the body of the request is not valid JSON${placeOfError(text)}`)
  }
  if (onRepeatedKey) parseStrictly(text, { onRepeatedKey })
  return value
}

function placeOfError(text: string): string {
  const result = parseStrictly(text)
  return result.ok ? '' : `: ${result.message} (character ${result.offset})`
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object of the resource's kind. Built-in kinds may leave out apiVersion and kind, as typed decoding allows. */
export function decodeObject(
  resource: ResourceDefinition,
  body: JsonObject | undefined,
  onUnknown?: (path: string) => void,
): ApiObject {
  if (!body) throw badRequest(`the body of the request is empty; expected a ${resource.kind}`)
  const apiVersion = body.apiVersion ?? (resource.custom ? undefined : resourceApiVersion(resource))
  const kind = body.kind ?? (resource.custom ? undefined : resource.kind)
  if (typeof kind !== 'string' || kind === '') throw badRequest(`Object 'Kind' is missing in the body of the request`)
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw badRequest(`Object 'apiVersion' is missing in the body of the request`)
  }
  const expected = resourceApiVersion(resource)
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  if (kind !== resource.kind) {
    const version = apiVersion.split('/').at(-1) ?? ''
    throw badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${resource.kind}: the kind of the data does not match the resource`,
    )
  }
  return { ...body, apiVersion, kind, metadata: decodeMetadata(body.metadata, onUnknown) }
}
