import { describe, expect, it } from 'vitest'
import type { Node } from '../api/core.ts'
import type { Informers } from '../kube/informers.ts'
import type { ChangeHandler } from '../kube/store.ts'
import { followFirstBoots } from './firstBoots.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const node = (address: string, status: 'True' | 'False', since: Date): Node => ({
  metadata: { name: 'worker-7' },
  status: {
    addresses: [
      { type: 'Hostname', address: 'worker-7' },
      { type: 'InternalIP', address },
    ],
    conditions: [{ type: 'Ready', status, lastTransitionTime: since.toISOString() }],
  },
})

function follow(options: { readonly mostPending?: number; readonly giveUpMs?: number } = {}) {
  const handlers: ChangeHandler<Node>[] = []
  // Only what the subject uses of them.
  const informers = {
    subscribe: (_: unknown, one: ChangeHandler<Node>) => void handlers.push(one),
  } as unknown as Informers
  const told: string[] = []
  const boots = followFirstBoots(informers, {
    onStarted: ({ remoteAddress }) => void told.push(`started ${remoteAddress}`),
    onCompleted: (boot, name, seconds) => void told.push(`${boot.pool} ${name} completed after ${seconds}`),
    ...options,
  })
  const fetched = (remoteAddress: string, when: Date) =>
    boots.started({ pool: 'worker', config: 'r', version: '3.5.0', remoteAddress, userAgent: '', at: when })
  const seen = (now: Node) => {
    for (const handler of handlers) handler({ now })
  }
  return { boots, told, fetched, seen }
}

describe('followFirstBoots', () => {
  it('counts a boot from the first fetch to the first readiness', () => {
    const { boots, told, fetched, seen } = follow()
    fetched('192.0.2.7', at(0))
    fetched('192.0.2.7', at(5))
    seen(node('192.0.2.7', 'False', at(30)))
    expect(boots.pending()).toHaveLength(1)
    seen(node('192.0.2.7', 'True', at(42)))
    seen(node('192.0.2.7', 'True', at(42)))
    expect(told).toEqual(['started 192.0.2.7', 'worker worker-7 completed after 42'])
    expect(boots.pending()).toEqual([])
  })

  it('takes no machine that was ready before for a new one', () => {
    const { boots, fetched, seen } = follow()
    fetched('192.0.2.7', at(10))
    seen(node('192.0.2.7', 'True', at(5)))
    expect(boots.pending()).toHaveLength(1)
  })

  it('gives up what takes too long, and the oldest of too many', () => {
    const { boots, fetched } = follow({ mostPending: 2, giveUpMs: 60_000 })
    fetched('192.0.2.1', at(0))
    fetched('192.0.2.2', at(61))
    expect(boots.pending().map(({ remoteAddress }) => remoteAddress)).toEqual(['192.0.2.2'])
    fetched('192.0.2.3', at(62))
    fetched('192.0.2.4', at(63))
    expect(boots.pending().map(({ remoteAddress }) => remoteAddress)).toEqual(['192.0.2.3', '192.0.2.4'])
  })
})
