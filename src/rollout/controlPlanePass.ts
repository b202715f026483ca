import { poolName } from '../api/names.ts'
import { isUnavailable } from './nodePredicates.ts'
import { decidePoolPass, type PoolPass, type PoolSnapshot } from './poolPass.ts'

/**
 * Control planes with an arbiter (topology HighlyAvailableArbiter) count as one: masters and arbiter never move at the
 * same time, because either of them going away takes one vote of the quorum.
 */
export const arbiterTopology = 'HighlyAvailableArbiter'

export type ControlPlanePass =
  | {
      readonly kind: 'passes'
      readonly passes: readonly { readonly snapshot: PoolSnapshot; readonly pass: PoolPass }[]
    }
  | { readonly kind: 'error'; readonly message: string }

/** The master pool's turn in that topology: it rolls masters first and then, with what is left, the arbiter. */
export function decideMasterPass(master: PoolSnapshot, arbiter: PoolSnapshot | undefined, now: Date): ControlPlanePass {
  if (!arbiter) {
    const message = `arbiter pool "${poolName.arbiter}" not found in HighlyAvailableArbiterMode; cluster may be misconfigured`
    return { kind: 'error', message }
  }
  const busyArbiters = arbiter.nodes.filter(isUnavailable).length
  const arbiterBusy = {
    reason: 'ArbiterBusy',
    message: `${busyArbiters} arbiter nodes are unavailable; masters wait for them`,
  } as const
  const first = busyArbiters > 0 ? { ...master, closed: arbiterBusy } : master
  const masterPass = decidePoolPass(first, now)
  const busyMasters = master.nodes.filter(isUnavailable).length + masterPass.plan.move.length
  const second = busyMasters > 0 ? { ...arbiter, closed: mastersBusy(busyMasters) } : arbiter
  return {
    kind: 'passes',
    passes: [
      { snapshot: first, pass: masterPass },
      { snapshot: second, pass: decidePoolPass(second, now) },
    ],
  }
}

/**
 * The arbiter pool's own turn: only its status, except while the master pool is paused and all masters are up; then
 * nobody else would move it.
 */
export function decideArbiterPass(arbiter: PoolSnapshot, master: PoolSnapshot | undefined, now: Date): PoolPass {
  const busyMasters = master?.nodes.filter(isUnavailable).length ?? 0
  if (master?.pool.spec.paused && busyMasters === 0) return decidePoolPass(arbiter, now)
  const pass = decidePoolPass({ ...arbiter, closed: mastersBusy(busyMasters) }, now)
  return { ...pass, machineConfigNodeSpecs: [], nodeWrites: [], events: [] }
}

const mastersBusy = (count: number) =>
  ({
    reason: 'ControlPlaneBusy',
    message:
      count > 0
        ? `${count} masters are unavailable or moving; the arbiter follows`
        : 'the arbiter moves after the masters',
  }) as const
