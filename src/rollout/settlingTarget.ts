import type { PoolPass } from './poolPass.ts'

/** A directory of MachineConfigs is saved one by one: nodes go to the last of its targets, not to the first. */
export const settleMs = 300

/**
 * Until when each pool's target may still be replaced by the next of a burst. What a process finds at its start has
 * settled long ago.
 */
export class SettlingTargets {
  readonly #seen = new Map<string, { readonly target: string; readonly until: number }>()

  /** The end of the pool's settling time, undefined when it is over. */
  look(pool: string, target: string, now: Date): Date | undefined {
    const known = this.#seen.get(pool)
    const until = known === undefined ? 0 : known.target === target ? known.until : now.getTime() + settleMs
    this.#seen.set(pool, { target, until })
    return until > now.getTime() ? new Date(until) : undefined
  }

  forget(pool: string): void {
    this.#seen.delete(pool)
  }
}

/** The pass without what touches nodes: the status tells of the new target at once. */
export function statusOnly(pass: PoolPass): PoolPass {
  return { ...pass, plan: { ...pass.plan, move: [] }, machineConfigNodeSpecs: [], nodeWrites: [], events: [] }
}
