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
  const masters = decideMasters(master, arbiter, now)
  const second = afterMasters(arbiter, master, masters.pass)
  return { kind: 'passes', passes: [masters, { snapshot: second, pass: decidePoolPass(second, now) }] }
}

function decideMasters(
  master: PoolSnapshot,
  arbiter: PoolSnapshot,
  now: Date,
): { readonly snapshot: PoolSnapshot; readonly pass: PoolPass } {
  const busyArbiters = arbiter.nodes.filter(isUnavailable).length
  const arbiterBusy = {
    reason: 'ArbiterBusy',
    message: `${busyArbiters} arbiter nodes are unavailable; masters wait for them`,
  } as const
  const snapshot = busyArbiters > 0 ? { ...master, closed: arbiterBusy } : master
  return { snapshot, pass: decidePoolPass(snapshot, now) }
}

/**
 * The arbiter pool's own turn: only its status, except while the master pool is paused and all masters are up; then
 * nobody else would move it. It says of waiting nodes what the masters' turn says: two turns that disagreed would write
 * over each other for ever.
 */
export function decideArbiterPass(arbiter: PoolSnapshot, master: PoolSnapshot | undefined, now: Date): PoolPass {
  const busyMasters = master?.nodes.filter(isUnavailable).length ?? 0
  if (master?.pool.spec.paused && busyMasters === 0) return decidePoolPass(arbiter, now)
  const snapshot = master
    ? afterMasters(arbiter, master, decideMasters(master, arbiter, now).pass)
    : { ...arbiter, closed: mastersBusy(0) }
  const pass = decidePoolPass(snapshot, now)
  const next = pass.plan.move.map((node) => ({ node, ...mastersBusy(0) }))
  const plan = { ...pass.plan, move: [], hold: [...pass.plan.hold, ...next] }
  return { ...pass, plan, machineConfigNodeSpecs: [], nodeWrites: [], events: [] }
}

/** The arbiter as it may move after what the masters' pass has sent. */
function afterMasters(arbiter: PoolSnapshot, master: PoolSnapshot, { plan }: PoolPass): PoolSnapshot {
  const busy = master.nodes.filter(isUnavailable).length + plan.move.length
  return busy > 0 ? { ...arbiter, closed: mastersBusy(busy) } : arbiter
}

const mastersBusy = (count: number) =>
  ({
    reason: 'ControlPlaneBusy',
    message:
      count > 0
        ? `${count} masters are unavailable or moving; the arbiter follows`
        : 'the arbiter moves after the masters',
  }) as const
