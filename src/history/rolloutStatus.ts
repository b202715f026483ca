import type { Condition } from '../api/meta.ts'
import type { PoolRollout, PoolRolloutStatus } from '../api/poolRollout.ts'
import { estimateRest } from './estimate.ts'
import { nodeProgress } from './nodeProgress.ts'
import type { PoolFacts } from './poolFacts.ts'
import { rfc3339 } from './times.ts'

type Phase = NonNullable<PoolRolloutStatus['phase']>

/** Nothing happens to it any more: what it says is history. */
export const isSettledPhase = (phase: Phase | undefined): boolean =>
  phase === 'Complete' || phase === 'Superseded' || phase === 'Reverted'

const maxBlockers = 50

/** The status of a pool's newest rollout, from what its nodes say now. */
export function activeStatus(
  rollout: PoolRollout,
  facts: PoolFacts,
  earlier: readonly PoolRollout[],
  now: Date,
): PoolRolloutStatus {
  const before = rollout.status
  const progress = nodeProgress(before, facts.nodes, now)
  const done = facts.nodes.filter(({ isDone }) => isDone).length
  const waiting = facts.nodes.filter(({ isTargeted }) => !isTargeted).length
  const phase = phaseOf(facts, waiting)
  const starts = progress.nodes.flatMap(({ startedAt }) => startedAt ?? []).sort()
  const startedAt = before?.startedAt ?? starts[0]
  const estimate =
    phase === 'Waiting' || phase === 'Progressing'
      ? estimateRest(progress.nodes, facts.nodes.length - done, facts.maxUnavailable, earlier)
      : undefined
  const settled = phase === 'Complete'
  const blockers = settled ? [] : facts.blockers.slice(0, maxBlockers)
  return {
    phase,
    ...(rollout.metadata.generation !== undefined && { observedGeneration: rollout.metadata.generation }),
    ...(startedAt !== undefined && { startedAt }),
    ...(settled && { completedAt: before?.completedAt ?? rfc3339(now) }),
    updated: `${done}/${facts.nodes.length}`,
    counts: {
      machines: facts.nodes.length,
      updated: done,
      unavailable: facts.unavailable,
      degraded: facts.degraded,
      waiting,
    },
    nodes: progress.nodes,
    ...(progress.omittedNodes > 0 && { omittedNodes: progress.omittedNodes }),
    ...(progress.batches.length > 0 && { batches: progress.batches }),
    ...(blockers.length > 0 && { blockers }),
    ...(estimate && { estimate }),
    conditions: conditionsOf(rollout, phase, activeMessage(phase, facts, done), facts.blockers[0]?.code, now),
  }
}

/** The status of a rollout that is not the newest any more: it keeps what was recorded of its nodes. */
export function closedStatus(rollout: PoolRollout, next: PoolRollout, now: Date): PoolRolloutStatus {
  const { status, spec, metadata } = rollout
  const phase = next.spec.to === spec.from && next.spec.to !== spec.to ? 'Reverted' : 'Superseded'
  const by = `poolrollout/${next.metadata.name} (${next.spec.to})`
  const message =
    phase === 'Reverted'
      ? `taken back before every node had it, by ${by}`
      : `replaced before every node had it, by ${by}`
  const { blockers: _blockers, estimate: _estimate, ...rest } = status ?? {}
  return {
    ...rest,
    phase,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    conditions: conditionsOf(rollout, phase, message, undefined, now),
  }
}

/** Of one that was complete and whose status somebody has changed: what can still be said. */
export function completeStatus(rollout: PoolRollout, now: Date): PoolRolloutStatus {
  const { blockers: _blockers, estimate: _estimate, ...rest } = rollout.status ?? {}
  const message = `every node had ${rollout.spec.to}`
  return { ...rest, phase: 'Complete', conditions: conditionsOf(rollout, 'Complete', message, undefined, now) }
}

function phaseOf({ isUpdated, pool, blockers, nodes }: PoolFacts, waiting: number): Phase {
  if (isUpdated) return 'Complete'
  if (pool.spec.paused === true && waiting > 0) return 'Paused'
  if (blockers.length > 0) return 'Blocked'
  return nodes.some(({ isTargeted, isDone }) => isTargeted && !isDone) ? 'Progressing' : 'Waiting'
}

function activeMessage(phase: Phase, { target, nodes, blockers }: PoolFacts, done: number): string {
  const progress = `${done} of ${nodes.length} nodes have ${target}`
  switch (phase) {
    case 'Complete':
      return `every node has ${target}`
    case 'Paused':
      return `${progress}; the pool is paused, the others wait until spec.paused is false`
    case 'Blocked':
      return `${progress}; ${blockers[0]?.what ?? 'something stands in the way'}`
    case 'Waiting':
    case 'Progressing':
    case 'Superseded':
    case 'Reverted':
      return progress
    default:
      return phase satisfies never
  }
}

function conditionsOf(
  { metadata, status }: PoolRollout,
  phase: Phase,
  message: string,
  blocker: string | undefined,
  now: Date,
): readonly Condition[] {
  const is = (...phases: readonly Phase[]) => (phases.includes(phase) ? 'True' : 'False')
  const states = [
    { type: 'Settled', status: is('Complete', 'Superseded', 'Reverted'), reason: phase },
    { type: 'Complete', status: is('Complete'), reason: phase },
    { type: 'Progressing', status: is('Progressing'), reason: phase },
    { type: 'Blocked', status: is('Blocked'), reason: phase === 'Blocked' ? (blocker ?? phase) : phase },
  ] as const
  return states.map((state) => {
    const before = status?.conditions?.find(({ type }) => type === state.type)
    const isSame = before?.status === state.status && !Number.isNaN(Date.parse(before.lastTransitionTime))
    return {
      ...state,
      message,
      lastTransitionTime: isSame ? before.lastTransitionTime : rfc3339(now),
      ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    }
  })
}
