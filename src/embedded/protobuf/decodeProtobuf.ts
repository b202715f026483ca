import { messages } from './messages.ts'
import { ProtobufError, readFields, type WireField } from './readFields.ts'

/** Four bytes before every message that Kubernetes clients send. */
const magic = Buffer.from('k8s\0')

export interface Decoded {
  readonly apiVersion: string
  readonly kind: string
  readonly [member: string]: unknown
}

export const isProtobuf = (contentType: string): boolean =>
  contentType.startsWith('application/vnd.kubernetes.protobuf')

/**
 * A body of type application/vnd.kubernetes.protobuf as the JSON form of the same object. A kind or a field that the
 * table does not know is an error, never dropped: the client can send JSON instead.
 */
export function decodeProtobuf(body: Buffer): Decoded {
  if (!body.subarray(0, magic.length).equals(magic))
    throw new ProtobufError('the body does not start with the Kubernetes prefix')
  const envelope = readFields(body.subarray(magic.length))
  const { apiVersion, kind } = typeOf(bytesOf(envelope, 1))
  if (!Object.hasOwn(messages, kind))
    throw new ProtobufError(`protobuf is not understood for ${kind}; send application/json`)
  return { apiVersion, kind, ...decodeMessage(kind, bytesOf(envelope, 2)) }
}

function typeOf(typeMeta: Buffer): { readonly apiVersion: string; readonly kind: string } {
  const fields = readFields(typeMeta)
  return { apiVersion: bytesOf(fields, 1).toString('utf8'), kind: bytesOf(fields, 2).toString('utf8') }
}

function bytesOf(fields: readonly WireField[], number: number): Buffer {
  const value = fields.find((field) => field.number === number)?.value
  return value?.kind === 'bytes' ? value.value : Buffer.alloc(0)
}

interface FieldType {
  readonly name: string
  readonly type: string
  readonly shape: 'single' | 'repeated' | 'map' | 'inlined'
  /** A zero was meant. */
  readonly keepsZero: boolean
}

function decodeMessage(message: string, bytes: Buffer): Record<string, unknown> {
  const types = fieldsOf(message)
  const object: Record<string, unknown> = {}
  for (const field of readFields(bytes)) {
    const type = types.get(field.number)
    if (!type)
      throw new ProtobufError(
        `field ${field.number} of ${message} is not understood in protobuf; send application/json`,
      )
    assign(object, type, field)
  }
  return object
}

function assign(object: Record<string, unknown>, { name, type, shape, keepsZero }: FieldType, field: WireField): void {
  switch (shape) {
    case 'inlined':
      Object.assign(object, decodeMessage(type, messageBytes(field)))
      break
    case 'repeated': {
      const list = object[name]
      const value = decodeValue(type, field)
      object[name] = Array.isArray(list) ? [...list, value] : [value]
      break
    }
    case 'map': {
      const entry = readFields(messageBytes(field))
      const key = bytesOf(entry, 1).toString('utf8')
      const value = entry.find(({ number }) => number === 2) ?? {
        number: 2,
        value: { kind: 'bytes' as const, value: Buffer.alloc(0) },
      }
      object[name] = { ...(object[name] as object | undefined), [key]: decodeValue(type, value) }
      break
    }
    case 'single': {
      const value = decodeValue(type, field)
      if (keepsZero || !isZero(value)) object[name] = value
      break
    }
    default:
      shape satisfies never
  }
}

function decodeValue(type: string, field: WireField): unknown {
  switch (type) {
    case 'string':
      return messageBytes(field).toString('utf8')
    case 'bytes':
      return messageBytes(field).toString('base64')
    case 'bool':
      return numberOf(field) !== 0
    case 'int32':
    case 'int64':
      return numberOf(field)
    case 'Time':
      return timeOf(messageBytes(field), 0)
    case 'MicroTime':
      return timeOf(messageBytes(field), 6)
    case 'IntOrString':
      return intOrString(messageBytes(field))
    case 'Quantity':
      return bytesOf(readFields(messageBytes(field)), 1).toString('utf8')
    case 'FieldsV1':
      return JSON.parse(bytesOf(readFields(messageBytes(field)), 1).toString('utf8'))
    default:
      return decodeMessage(type, messageBytes(field))
  }
}

function messageBytes({ number, value }: WireField): Buffer {
  if (value.kind !== 'bytes') throw new ProtobufError(`field ${number} is a number; expected bytes`)
  return value.value
}

function numberOf({ number, value }: WireField): number {
  if (value.kind !== 'varint') throw new ProtobufError(`field ${number} is bytes; expected a number`)
  return Number(value.value)
}

/** Seconds and nanoseconds since 1970; an empty message is no time at all. */
function timeOf(bytes: Buffer, digits: number): string | null {
  const fields = readFields(bytes)
  if (fields.length === 0) return null
  const part = (number: number) => {
    const field = fields.find((each) => each.number === number)
    return field ? numberOf(field) : 0
  }
  const whole = new Date(part(1) * 1000).toISOString().slice(0, 19)
  return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.trunc(part(2) / 1000)).padStart(digits, '0')}Z`
}

function intOrString(bytes: Buffer): number | string {
  const fields = readFields(bytes)
  const isString = fields.some((field) => field.number === 1 && numberOf(field) === 1)
  if (isString) return bytesOf(fields, 3).toString('utf8')
  const value = fields.find((field) => field.number === 2)
  return value ? Number(BigInt.asIntN(32, BigInt(numberOf(value)))) : 0
}

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
}

const parsed = new Map<string, ReadonlyMap<number, FieldType>>()

function fieldsOf(message: string): ReadonlyMap<number, FieldType> {
  let fields = parsed.get(message)
  if (!fields) {
    const line = messages[message]
    if (line === undefined) throw new Error(`the table of protobuf messages has no ${message}`)
    fields = new Map(line.split(', ').filter(Boolean).map(parseField))
    parsed.set(message, fields)
  }
  return fields
}

function parseField(text: string): [number, FieldType] {
  const [number = '', name = '', written = ''] = text.split(' ')
  const map = /^map<(.+)>$/.exec(written)?.[1]
  const type = map ?? written.replace(/[*?^]$/, '')
  const shape = map ? 'map' : written.endsWith('*') ? 'repeated' : written.endsWith('^') ? 'inlined' : 'single'
  return [Number(number), { name, type, shape, keepsZero: written.endsWith('?') }]
}
