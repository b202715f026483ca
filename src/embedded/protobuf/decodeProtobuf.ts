import { badRequest, unsupportedMediaType } from '../server/statusError.ts'
import { decodeMessage } from './decodeMessage.ts'
import { bytesOf } from './fieldValue.ts'
import { messageOf } from './kinds.ts'
import { malformed, WireReader } from './wire.ts'

export interface Decoded {
  readonly apiVersion: string
  readonly kind: string
  readonly [member: string]: unknown
}

export const isProtobuf = (mediaType: string): boolean => mediaType === 'application/vnd.kubernetes.protobuf'

/** What such a body starts with, see API concepts, "Kubernetes Protobuf encoding". */
const prefix = Buffer.from('k8s\0')

/**
 * A body of type application/vnd.kubernetes.protobuf as the JSON form of the same object. Throws a StatusError only:
 * 400 for bytes that are no such body, 415 for a kind that has no protobuf form here (`accepted`: the types that every
 * kind has).
 */
export function decodeProtobuf(body: Buffer, accepted: readonly string[]): Decoded {
  if (!body.subarray(0, prefix.length).equals(prefix)) {
    throw malformed('', 'it does not start with the four bytes of Kubernetes protobuf, "k8s" and a zero')
  }
  const reader = new WireReader()
  const envelope = body.subarray(prefix.length)
  const { apiVersion, kind, contentEncoding, contentType } = decodeMessage('Envelope', envelope, reader)
  if (typeof kind !== 'string') throw badRequest(`Object 'Kind' is missing in the body of the request`)
  if (typeof apiVersion !== 'string') throw badRequest(`Object 'apiVersion' is missing in the body of the request`)
  if (contentEncoding !== undefined || (contentType !== undefined && !isProtobuf(String(contentType)))) {
    throw unsupportedMediaType(accepted, 'the object inside the protobuf envelope is in another encoding')
  }
  const message = messageOf(apiVersion, kind)
  if (message === undefined) {
    throw unsupportedMediaType(accepted, `${kind} in ${apiVersion} is not read from protobuf; send application/json`)
  }
  const raw = reader.readMessage(envelope, '', 0).get(rawField)?.at(-1)
  const object = raw ? bytesOf(raw, { at: '', depth: 0, reader }) : Buffer.alloc(0)
  return { apiVersion, kind, ...decodeMessage(message, object, reader) }
}

/** The message `Unknown` of `runtime`: its other fields are in the table as `Envelope`. */
const rawField = 2
