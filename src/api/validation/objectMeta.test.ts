import { describe, expect, test } from 'vitest'
import { formatFieldError } from '../../schema/fieldError.ts'
import { dns1123LabelErrors } from '../../schema/names.ts'
import type { ObjectMeta } from '../meta.ts'
import { validateObjectMeta, validateObjectMetaUpdate } from './objectMeta.ts'

const owner = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: '1' }

describe('validateObjectMeta', () => {
  test.each<[string, ObjectMeta, boolean, readonly RegExp[]]>([
    [
      'valid',
      {
        name: 'a.b',
        labels: { 'x.y/z': 'Q' },
        annotations: { 'x/y': 'any $ text' },
        finalizers: ['a.b/c', 'orphan', 'customresourcecleanup.apiextensions.k8s.io'],
        ownerReferences: [owner],
      },
      false,
      [],
    ],
    ['no name', {}, false, [/^metadata.name: Required value: name or generateName is required$/]],
    ['bad name', { name: 'A' }, false, [/^metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain/]],
    ['generateName with a dash', { name: 'a-x1', generateName: 'a-' }, false, []],
    ['bad generateName', { name: 'a', generateName: 'A-' }, false, [/^metadata.generateName: Invalid value/]],
    [
      'namespace of a cluster kind',
      { name: 'a', namespace: 'b' },
      false,
      [/^metadata.namespace: Forbidden: not allowed on this type$/],
    ],
    ['missing namespace', { name: 'a' }, true, [/^metadata.namespace: Required value$/]],
    ['bad namespace', { name: 'a', namespace: 'b.c' }, true, [/^metadata.namespace: Invalid value: "b.c"/]],
    [
      'bad label',
      { name: 'a', labels: { '-x': '/' } },
      false,
      [/^metadata.labels: Invalid value: "-x": name part/, /^metadata.labels: Invalid value: "\/": a valid label/],
    ],
    ['upper case annotation prefix', { name: 'a', annotations: { 'A.B/c': '' } }, false, []],
    [
      'large annotations',
      { name: 'a', annotations: { x: 'y'.repeat(262144) } },
      false,
      [/^metadata.annotations: Too long: may not be more than 262144 bytes$/],
    ],
    [
      'empty owner',
      { name: 'a', ownerReferences: [{ ...owner, uid: '' }] },
      false,
      [/^metadata.ownerReferences\[0\].uid: Invalid value: "": uid must not be empty$/],
    ],
    [
      'two controllers',
      {
        name: 'a',
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'b', controller: true },
        ],
      },
      false,
      [/Only one reference can have Controller set to true. Found "true" in references for Node\/a and Node\/b$/],
    ],
    [
      'short finalizer',
      { name: 'a', finalizers: ['mine'] },
      false,
      [/^metadata.finalizers\[0\]: Invalid value: "mine": name is neither/],
    ],
  ])('%s', (_case, meta, namespaced, expected) => {
    const errors = validateObjectMeta(meta, { namespaced }).map(formatFieldError)
    expect(errors).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
  })

  test("follows the kind's own rule for names", () => {
    expect(validateObjectMeta({ name: 'a.b' }, { namespaced: false, nameErrors: dns1123LabelErrors })).toHaveLength(1)
  })
})

describe('validateObjectMetaUpdate', () => {
  const old: ObjectMeta = {
    name: 'a',
    uid: '1',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['a/b'],
  }
  const deleting: ObjectMeta = { ...old, deletionTimestamp: '2026-01-02T00:00:00Z' }
  test.each<[string, ObjectMeta, ObjectMeta, readonly string[]]>([
    ['labels change', { ...old, labels: { a: 'b' } }, old, []],
    ['name', { ...old, name: 'b' }, old, ['metadata.name: Invalid value: "b": field is immutable']],
    ['uid', { ...old, uid: '2' }, old, ['metadata.uid: Invalid value: "2": field is immutable']],
    ['generation', { ...old, generation: 1 }, old, ['metadata.generation: Invalid value: 1: must not be decremented']],
    ['finalizer removed while deleting', { ...deleting, finalizers: [] }, deleting, []],
    ['finalizer added', { ...old, finalizers: ['a/b', 'a/c'] }, old, []],
    [
      'finalizer added while deleting',
      { ...deleting, finalizers: ['a/b', 'a/c'] },
      deleting,
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ["a/c"]',
      ],
    ],
  ])('%s', (_case, meta, before, expected) => {
    expect(validateObjectMetaUpdate(meta, before).map(formatFieldError)).toEqual(expected)
  })
})
