import { apiVersionOf } from '../api/kind.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { ObjectMeta } from '../api/meta.ts'
import { PoolRollout, type PoolRolloutStatus, rolloutPoolLabel } from '../api/poolRollout.ts'
import { historyLimit } from '../render/historyLimit.ts'
import { sameValue } from '../rollout/sameValue.ts'
import { fragmentChange, isUnchanged } from './fragmentChange.ts'
import type { PoolFacts } from './poolFacts.ts'
import { activeStatus, closedStatus, completeStatus, isSettledPhase } from './rolloutStatus.ts'

/** On a PoolRollout, for each fragment that it brought: `change.machineconfig.io/NAME: "GENERATION"`. */
const changeLabelPrefix = 'change.machineconfig.io/'

export interface HistoryPlan {
  /** With its first status, to be written after it. */
  readonly create?: PoolRollout
  /** Statuses that say something else than they should. */
  readonly statuses: readonly { readonly rollout: PoolRollout; readonly status: PoolRolloutStatus }[]
  /** Labels and owners that somebody has changed. */
  readonly repairs: readonly { readonly rollout: PoolRollout; readonly metadata: RepairedMetadata }[]
  readonly remove: readonly { readonly rollout: PoolRollout; readonly because: string }[]
}

type RepairedMetadata = Required<Pick<ObjectMeta, 'labels' | 'ownerReferences'>>

/**
 * What the history of one pool has to become: one rollout per target, the newest alone is in progress, and the oldest go.
 * Made from what the objects say, so it comes to the same result after a restart, an edit or a deletion.
 */
export function decidePoolRollouts(facts: PoolFacts, existing: readonly PoolRollout[], now: Date): HistoryPlan {
  const own = existing.filter(({ spec }) => spec.pool === facts.pool.metadata.name)
  const strays = own.filter((rollout) => !isOurs(rollout))
  const known = own.filter(isOurs).sort((a, b) => b.spec.revision - a.spec.revision)
  const create = nextRollout(facts, known[0], now)
  const all = create ? [create, ...known] : known
  const kept = all.slice(0, historyLimit(facts.pool))
  return {
    ...(create && { create: { ...create, status: activeStatus(create, facts, kept.slice(1), now) } }),
    statuses: kept.flatMap((rollout, index) => {
      if (rollout === create) return []
      const status = statusOf(rollout, kept[index - 1], facts, kept.slice(index + 1), now)
      return sameValue(status, rollout.status) ? [] : [{ rollout, status }]
    }),
    repairs: kept.flatMap((rollout) => {
      const metadata = rollout === create ? undefined : repaired(rollout, facts.pool)
      return metadata ? [{ rollout, metadata }] : []
    }),
    remove: [
      ...all.slice(kept.length).map((rollout) => ({ rollout, because: `the newest ${kept.length} are kept` })),
      ...strays.map((rollout) => ({ rollout, because: 'its name is not POOL-REVISION' })),
    ],
  }
}

const isOurs = ({ metadata, spec }: PoolRollout): boolean =>
  Number.isSafeInteger(spec.revision + 1) && metadata.name === `${spec.pool}-${spec.revision}`

/**
 * A new target is a new revision, and so are other fragments that make the same target: what a person changed has then
 * arrived, and can be waited for. While another target is about to come nothing is recorded of the present one.
 */
function nextRollout(facts: PoolFacts, newest: PoolRollout | undefined, now: Date): PoolRollout | undefined {
  if (facts.rendering === 'changing') return undefined
  const change = fragmentChange(newest?.spec.fragments ?? [], facts.fragments)
  const isSame = newest?.spec.to === facts.target
  // Fragments that do not merge are no new state of the pool.
  if (isSame && (facts.rendering === 'stuck' || isUnchanged(change))) return undefined
  const { name = '' } = facts.pool.metadata
  const revision = (newest?.spec.revision ?? 0) + 1
  const from = newest?.spec.to ?? (facts.pool.status?.configuration?.name || undefined)
  const changed = [...change.added, ...change.modified]
  return {
    apiVersion: apiVersionOf(PoolRollout),
    kind: PoolRollout.kind,
    metadata: {
      name: `${name}-${revision}`,
      labels: { [rolloutPoolLabel]: name, ...Object.fromEntries(changed.flatMap(changeLabel)) },
      ownerReferences: ownersOf(facts.pool),
      creationTimestamp: now.toISOString(),
    },
    spec: {
      pool: name,
      revision,
      ...(from !== undefined && { from }),
      to: facts.target,
      fragments: facts.fragments,
      // Without a revision before it there is nothing to compare with.
      ...(newest && { change }),
    },
  }
}

/** Names longer than a label's key may be, and fragments without a generation, have no label. */
function changeLabel({ name, generation }: { readonly name: string; readonly generation?: number }) {
  return name.length <= 63 && generation !== undefined
    ? [[`${changeLabelPrefix}${name}`, String(generation)] as const]
    : []
}

function ownersOf({ metadata }: MachineConfigPool) {
  const { name = '', uid = '' } = metadata
  return [{ apiVersion: apiVersionOf(MachineConfigPool), kind: MachineConfigPool.kind, name, uid, controller: true }]
}

function statusOf(
  rollout: PoolRollout,
  next: PoolRollout | undefined,
  facts: PoolFacts,
  earlier: readonly PoolRollout[],
  now: Date,
): PoolRolloutStatus {
  const { phase, completedAt } = rollout.status ?? {}
  if (next) {
    // When it was completed stays recorded, so a phase that was edited is known for what it was.
    if (completedAt !== undefined) return phase === 'Complete' ? (rollout.status ?? {}) : completeStatus(rollout, now)
    return isSettledPhase(phase) && phase !== 'Complete' ? (rollout.status ?? {}) : closedStatus(rollout, next, now)
  }
  // Another target is about to come; the nodes are judged by the one that this rollout is about.
  if (rollout.spec.to !== facts.target) return rollout.status ?? {}
  // A node that is lost or joins later makes the pool unavailable, not the rollout unfinished.
  const wasCompleted = completedAt !== undefined && facts.pool.status?.configuration?.name === rollout.spec.to
  if (phase === 'Complete' && wasCompleted) return rollout.status ?? {}
  return activeStatus(rollout, facts, earlier, now)
}

function repaired({ metadata }: PoolRollout, pool: MachineConfigPool): RepairedMetadata | undefined {
  const ownerReferences = ownersOf(pool)
  const { name = '' } = pool.metadata
  const owner = metadata.ownerReferences?.find(({ uid }) => uid === pool.metadata.uid)
  if (metadata.labels?.[rolloutPoolLabel] === name && owner) return undefined
  return { labels: { ...metadata.labels, [rolloutPoolLabel]: name }, ownerReferences }
}
