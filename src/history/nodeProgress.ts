import type { NodeProgress, PoolRolloutStatus } from '../api/poolRollout.ts'
import type { NodeFact } from './poolFacts.ts'
import { ageSeconds, rfc3339 } from './times.ts'

type Batches = NonNullable<PoolRolloutStatus['batches']>

export interface Progress {
  readonly nodes: readonly NodeProgress[]
  readonly omittedNodes: number
  readonly batches: Batches
}

/** What an object may hold; the schema says the same. */
const maxNodes = 1000
const maxBatches = 100

/**
 * How far each node is, from what was recorded before and what it says now. Nodes that were sent to the target since the
 * last look are one batch. A node that had the target already has neither start nor end.
 */
export function nodeProgress(before: PoolRolloutStatus | undefined, facts: readonly NodeFact[], now: Date): Progress {
  const known = new Map((before?.nodes ?? []).map((node) => [node.name, node] as const))
  const batches = before?.batches ?? []
  const batch = Math.max(0, ...batches.map(({ number }) => number)) + 1
  const nodes = facts.map((fact) => nextProgress(known.get(fact.name), fact, batch, now))
  const started = nodes.filter((node) => node.batch === batch).length
  const sorted = nodes.sort(unfinishedFirst)
  return {
    nodes: sorted.slice(0, maxNodes),
    omittedNodes: Math.max(0, sorted.length - maxNodes),
    batches:
      started === 0
        ? batches
        : [...batches, { number: batch, nodes: started, startedAt: rfc3339(now) }].slice(-maxBatches),
  }
}

function nextProgress(before: NodeProgress | undefined, fact: NodeFact, batch: number, now: Date): NodeProgress {
  const phase = phaseOf(fact)
  const begins = fact.isTargeted && !fact.isDone && before?.startedAt === undefined
  if (before?.phase === phase && before.phaseSince !== undefined && !begins) return before
  const startedAt = begins ? rfc3339(now) : before?.startedAt
  const number = begins ? batch : before?.batch
  const spent = before?.startedAt === undefined ? undefined : ageSeconds(before.phaseSince, now)
  const seconds =
    before === undefined || spent === undefined || before.phase === 'Done'
      ? before?.seconds
      : { ...before.seconds, [before.phase]: (before.seconds?.[before.phase] ?? 0) + spent }
  const finishedAt = phase === 'Done' && startedAt !== undefined ? (before?.finishedAt ?? rfc3339(now)) : undefined
  return {
    name: fact.name,
    phase,
    phaseSince: rfc3339(now),
    ...(number !== undefined && { batch: number }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(seconds && { seconds }),
  }
}

/** A node that was told, and has not begun, is on its way: it counts as updating from then on. */
function phaseOf({ state, isTargeted, isDone }: NodeFact): NodeProgress['phase'] {
  if (isDone) return 'Done'
  if (state === 'Done' || state === 'Waiting') return isTargeted ? 'Updating' : 'Waiting'
  return state
}

const rank: Readonly<Record<NodeProgress['phase'], number>> = {
  Degraded: 0,
  Unreconcilable: 0,
  Draining: 1,
  Updating: 1,
  Rebooting: 1,
  Uncordoning: 1,
  Unmanaged: 2,
  Waiting: 2,
  Done: 3,
}

const unfinishedFirst = (a: NodeProgress, b: NodeProgress): number =>
  rank[a.phase] - rank[b.phase] || (a.name < b.name ? -1 : 1)
