import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aNode } from '../../test/unit/rolloutBuilders.ts'
import { rankNodes } from './nodeOrder.ts'
import { nodeToView } from './nodeView.ts'

const inZone = (name: string, zone: string | undefined, created: string) =>
  nodeToView(aNode(name, { created, labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone } }))

const [old, newer, newest] = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z']

it('rankNodes finishes one zone after the other, the oldest node first, nodes without a zone last', () => {
  const nodes = [
    inZone('z-newer', 'ZZZ', newer),
    inZone('z-newest', 'ZZZ', newest),
    inZone('z-old', 'ZZZ', old),
    inZone('r-newer', 'RRR', newer),
    inZone('r-old', 'RRR', old),
    inZone('none-newer', undefined, newer),
    inZone('none-newest', undefined, newest),
    inZone('none-old', undefined, old),
    inZone('q', 'QQQ', newest),
  ]
  expect(rankNodes(nodes).map(({ name }) => name)).toEqual([
    'q',
    'r-old',
    'r-newer',
    'z-old',
    'z-newer',
    'z-newest',
    'none-old',
    'none-newer',
    'none-newest',
  ])
})

it('rankNodes gives the same order whatever the order of the input', () => {
  const zone = fc.option(fc.constantFrom('a', 'b', 'B'), { nil: undefined })
  const times = fc.constantFrom(old, newer, newest)
  const nodes = fc
    .array(fc.tuple(zone, times), { maxLength: 8 })
    .map((list) => list.map(([zone, created], index) => inZone(`n${index}`, zone, created)))
  fc.assert(
    fc.property(nodes, (list) => {
      expect(rankNodes(list.toReversed())).toEqual(rankNodes(list))
    }),
  )
})
