import { describe, expect, it } from 'vitest'
import { StatusError } from '../server/statusError.ts'
import { applyJsonPatch } from './jsonPatch.ts'

const node = { spec: { taints: [{ key: 'a' }, { key: 'b' }] } }

function refusal(patch: unknown): StatusError {
  try {
    applyJsonPatch(node, patch)
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('the patch was accepted')
}

describe('applyJsonPatch', () => {
  it('refuses copies that double themselves beyond the limit', () => {
    const refused = refusal(
      Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/spec', path: `/spec/${index}` })),
    )
    expect([refused.code, refused.message]).toEqual([413, expect.stringContaining('accumulated size increase')])
  })

  it.each(['/__proto__/polluted', '/spec/constructor/prototype/polluted'])('refuses the path %s', (path) => {
    expect(refusal([{ op: 'add', path, value: 1 }]).code).toBe(400)
    expect(refusal([{ op: 'copy', from: path, path: '/spec/x' }]).code).toBe(400)
  })

  it('applies operations in order and leaves the target alone', () => {
    const patched = applyJsonPatch(node, [
      { op: 'test', path: '/spec/taints/0/key', value: 'a' },
      { op: 'remove', path: '/spec/taints/0' },
      { op: 'add', path: '/spec/taints/-', value: { key: 'c' } },
      { op: 'add', path: '/spec/unschedulable', value: true },
      { op: 'copy', from: '/spec/taints/0', path: '/spec/first' },
    ])
    expect(patched).toEqual({
      spec: { taints: [{ key: 'b' }, { key: 'c' }], unschedulable: true, first: { key: 'b' } },
    })
    expect(node).toEqual({ spec: { taints: [{ key: 'a' }, { key: 'b' }] } })
  })

  it.each([
    [[{ op: 'test', path: '/spec/taints/0/key', value: 'x' }], 'testing value /spec/taints/0/key failed: test failed'],
    [
      [{ op: 'remove', path: '/spec/no' }],
      'remove operation does not apply: doc is missing path: "/spec/no": missing value',
    ],
    [
      [{ op: 'replace', path: '/spec/no', value: 1 }],
      'replace operation does not apply: doc is missing path: "/spec/no": missing value',
    ],
    [
      [{ op: 'add', path: '/status/a', value: 1 }],
      'add operation does not apply: doc is missing path: "/status/a": missing value',
    ],
  ])('answers 422 to %j', (patch, cause) => {
    const { code, status } = refusal(patch)
    expect(code).toBe(422)
    expect(status).toMatchObject({ reason: 'Invalid', details: { causes: [{ message: cause }] } })
  })

  it.each([[{ op: 'add' }], [[{ op: 'add', path: '/a' }]], [[{ op: 'grow', path: '/a' }]]])(
    'answers 400 to %j',
    (patch) => {
      expect(refusal(patch).code).toBe(400)
    },
  )
})
