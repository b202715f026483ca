import { expect, it } from 'vitest'
import type { Served } from '../admission.ts'
import { UnwrittenJoins } from './unwrittenJoins.ts'

const start = new Date('2026-03-01T12:00:00Z')
const minute = (count: number) => new Date(start.getTime() + count * 60_000)
const served = (changes: Partial<Served> = {}): Served => ({
  pool: 'worker',
  config: 'rendered-worker-1',
  version: '3.5.0',
  remoteAddress: '10.0.0.7',
  userAgent: 'Ignition/2.20',
  identity: { kind: 'token', name: 'abcd1234' },
  at: start,
  ...changes,
})
const linesOf = (joins: ReturnType<UnwrittenJoins['take']>): readonly string[] =>
  [...joins.values()].map(
    ({ address, token, config, firstAt, lastAt, requests }) =>
      `${address} ${token} ${config} ${(firstAt.getTime() - start.getTime()) / 60_000}-${(lastAt.getTime() - start.getTime()) / 60_000} ${requests}`,
  )

it('UnwrittenJoins makes one record of a boot, and another of its next boot, token or machine', () => {
  const joins = new UnwrittenJoins(10)
  joins.add(served())
  joins.add(served({ at: minute(2), config: 'rendered-worker-2' }))
  joins.add(served({ at: minute(3), identity: { kind: 'token', name: 'other123' } }))
  joins.add(served({ at: minute(61) }))
  joins.add(served({ at: minute(62), remoteAddress: '10.0.0.8' }))
  expect(linesOf(joins.take())).toEqual([
    '10.0.0.7 other123 rendered-worker-1 3-3 1',
    '10.0.0.7 abcd1234 rendered-worker-2 0-2 2',
    '10.0.0.7 abcd1234 rendered-worker-1 61-61 1',
    '10.0.0.8 abcd1234 rendered-worker-1 62-62 1',
  ])
  expect(joins.take().size).toBe(0)
})

it('UnwrittenJoins goes on with what could not be written, as one boot', () => {
  const joins = new UnwrittenJoins(10)
  joins.add(served())
  const taken = joins.take()
  joins.add(served({ at: minute(1) }))
  joins.putBack(taken)
  joins.add(served({ at: minute(2) }))
  expect(linesOf(joins.take())).toEqual(['10.0.0.7 abcd1234 rendered-worker-1 0-2 3'])
})

it('UnwrittenJoins forgets the oldest machine beyond its limit, however often one of them asks', () => {
  const joins = new UnwrittenJoins(2)
  for (const at of [0, 1, 2, 3]) joins.add(served({ at: minute(at) }))
  joins.add(served({ remoteAddress: '10.0.0.8', at: minute(4) }))
  expect(joins.take().size).toBe(2)
  for (const last of [1, 2, 3]) joins.add(served({ remoteAddress: `10.0.0.${last}` }))
  expect([...joins.take().values()].map(({ address }) => address)).toEqual(['10.0.0.2', '10.0.0.3'])
})
