import { expect, it } from 'vitest'
import type { Node } from '../api/core.ts'
import type { JoinRecord } from './joinRecords.ts'
import { pendingJoins } from './pendingJoins.ts'

const start = new Date('2026-03-01T12:00:00Z')
const minute = (count: number) => new Date(start.getTime() + count * 60_000)
const record = (changes: Partial<JoinRecord> = {}): JoinRecord => ({
  pool: 'worker',
  address: '10.0.0.7',
  config: 'rendered-worker-1',
  firstAt: start,
  lastAt: start,
  requests: 1,
  ...changes,
})
const node = (name: string, address: string, status: 'True' | 'False', since: Date): Node => ({
  metadata: { name, creationTimestamp: since.toISOString() },
  status: {
    addresses: [{ type: 'InternalIP', address }],
    conditions: [{ type: 'Ready', status, lastTransitionTime: since.toISOString() }],
  },
})

it.each<readonly [string, JoinRecord, readonly Node[], string | undefined]>([
  [
    'no Node yet',
    record(),
    [node('other', '10.0.0.9', 'True', minute(1))],
    '10.0.0.7 fetched rendered-worker-1 10 min ago; it is not yet registered as a Node',
  ],
  [
    'several requests',
    record({ requests: 4 }),
    [],
    '10.0.0.7 fetched rendered-worker-1 10 min ago, 4 requests; it is not yet registered as a Node',
  ],
  [
    'a Node that is not Ready',
    record(),
    [node('w', '10.0.0.7', 'False', minute(1))],
    '10.0.0.7 fetched rendered-worker-1 10 min ago; its Node w is not Ready yet',
  ],
  ['a Node that became Ready', record(), [node('w', '10.0.0.7', 'True', minute(2))], undefined],
  [
    'a Node of the token’s name, from elsewhere',
    record({ machine: 'w' }),
    [node('w', '172.16.0.1', 'True', minute(2))],
    undefined,
  ],
  [
    'a Node of the address but another name',
    record({ machine: 'v' }),
    [node('w', '10.0.0.7', 'True', minute(2))],
    'v (10.0.0.7) fetched rendered-worker-1 10 min ago; it is not yet registered as a Node',
  ],
  [
    'a Node that was Ready before',
    record(),
    [node('w', '10.0.0.7', 'True', minute(-30))],
    '10.0.0.7 fetched rendered-worker-1 10 min ago, but Node w with this address was Ready before and stayed so: if nobody reinstalls it, something on it reads configs',
  ],
  [
    'a Node that was seen Ready once',
    record({ readyAt: minute(3), node: 'w' }),
    [node('w', '10.0.0.7', 'False', minute(5))],
    undefined,
  ],
])('pendingJoins: %s', (_what, one, nodes, message) => {
  expect(pendingJoins([one], nodes, minute(10)).map((join) => join.message)).toEqual(
    message === undefined ? [] : [message],
  )
})

it('pendingJoins tells programs the same, newest first', () => {
  const records = [record(), record({ address: '10.0.0.8', firstAt: minute(5), lastAt: minute(6), requests: 2 })]
  expect(pendingJoins(records, [node('w', '10.0.0.7', 'False', minute(1))], minute(10))).toMatchObject([
    {
      pool: 'worker',
      address: '10.0.0.8',
      config: 'rendered-worker-1',
      fetchedAt: '2026-03-01T12:05:00Z',
      requests: 2,
    },
    { pool: 'worker', address: '10.0.0.7', node: 'w' },
  ])
})
