import { describe, expect, it } from 'vitest'
import { aNode, aPool } from '../../test/unit/rolloutBuilders.ts'
import { nodeToView } from './nodeView.ts'
import { PendingWrites } from './pendingWrites.ts'
import { MembershipMemory, poolMembership } from './poolMembership.ts'
import { waitingSummary } from './waitingSummary.ts'

const role = (...names: string[]) => Object.fromEntries(names.map((name) => [`node-role.kubernetes.io/${name}`, '']))
const names = (nodes: readonly { metadata: { name?: string } }[]) => nodes.map(({ metadata }) => metadata.name)

describe('poolMembership', () => {
  it('lists a node under its primary pool only, and nodes of two custom pools nowhere', () => {
    const pools = ['worker', 'infra', 'gpu'].map((name) => aPool(name))
    const nodes = [
      aNode('plain', { labels: role('worker') }),
      aNode('infra', { labels: role('worker', 'infra') }),
      aNode('both', { labels: role('infra', 'gpu') }),
    ]
    const { membersOf, conflicts } = poolMembership(pools, nodes)
    expect([names(membersOf('worker')), names(membersOf('infra')), names(membersOf('gpu'))]).toEqual([
      ['plain'],
      ['infra'],
      [],
    ])
    expect([...conflicts.keys()]).toEqual(['both'])
  })

  it('judges again when a selector changes, and not when a status does', () => {
    const memory = new MembershipMemory()
    const node = aNode('n', { labels: role('worker', 'infra') })
    expect(names(poolMembership([aPool('worker')], [node], memory).membersOf('worker'))).toEqual(['n'])
    const pools = [aPool('worker'), aPool('infra')]
    expect(names(poolMembership(pools, [node], memory).membersOf('infra'))).toEqual(['n'])
    const later = [aPool('worker', { status: { machineCount: 1 } }), aPool('infra')]
    expect(names(poolMembership(later, [node], memory).membersOf('infra'))).toEqual(['n'])
  })

  it('knows nobody when a selector cannot be read', () => {
    const bad = aPool('bad', { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } })
    const membership = poolMembership([bad, aPool('worker')], [aNode('n')])
    expect([membership.membersOf('worker'), membership.invalid]).toEqual([[], expect.stringContaining('"Near"')])
  })
})

it('nodeToView builds the view of an object once', () => {
  const node = aNode('n')
  expect(nodeToView(node)).toBe(nodeToView(node))
})

describe('PendingWrites', () => {
  const version = (resourceVersion: string, uid = 'u') => ({ metadata: { name: 'n', uid, resourceVersion } })
  it.each([
    ['the write, while the cache is older', version('9'), version('10'), '10'],
    ['the cache, once it has the write', version('10'), version('10'), '10'],
    ['the cache, once it is newer', version('11'), version('10'), '11'],
    ['the cache, for another object of the same name', version('9', 'other'), version('10'), '9'],
    ['the cache, when versions are not numbers', version('a'), version('b'), 'a'],
  ])('newest is %s', (_name, cached, written, expected) => {
    const pending = new PendingWrites()
    pending.record(written)
    expect(pending.newest(cached).metadata.resourceVersion).toBe(expected)
  })

  it('forgets a node that is gone', () => {
    const pending = new PendingWrites()
    pending.record(version('10'))
    pending.forget('n')
    expect(pending.newest(version('9')).metadata.resourceVersion).toBe('9')
  })
})

it('waitingSummary counts all that wait by reason and shows the first ten', () => {
  const hold = Array.from({ length: 12 }, (_, index) => ({
    node: `n${String(index).padStart(2, '0')}`,
    reason: index < 11 ? ('AtCapacity' as const) : ('Cordoned' as const),
    message: 'm',
  }))
  const summary = JSON.parse(waitingSummary('v1', hold.toReversed()) ?? '')
  expect(summary).toMatchObject({ target: 'v1', waiting: 12, reasons: { AtCapacity: 11, Cordoned: 1 } })
  expect(summary.nodes.map(({ node }: { node: string }) => node)).toEqual(hold.slice(0, 10).map(({ node }) => node))
  expect(waitingSummary('v1', [])).toBeUndefined()
})
