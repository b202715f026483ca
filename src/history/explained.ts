import type { PoolRollout } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import { explain } from '../forecast/explain/explain.ts'
import type { Finding } from '../forecast/finding.ts'
import { isSettledPhase } from './rolloutStatus.ts'

const validMs = 1_000

/** All pools that are looked at in the same moment share one explanation of the cluster. */
export class Explained {
  #last: { readonly atMs: number; readonly findings: readonly Finding[] } | undefined

  findings(snapshot: ClusterSnapshot, rollouts: readonly PoolRollout[], now: Date): readonly Finding[] {
    const atMs = now.getTime()
    if (this.#last && Math.abs(atMs - this.#last.atMs) < validMs) return this.#last.findings
    const starts = movingSince(rollouts)
    const findings = explain(snapshot, now, { movingSince: (node) => starts.get(node) })
    this.#last = { atMs, findings }
    return findings
  }
}

/** Since when each node that is under way is. */
function movingSince(rollouts: readonly PoolRollout[]): ReadonlyMap<string, Date> {
  const active = rollouts.filter(({ status }) => !isSettledPhase(status?.phase))
  return new Map(
    active.flatMap(({ status }) =>
      (status?.nodes ?? []).flatMap(({ name, startedAt, finishedAt }) =>
        startedAt !== undefined && finishedAt === undefined && !Number.isNaN(Date.parse(startedAt))
          ? [[name, new Date(startedAt)] as const]
          : [],
      ),
    ),
  )
}
