import { describe, expect, it } from 'vitest'
import { administrator, type Identity } from './apiRequest.ts'
import { type Attributes, authorizer } from './authorize.ts'
import { impersonate } from './impersonate.ts'
import { StatusError } from './statusError.ts'

const joe: Identity = { name: 'joe', groups: ['system:authenticated'] }
const lineOf = (attributes: Attributes): string =>
  attributes.kind === 'path'
    ? attributes.path
    : [
        attributes.verb,
        attributes.group,
        attributes.plural,
        attributes.subresource,
        attributes.namespace,
        attributes.name,
      ].join('|')
const nobody = authorizer(() => ({ allowed: false, reason: '' }))
const allowing = (...lines: readonly string[]) =>
  authorizer((_, attributes) => ({ allowed: lines.includes(lineOf(attributes)), reason: '' }))

function refusal(act: () => unknown): { readonly code: number; readonly message: string } {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('impersonate', () => {
  it('leaves the sender alone when no header asks for it', () => {
    expect(impersonate(joe, { authorization: 'Bearer x' }, nobody)).toBe(joe)
  })

  it.each<[string, Readonly<Record<string, string>>, Identity]>([
    ['a user', { 'impersonate-user': 'jane' }, { name: 'jane', groups: ['system:authenticated'] }],
    [
      'a user with groups',
      { 'impersonate-user': 'jane', 'impersonate-group': 'devs, ops' },
      { name: 'jane', groups: ['devs', 'ops', 'system:authenticated'] },
    ],
    [
      'a service account, with the groups of its tokens',
      { 'impersonate-user': 'system:serviceaccount:default:web' },
      {
        name: 'system:serviceaccount:default:web',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    ],
    [
      'nobody in particular',
      { 'impersonate-user': 'system:anonymous' },
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'a user with uid and extra values',
      { 'impersonate-user': 'jane', 'impersonate-uid': 'u1', 'impersonate-extra-a.example%2fscopes': 'x, y' },
      { name: 'jane', uid: 'u1', groups: ['system:authenticated'], extra: { 'a.example/scopes': ['x', 'y'] } },
    ],
  ])('lets an administrator act as %s, without the rights of an administrator', (_, headers, expected) => {
    expect(impersonate(administrator, headers, nobody)).toEqual(expected)
  })

  it('asks for the right to each name on its own', () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': 'devs',
      'impersonate-uid': 'u1',
      'impersonate-extra-scopes': 'x',
    }
    const rights = [
      'impersonate||users|||jane',
      'impersonate||groups|||devs',
      'impersonate|authentication.k8s.io|uids|||u1',
      'impersonate|authentication.k8s.io|userextras|scopes||x',
    ]
    expect(impersonate(joe, headers, allowing(...rights)).name).toBe('jane')
    for (const missing of rights) {
      const others = rights.filter((right) => right !== missing)
      expect(refusal(() => impersonate(joe, headers, allowing(...others))).code, missing).toBe(403)
    }
  })

  it('asks for a service account in its namespace', () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:default:web' }
    const right = 'impersonate||serviceaccounts||default|web'
    expect(impersonate(joe, headers, allowing(right)).name).toBe(headers['impersonate-user'])
    expect(refusal(() => impersonate(joe, headers, nobody))).toEqual({
      code: 403,
      message:
        'serviceaccounts "web" is forbidden: User "joe" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
    })
  })

  it.each(['impersonate-group', 'impersonate-uid', 'impersonate-extra-scopes'])(
    'refuses %s without a user',
    (header) => {
      expect(refusal(() => impersonate(administrator, { [header]: 'x' }, nobody)).code).toBe(400)
    },
  )
})
