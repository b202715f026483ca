import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StatusError } from '../server/statusError.ts'
import { decodeProtobuf, isProtobuf } from './decodeProtobuf.ts'
import { type FieldType, fieldsOf } from './messageTable.ts'

describe('decodeProtobuf', () => {
  it('reads a pod as a Go client writes it', () => {
    expect(decode(Buffer.from(goPod, 'base64'))).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web', creationTimestamp: '2023-11-14T22:13:20Z', labels: { app: 'web', empty: '' } },
      spec: {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          {
            name: 'c',
            image: 'web:1',
            ports: [{ containerPort: 80 }],
            env: [{ name: 'E' }],
            resources: { requests: { cpu: '100m' } },
            livenessProbe: { httpGet: { port: 'http' } },
          },
        ],
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        tolerations: [{ operator: 'Exists' }],
      },
      status: {},
    })
  })

  it('reads an eviction as a Go client writes it', () => {
    expect(decode(Buffer.from(goEviction, 'base64'))).toEqual({
      kind: 'Eviction',
      apiVersion: 'policy/v1',
      metadata: { name: 'web', namespace: 'default' },
      deleteOptions: { gracePeriodSeconds: 0, dryRun: ['All'] },
    })
  })

  it('reads delete options in whatever group they come', () => {
    const options = Buffer.concat([number(1, 30), text(4, 'Foreground'), text(2, text(1, 'u'))])
    expect(decode(envelope('apps/v1', 'DeleteOptions', options))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 30,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
    })
  })

  it.each<[string, Buffer, unknown]>([
    ['a time', text(1, text(8, number(1, 1))), { metadata: { creationTimestamp: '1970-01-01T00:00:01Z' } }],
    ['a time that is not set', text(1, text(8, '')), { metadata: {} }],
    ["Go's zero time", text(1, text(8, number(1, -62_135_596_800n))), { metadata: {} }],
    [
      'a time before 1970',
      text(1, text(8, number(1, -1n))),
      { metadata: { creationTimestamp: '1969-12-31T23:59:59Z' } },
    ],
    [
      'microseconds',
      text(10, Buffer.concat([number(1, 1), number(2, 1_999)])),
      { eventTime: '1970-01-01T00:00:01.000001Z' },
    ],
    ['a negative int32', number(8, -1n), { count: -1 }],
    ['a zero that no pointer holds', number(8, 0), {}],
    ['the last of two values', Buffer.concat([text(3, 'a'), text(3, 'b')]), { reason: 'b' }],
    [
      'a message in two parts',
      Buffer.concat([text(1, text(1, 'a')), text(1, text(3, 'b'))]),
      { metadata: { name: 'a', namespace: 'b' } },
    ],
    ['a field that is newer than the table', Buffer.concat([number(99, 1), text(3, 'a')]), { reason: 'a' }],
    ['a map entry without value', text(1, text(11, text(1, 'k'))), { metadata: { labels: { k: '' } } }],
    [
      'managed fields',
      text(1, text(17, text(7, text(1, '{"f:data":{}}')))),
      { metadata: { managedFields: [{ fieldsV1: { 'f:data': {} } }] } },
    ],
  ])('reads %s', (_, event, expected) => {
    expect(decode(envelope('v1', 'Event', event))).toEqual({ apiVersion: 'v1', kind: 'Event', ...(expected as object) })
  })

  it('keeps a key named __proto__ as a key', () => {
    const body = envelope('v1', 'ConfigMap', text(2, Buffer.concat([text(1, '__proto__'), text(2, 'v')])))
    expect(JSON.stringify(decode(body).data)).toBe('{"__proto__":"v"}')
  })

  it('reads packed and unpacked lists of numbers alike', () => {
    const groups = (list: Buffer) => text(2, text(14, list))
    const expected = { securityContext: { supplementalGroups: [1, 300] } }
    for (const list of [Buffer.concat([number(4, 1), number(4, 300)]), text(4, Buffer.from([1, 0xac, 2]))]) {
      expect(decode(envelope('v1', 'Pod', groups(list))).spec).toEqual(expected)
    }
  })

  it('reads the extra values of a user', () => {
    const extra = Buffer.concat([text(1, 'k'), text(2, Buffer.concat([text(1, 'a'), text(1, 'b')]))])
    const body = envelope('authorization.k8s.io/v1', 'SubjectAccessReview', text(2, text(5, extra)))
    expect(decode(body).spec).toEqual({ extra: { k: ['a', 'b'] } })
  })

  it.each<[string, Buffer, string]>([
    ['no prefix', Buffer.from('{}'), 'cannot be read: it does not start with the four bytes'],
    ['no kind', envelope('v1', '', Buffer.alloc(0)), "Object 'Kind' is missing"],
    ['no version', envelope('', 'Pod', Buffer.alloc(0)), "Object 'apiVersion' is missing"],
    ['an envelope that ends early', Buffer.from('k8s\0\x0a\x05'), 'field 1 is 5 bytes long'],
    ['an object that is a number', unknownMessage('v1', 'Pod', number(2, 1)), 'expected bytes, found a number'],
    ['a text that is a number', event(number(3, 1)), 'at reason: expected bytes, found a number (wire type 0)'],
    ['a text in Latin 1', event(text(3, Buffer.from([0xe4]))), 'at reason: the text is not valid UTF-8'],
    ['a number that is a text', event(text(8, 'x')), 'at count: expected a number (wire type 0), found 1 bytes'],
    [
      'a number beyond JSON',
      event(text(1, number(7, 2n ** 53n))),
      'at metadata.generation: the number has more than 53',
    ],
    ['a year beyond RFC 3339', event(text(6, number(1, 2n ** 50n))), 'at firstTimestamp: the time is outside'],
    [
      'too many nanoseconds',
      event(text(10, number(2, 10 ** 9))),
      'at eventTime: a time has 0 to 999999999 nanoseconds',
    ],
    ['managed fields that are no JSON', event(text(1, text(17, text(7, text(1, '{s3cret'))))), 'not valid JSON'],
    [
      'a port of no type',
      envelope('v1', 'Service', text(2, text(1, text(4, number(1, 2))))),
      'at spec.ports[0].targetPort: 2 is no type of an IntOrString',
    ],
    [
      'a nested fault, by its path',
      envelope('apps/v1', 'Deployment', text(2, text(3, text(2, text(1, text(2, text(19, number(1, 1)))))))),
      'at spec.template.spec.volumes[0].configMap: expected bytes',
    ],
  ])('refuses %s with 400', (_, body, message) => {
    const error = refusal(body)
    expect(error.code).toBe(400)
    expect(error.message).toContain(message)
    expect(error.message).not.toContain('s3cret')
  })

  it.each([
    ['a kind of a custom resource', envelope('example.com/v1', 'Widget', Buffer.alloc(0)), 'Widget in example.com/v1'],
    ['a kind in another group', envelope('apps/v1', 'Pod', Buffer.alloc(0)), 'Pod in apps/v1'],
    ['a name of every object', envelope('constructor', 'toString', Buffer.alloc(0)), 'toString in constructor'],
    ['JSON in the envelope', unknownMessage('v1', 'Pod', text(4, 'application/json')), 'another encoding'],
    ['a compressed object', unknownMessage('v1', 'Pod', text(3, 'gzip')), 'another encoding'],
  ])('refuses %s with 415 and the types that it takes', (_, body, why) => {
    const error = refusal(body)
    expect(error.code).toBe(415)
    expect(error.message).toContain('accepted media types include: application/json')
    expect(error.message).toContain(why)
  })

  it('reads back what was written, for every field of a kind', () => {
    for (const [apiVersion, kind] of [
      ['v1', 'Pod'],
      ['v1', 'Event'],
      ['apps/v1', 'Deployment'],
      ['policy/v1', 'PodDisruptionBudget'],
    ] as const) {
      fc.assert(
        fc.property(arbitraryMessage(kind, 5), (object) => {
          expect(decode(envelope(apiVersion, kind, encode(kind, object)))).toEqual({ apiVersion, kind, ...object })
        }),
        { numRuns: 20 },
      )
    }
  })

  it('throws nothing but a StatusError 400 or 415, whatever is changed in a good body', () => {
    const good = Buffer.from(goPod, 'base64')
    const change = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(good.length), (changes, length) => {
        const body = Buffer.from(good)
        for (const { at, byte } of changes) body[at] = byte
        for (const hostile of [body, body.subarray(0, length)]) {
          try {
            decode(hostile)
          } catch (error) {
            expect(error).toBeInstanceOf(StatusError)
            expect([400, 415]).toContain((error as StatusError).code)
          }
        }
      }),
    )
  })
})

