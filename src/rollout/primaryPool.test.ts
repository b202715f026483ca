import { expect, it } from 'vitest'
import { aPool } from '../../test/unit/rolloutBuilders.ts'
import { ownershipOf } from './primaryPool.ts'

const role = (...names: string[]) => Object.fromEntries(names.map((name) => [`node-role.kubernetes.io/${name}`, '']))

it.each([
  ['none', ['master', 'worker'], role(), []],
  ['master', ['master', 'worker'], role('master'), ['master']],
  ['master before worker', ['master', 'worker'], role('master', 'worker'), ['master']],
  ['a custom pool before worker', ['master', 'worker', 'infra'], role('worker', 'infra'), ['infra', 'worker']],
  ['master before a custom pool', ['master', 'worker', 'infra'], role('master', 'infra'), ['master']],
  ['nobody on Windows', ['worker'], { ...role('worker'), 'kubernetes.io/os': 'windows' }, []],
])('ownershipOf gives a node to %s', (_name, pools, labels, expected) => {
  const ownership = ownershipOf(
    { name: 'n', labels },
    pools.map((name) => aPool(name)),
  )
  expect(ownership.kind === 'owned' ? ownership.pools.map(({ metadata }) => metadata.name) : []).toEqual(expected)
})

it('ownershipOf finds a conflict between two custom pools and names both', () => {
  const pools = ['worker', 'infra', 'gpu'].map((name) => aPool(name))
  expect(ownershipOf({ name: 'n', labels: role('worker', 'infra', 'gpu') }, pools)).toEqual({
    kind: 'conflict',
    message: 'node n belongs to 2 custom roles, cannot proceed with this Node',
    pools,
  })
})

it('ownershipOf marks a control plane node that ignores a custom pool', () => {
  const pools = ['master', 'infra'].map((name) => aPool(name))
  expect(ownershipOf({ name: 'n', labels: role('master', 'infra') }, pools)).toMatchObject({ customIgnored: true })
  expect(ownershipOf({ name: 'n', labels: role('master') }, pools)).toMatchObject({ customIgnored: false })
})

it('ownershipOf gives no nodes to a pool whose selector is absent or empty', () => {
  const pools = [aPool('empty', { selector: {} }), { ...aPool('none'), spec: {} }]
  expect(ownershipOf({ name: 'n', labels: role('worker') }, pools)).toEqual({ kind: 'unmanaged' })
})

it('ownershipOf says what is wrong with a selector', () => {
  const bad = aPool('bad', { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } })
  expect(ownershipOf({ name: 'n', labels: {} }, [bad])).toEqual({
    kind: 'invalid',
    message: 'invalid label selector: "Near" is not a valid label selector operator',
  })
})
