import type { Lease } from '../api/coordination.ts'

/** When we first saw the lease as it is. Times written by others are never compared with our clock. */
export interface Sighting {
  readonly resourceVersion: string
  readonly atMs: number
}

export type LeaseDecision =
  /** Nobody holds it: it does not exist, was released, or its holder has not renewed it for its whole duration. */
  | { readonly kind: 'take'; readonly because: 'absent' | 'released' | 'expired' }
  | { readonly kind: 'renew' }
  | { readonly kind: 'wait'; readonly holder: string; readonly untilMs: number }

export interface LeaseCandidate {
  readonly identity: string
  /** For leases that do not say how long they last. */
  readonly durationMs: number
}

/** Who may write the lease now. Safe under clock skew: a holder is gone when *we* have seen no renewal for long enough. */
export function decideLease(
  lease: Lease | undefined,
  sighting: Sighting | undefined,
  me: LeaseCandidate,
  nowMs: number,
): LeaseDecision {
  if (lease === undefined) return { kind: 'take', because: 'absent' }
  const { holderIdentity = '', leaseDurationSeconds } = lease.spec ?? {}
  if (holderIdentity === '') return { kind: 'take', because: 'released' }
  if (holderIdentity === me.identity) return { kind: 'renew' }
  const durationMs = leaseDurationSeconds === undefined ? me.durationMs : leaseDurationSeconds * 1000
  const untilMs = (sighting?.atMs ?? nowMs) + durationMs
  return untilMs <= nowMs ? { kind: 'take', because: 'expired' } : { kind: 'wait', holder: holderIdentity, untilMs }
}

/** The lease as its new or present holder writes it. */
export function heldLease(lease: Lease, me: LeaseCandidate, decision: LeaseDecision, now: Date): Lease {
  const time = microTime(now)
  const { acquireTime, leaseTransitions = 0 } = lease.spec ?? {}
  const isNew = decision.kind !== 'renew'
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: me.identity,
      leaseDurationSeconds: Math.ceil(me.durationMs / 1000),
      acquireTime: isNew ? time : (acquireTime ?? time),
      renewTime: time,
      leaseTransitions:
        isNew && decision.kind === 'take' && decision.because !== 'absent' ? leaseTransitions + 1 : leaseTransitions,
    },
  }
}

/** Given back: the next candidate need not wait for the expiry. */
export function releasedLease(lease: Lease, now: Date): Lease {
  const time = microTime(now)
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time },
  }
}

/** metav1.MicroTime: six digits after the second, which JavaScript's dates do not have. */
export function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z')
}
