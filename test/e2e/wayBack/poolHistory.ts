import assert from 'node:assert/strict'
import type { PoolRollout } from '../../../src/api/poolRollout.ts'
import { isSettledPhase } from '../../../src/history/rolloutStatus.ts'
import type { Lab } from '../faults/lab.ts'
import { until } from '../harness.ts'

/** The PoolRollouts of one pool, as kubectl shows them. */
export interface PoolHistory {
  /** Oldest first. */
  all(): Promise<readonly PoolRollout[]>
  newest(): Promise<PoolRollout>
  /** Waits for a rollout that was recorded after this one. */
  after(rollout: PoolRollout): Promise<PoolRollout>
  /** Waits until the rollout has come to this end. */
  ends(rollout: PoolRollout, phase: string): Promise<void>
  /** The rules of a history: one number after the other, and nothing but the newest is under way. */
  check(): Promise<readonly PoolRollout[]>
}

export function poolHistory({ json }: Lab, pool: string): PoolHistory {
  const all = async () => {
    const { items } = await json<{ items: readonly PoolRollout[] }>([
      ...['get', 'poolrollouts', '-l', `machineconfig.io/pool=${pool}`],
    ])
    return items.toSorted((a, b) => a.spec.revision - b.spec.revision)
  }
  const newest = async () => {
    const found = (await all()).at(-1)
    assert.ok(found, `pool ${pool} has a rollout`)
    return found
  }
  return {
    all,
    newest,
    async after({ spec }) {
      let found = await newest()
      await until(
        async () => {
          found = await newest()
          return found.spec.revision > spec.revision
        },
        `a rollout after ${pool}-${spec.revision}`,
        15_000,
      )
      return found
    },
    async ends({ spec }, phase) {
      let found: string | undefined
      await until(
        async () => {
          found = (await all()).find(({ spec: { revision } }) => revision === spec.revision)?.status?.phase
          return found === phase
        },
        `poolrollout ${pool}-${spec.revision} to end ${phase}`,
        15_000,
      ).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : String(error)}; it is ${found ?? 'not there'}`)
      })
    },
    async check() {
      const rollouts = await all()
      const revisions = rollouts.map(({ spec }) => spec.revision)
      const first = revisions[0] ?? 0
      assert.deepEqual(
        revisions,
        revisions.map((_, index) => first + index),
        'revisions without gaps and doubles',
      )
      const open = rollouts.filter(({ status }) => !isSettledPhase(status?.phase)).map(({ metadata }) => metadata.name)
      assert.ok(open.length === 0 || (open.length === 1 && open[0] === rollouts.at(-1)?.metadata.name), `open: ${open}`)
      return rollouts
    },
  }
}
