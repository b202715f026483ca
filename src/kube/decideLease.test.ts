import { describe, expect, test } from 'vitest'
import type { Lease } from '../api/coordination.ts'
import { decideLease, heldLease, microTime } from './decideLease.ts'

const me = { identity: 'me', durationMs: 137_000 }
const lease = (holderIdentity: string, leaseDurationSeconds?: number): Lease => ({
  metadata: { name: 'l', resourceVersion: '5' },
  spec: { holderIdentity, leaseTransitions: 3, ...(leaseDurationSeconds !== undefined && { leaseDurationSeconds }) },
})
const seenAt = (atMs: number) => ({ resourceVersion: '5', atMs })

describe('decideLease', () => {
  const rows: [string, Lease | undefined, number, number, object][] = [
    ['takes a lease that does not exist', undefined, 0, 0, { kind: 'take', because: 'absent' }],
    ['takes a lease that was given back', lease(''), 0, 0, { kind: 'take', because: 'released' }],
    ['renews its own', lease('me', 137), 0, 500_000, { kind: 'renew' }],
    [
      'waits one millisecond before the holder is gone',
      lease('other', 10),
      1_000,
      10_999,
      { kind: 'wait', holder: 'other', untilMs: 11_000 },
    ],
    [
      'takes over when the holder has been silent for its duration',
      lease('other', 10),
      1_000,
      11_000,
      { kind: 'take', because: 'expired' },
    ],
    [
      'uses its own duration for a lease that names none',
      lease('other'),
      0,
      136_999,
      { kind: 'wait', holder: 'other', untilMs: 137_000 },
    ],
  ]
  test.each(rows)('%s', (_, found, seenMs, nowMs, expected) => {
    expect(decideLease(found, seenAt(seenMs), me, nowMs)).toEqual(expected)
  })

  test('does not believe the renewal time of a holder whose clock is wrong', () => {
    const past: Lease = {
      ...lease('other', 10),
      spec: { ...lease('other', 10).spec, renewTime: '1999-01-01T00:00:00.000000Z' },
    }
    expect(decideLease(past, seenAt(1_000), me, 1_001).kind).toBe('wait')
  })
})

test('heldLease counts a take-over and keeps the time of the first acquisition on renewal', () => {
  const now = new Date('2026-01-01T00:00:01.5Z')
  expect(heldLease(lease('other', 10), me, { kind: 'take', because: 'expired' }, now).spec).toEqual({
    holderIdentity: 'me',
    leaseDurationSeconds: 137,
    acquireTime: '2026-01-01T00:00:01.500000Z',
    renewTime: '2026-01-01T00:00:01.500000Z',
    leaseTransitions: 4,
  })
  const mine: Lease = { metadata: {}, spec: { holderIdentity: 'me', acquireTime: 'then', leaseTransitions: 4 } }
  expect(heldLease(mine, me, { kind: 'renew' }, now).spec).toMatchObject({ acquireTime: 'then', leaseTransitions: 4 })
})

test('microTime has six digits', () => {
  expect(microTime(new Date(0))).toBe('1970-01-01T00:00:00.000000Z')
})
