import { describe, expect, it } from 'vitest'
import { parseBody } from './decodeBody.ts'
import { StatusError } from './statusError.ts'

const protobuf = 'application/vnd.kubernetes.protobuf'
/** `k8s\0`, then typeMeta { apiVersion "v1", kind "Namespace" } and raw { metadata { name "a" } }. */
const namespace = Buffer.from('k8s\0\x0a\x0f\x0a\x02v1\x12\x09Namespace\x12\x05\x0a\x03\x0a\x01a', 'latin1')

const parse = (body: Uint8Array | string | undefined, contentType: string) =>
  parseBody(body, contentType, (text) => ({ yaml: text }))

function codeOf(act: () => unknown): number | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return error.code
    throw error
  }
  return undefined
}

describe('parseBody', () => {
  it.each<[string, string | Buffer, string, unknown]>([
    ['JSON', '{"a":1}', 'application/json', { a: 1 }],
    ['JSON without a type', '{"a":1}', '', { a: 1 }],
    ['JSON of a kind of its own', '{"a":1}', 'application/merge-patch+json', { a: 1 }],
    ['YAML', 'a: 1', 'Application/YAML; charset=utf-8', { yaml: 'a: 1' }],
    ['protobuf', namespace, protobuf, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
    [
      'protobuf with parameters',
      namespace,
      `${protobuf};v=1`,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
    ],
  ])('reads %s', (_, body, contentType, expected) => {
    expect(parse(body, contentType)).toEqual(expected)
  })

  it.each(['application/json', 'application/yaml', protobuf])('takes no bytes of %s for no body', (contentType) => {
    expect(parse(undefined, contentType)).toBeUndefined()
    expect(parse(Buffer.alloc(0), contentType)).toBeUndefined()
  })

  it.each([
    ['{"a":}', "invalid character '}' looking for beginning of value (character 6)"],
    ['{"a":"secret', 'unexpected end of JSON input (character 12)'],
  ])('says where %s is broken, without quoting it', (body, message) => {
    expect(() => parse(body, 'application/json')).toThrow(`the body of the request is not valid JSON: ${message}`)
  })

  it('refuses what is nested too deep to be walked', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(() => parse(deep, 'application/json')).toThrow('exceeded max depth')
  })

  it.each([
    ['broken JSON', '{', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['JSON that is called protobuf', '{}', protobuf, 400],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 415],
    ['a type that only begins like protobuf', namespace, `${protobuf}-x`, 415],
  ])('refuses %s', (_, body, contentType, code) => {
    expect(codeOf(() => parse(body, contentType))).toBe(code)
  })
})