describe('isProtobuf', () => {
  it('is about Kubernetes protobuf only', () => {
    expect(isProtobuf('application/vnd.kubernetes.protobuf')).toBe(true)
    expect(isProtobuf('application/json')).toBe(false)
    expect(isProtobuf('application/x-protobuf')).toBe(false)
  })
})

const decode = (body: Buffer) => decodeProtobuf(body, ['application/json'])

function refusal(body: Buffer): StatusError {
  try {
    decode(body)
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** Written by the serializer of k8s.io/apimachinery 0.34. */
const goPod =
  'azhzAAoJCgJ2MRIDUG9kEu0BCjIKA3dlYhIAGgAiACoAMgA4AEIICIDiz6oGEABaCgoDYXBwEgN3ZWJaCQoFZW1wdHkSABKhAQoJCgF2EgQSAgoA' +
  'EmIKAWMSBXdlYjoxKgAyCgoAEAAYUCIAKgA6BQoBRRIAQg8SDQoDY3B1EgYKBDEwMG1SIAoUEhIKABIKCAEQABoEaHR0cBoAIgAQABgAIAAoADAA' +
  'agByAIABAIgBAJABAKIBABoAIAAyAEIASgBSAFgAYABoAIIBAIoBAJoBAKgBALIBDgoAEgZFeGlzdHMaACIAwgEAGhMKABoAIgAqADIASgBaAHIA' +
  'iAEAGgAiAA=='
const goEviction = 'azhzAAoVCglwb2xpY3kvdjESCEV2aWN0aW9uEiUKGgoDd2ViEgAaB2RlZmF1bHQiACoAMgA4AEIAEgcIACoDQWxsGgAiAA=='

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

function number(field: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(BigInt(field * 8)), varint(BigInt(value))])
}

