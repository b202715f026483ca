import { describe, expect, it } from 'vitest'
import { builtinResources } from '../builtins/resources.ts'
import { type ApiObject, allVerbs, type ResourceDefinition } from '../server/resource.ts'
import { StatusError } from '../server/statusError.ts'
import { applyPatch, type PatchRequest } from './applyPatch.ts'

const node = builtinResources.find(({ kind }) => kind === 'Node')
if (!node) throw new Error('no built-in kind Node')
const widget: ResourceDefinition = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  verbs: allVerbs,
  custom: true,
}
const current: ApiObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a', annotations: { x: '1' } },
  spec: { podCIDRs: ['10.0.0.0/24'] },
}

function patch(contentType: string, body: unknown, rest: Partial<PatchRequest> = {}) {
  return applyPatch({
    resource: node as ResourceDefinition,
    name: 'a',
    current,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    contentType,
    fieldManager: 'tester',
    force: false,
    subresource: '',
    now: new Date('2026-01-01T00:00:00Z'),
    ...rest,
  })
}
function refusal(...parameters: Parameters<typeof patch>): StatusError {
  try {
    patch(...parameters)
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('the patch was accepted')
}

describe('applyPatch', () => {
  it.each(['application/apply-patch+yaml', 'application/strategic-merge-patch+json', 'application/merge-patch+json'])(
    '%s takes keys that every JavaScript object inherits for data',
    (contentType) => {
      const annotations = JSON.parse('{"toString": "a", "constructor": "b", "__proto__": "c"}')
      const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', annotations } }
      const { object } = patch(contentType, body)
      expect(JSON.stringify(object.metadata.annotations)).toBe(JSON.stringify({ x: '1', ...annotations }))
      const again = patch(contentType, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }, { current: object })
      const keys = contentType.startsWith('application/apply') ? ['x'] : ['x', 'toString', 'constructor', '__proto__']
      expect(Object.keys(again.object.metadata.annotations ?? {})).toEqual(keys)
    },
  )

  it.each([
    ['application/json-patch+json', [{ op: 'add', path: '/spec/unschedulable', value: true }]],
    ['application/merge-patch+json; charset=utf-8', { spec: { unschedulable: true } }],
    ['application/strategic-merge-patch+json', { spec: { unschedulable: true } }],
  ])('applies %s', (contentType, body) => {
    const { object, operation } = patch(contentType, body)
    expect(operation).toBe('Update')
    expect(object.spec).toEqual({ podCIDRs: ['10.0.0.0/24'], unschedulable: true })
  })

  it('applies a YAML configuration and names it after the URL', () => {
    const body = 'apiVersion: v1\nkind: Node\nmetadata:\n  labels: {zone: a}\n'
    const { object, operation } = patch('application/apply-patch+yaml', body, { current: undefined })
    expect(operation).toBe('Apply')
    expect(object.metadata).toMatchObject({ name: 'a', labels: { zone: 'a' } })
  })

  it('takes no strategic merge for custom resources', () => {
    const { code, message } = refusal('application/strategic-merge-patch+json', {}, { resource: widget })
    expect(code).toBe(415)
    expect(message).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    )
  })

  it.each<[string, number, Parameters<typeof patch>]>([
    ['an unknown type', 415, ['application/json', {}]],
    ['text that is not JSON', 400, ['application/merge-patch+json', '{']],
    ['a merge patch that is a list', 400, ['application/merge-patch+json', []]],
    ['a change of the kind', 400, ['application/merge-patch+json', { kind: 'Pod' }]],
    ['a patch of nothing', 404, ['application/merge-patch+json', {}, { current: undefined }]],
    ['an apply without a manager', 422, ['application/apply-patch+yaml', current, { fieldManager: '' }]],
    ['a forced merge', 422, ['application/merge-patch+json', {}, { force: true }]],
    ['an apply of another kind', 400, ['application/apply-patch+yaml', { ...current, kind: 'Pod' }]],
    ['an apply that is not an object', 400, ['application/apply-patch+yaml', '[']],
  ])('answers %s with %d', (_name, code, parameters) => {
    expect(refusal(...parameters).code).toBe(code)
  })
})
