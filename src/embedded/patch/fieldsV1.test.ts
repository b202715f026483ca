import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  difference,
  differenceBelow,
  emptySet,
  equalSets,
  type FieldPath,
  intersection,
  isEmptySet,
  pathsOf,
  setOf,
  union,
} from './fieldSet.ts'
import { fieldsV1ToSet, setToFieldsV1 } from './fieldsV1.ts'
import { keyElement, pathText } from './pathElement.ts'

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:with/slash', 'v:"x"', 'v:1', 'i:0'),
  fc.constantFrom('a', 'b').map((name) => keyElement({ name })),
)
const path: fc.Arbitrary<FieldPath> = fc.array(element, { minLength: 1, maxLength: 4 })
const sets = fc.array(path, { maxLength: 8 }).map(setOf)

describe('setToFieldsV1', () => {
  it('writes the form of the public documentation', () => {
    const set = setOf([
      ['f:metadata', 'f:labels', 'f:test-label'],
      ['f:spec', 'f:containers', keyElement({ name: 'a' })],
      ['f:spec', 'f:containers', keyElement({ name: 'a' }), 'f:image'],
    ])
    expect(setToFieldsV1(set)).toEqual({
      'f:metadata': { 'f:labels': { 'f:test-label': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} } } },
    })
  })

  it('is read back as the same set', () => {
    fc.assert(
      fc.property(sets, (set) => {
        const read = fieldsV1ToSet(setToFieldsV1(set))
        expect(read && equalSets(read, set)).toBe(true)
      }),
    )
  })

  it.each([[null], ['text'], [{ x: {} }], [{ 'f:a': 1 }]])('does not read %j', (fields) => {
    expect(fieldsV1ToSet(fields)).toBeUndefined()
  })
})

describe('field sets', () => {
  it('obey the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        expect(equalSets(union(a, b), union(b, a))).toBe(true)
        expect(equalSets(intersection(a, b), intersection(b, a))).toBe(true)
        expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true)
        expect(isEmptySet(intersection(difference(a, b), b))).toBe(true)
        expect(isEmptySet(difference(a, a))).toBe(true)
        expect(equalSets(union(a, emptySet), a)).toBe(true)
        expect(equalSets(setOf(pathsOf(a)), a)).toBe(true)
      }),
    )
  })

  it('stays the same object where nothing changes, so that it is not written anew', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const both = union(a, b)
        expect(union(both, setOf(pathsOf(a)))).toBe(both)
        const without = difference(a, b)
        expect(difference(without, b)).toBe(without)
        expect(differenceBelow(without, setOf([['f:no', 'f:such']]))).toBe(without)
      }),
    )
  })
})

describe('pathText', () => {
  it.each([
    [['f:spec', 'f:replicas'], '.spec.replicas'],
    [['f:spec', 'f:containers', keyElement({ name: 'x' }), 'f:image'], '.spec.containers[name="x"].image'],
    [['f:ports', keyElement({ protocol: 'TCP', containerPort: 80 })], '.ports[containerPort=80,protocol="TCP"]'],
    [['f:finalizers', 'v:"a/b"'], '.finalizers[="a/b"]'],
    [['f:args', 'i:0'], '.args[0]'],
  ])('prints %j as %s', (path, text) => {
    expect(pathText(path)).toBe(text)
  })
})