function text(field: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(bytes.length)), bytes])
}

function unknownMessage(apiVersion: string, kind: string, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), text(1, Buffer.concat([text(1, apiVersion), text(2, kind)])), rest])
}

function envelope(apiVersion: string, kind: string, object: Buffer): Buffer {
  return unknownMessage(apiVersion, kind, text(2, object))
}

function event(content: Buffer): Buffer {
  return envelope('v1', 'Event', content)
}

type Json = Record<string, unknown>

/** The opposite of the decoder, by the same table. */
function encode(message: string, object: Json): Buffer {
  return Buffer.concat((fieldsOf(message) ?? []).flatMap((field) => encodeField(field, object)))
}

function encodeField({ number: id, name, shape, type }: FieldType, object: Json): readonly Buffer[] {
  if (shape === 'inlined') return [text(id, encode(type, object))]
  const value = object[name]
  if (value === undefined) return []
  if (shape === 'list') return (value as unknown[]).map((item) => encodeValue(id, type, item))
  if (shape === 'single') return [encodeValue(id, type, value)]
  return Object.entries(value as Json).map(([key, item]) =>
    text(id, Buffer.concat([text(1, key), encodeValue(2, type, item)])),
  )
}

function encodeValue(id: number, type: string, value: unknown): Buffer {
  switch (type) {
    case 'string':
      return text(id, String(value))
    case 'bytes':
      return text(id, Buffer.from(String(value), 'base64'))
    case 'bool':
    case 'int32':
    case 'int64':
      return number(id, BigInt(Number(value)))
    case 'Quantity':
      return text(id, text(1, String(value)))
    case 'FieldsV1':
    case 'RawExtension':
      return text(id, text(1, JSON.stringify(value)))
    case 'StringList':
      return text(id, Buffer.concat((value as string[]).map((item) => text(1, item))))
    case 'IntOrString':
      return text(
        id,
        typeof value === 'number' ? number(2, value) : Buffer.concat([number(1, 1), text(3, String(value))]),
      )
    case 'Time':
    case 'MicroTime':
      return text(id, number(1, Date.parse(String(value).replace('.000000', '')) / 1000))
    default:
      return text(id, encode(type, value as Json))
  }
}

/** Any object of a message, in the form that the decoder answers with: no zeros where a zero means "not set". */
function arbitraryMessage(message: string, depth: number): fc.Arbitrary<Json> {
  const fields = (fieldsOf(message) ?? []).filter(({ type }) => depth > 0 || scalars.has(type))
  const inlined = fields.filter(({ shape }) => shape === 'inlined').map(({ type }) => arbitraryMessage(type, depth - 1))
  const own = fields
    .filter(({ shape }) => shape !== 'inlined')
    .map((field) => [field.name, arbitraryField(field, depth)])
  const record = fc.record(Object.fromEntries(own), { requiredKeys: [] }) as fc.Arbitrary<Json>
  return fc.tuple(record, ...inlined).map((parts) => Object.assign({}, ...parts))
}

function arbitraryField({ shape, type, keepsZero }: FieldType, depth: number): fc.Arbitrary<unknown> {
  const value = scalars.get(type) ?? arbitraryMessage(type, depth - 1)
  if (shape === 'list') return fc.array(value, { minLength: 1, maxLength: 2 })
  if (shape === 'map') return fc.dictionary(fc.string(), value, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
  const dropsZero = !keepsZero && type !== 'IntOrString'
  return dropsZero ? value.filter((each) => each !== '' && each !== 0 && each !== false) : value
}

const seconds = fc.integer({ min: -(2 ** 35), max: 2 ** 35 }).map((each) => new Date(each * 1000).toISOString())
const scalars: ReadonlyMap<string, fc.Arbitrary<unknown>> = new Map<string, fc.Arbitrary<unknown>>([
  ['string', fc.string({ unit: 'grapheme', maxLength: 5 })],
  ['bytes', fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64'))],
  ['bool', fc.boolean()],
  ['int32', fc.integer()],
  ['int64', fc.maxSafeInteger()],
  ['Quantity', fc.constantFrom('1', '100m', '2Gi')],
  ['FieldsV1', fc.constant({ 'f:data': { 'f:a': {} } })],
  ['RawExtension', fc.constant({ a: [1, null] })],
  ['StringList', fc.array(fc.string(), { maxLength: 2 })],
  ['IntOrString', fc.oneof(fc.integer(), fc.string())],
  ['Time', seconds.map((time) => time.replace('.000', ''))],
  ['MicroTime', seconds.map((time) => time.replace('.000', '.000000'))],
])
