import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation, poolCondition } from '../api/names.ts'
import type { PoolRollout } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import { renderOf } from '../forecast/renderOf.ts'
import { rolloutSourcesOf } from '../forecast/rolloutSourcesOf.ts'
import type { RenderDecision, RenderTools } from '../render/decideRender.ts'
import { isConditionTrue } from '../rollout/poolConditions.ts'
import { fragmentChange, isUnchanged } from './fragmentChange.ts'
import { type NodeFact, type PoolFacts, poolFacts } from './poolFacts.ts'

/** How far what the API server holds has come on its way to the nodes of one pool. */
export type Arrival =
  | { readonly kind: 'arrived'; readonly pool: string; readonly target: string; readonly rollout?: string }
  | {
      readonly kind: 'onTheWay'
      readonly pool: string
      /** What comes next: the merge, the nodes, or the records that say that all is done. */
      readonly stage: 'render' | 'nodes' | 'record'
      readonly message: string
      /** Why it will not arrive before a person acts. */
      readonly problems: readonly string[]
    }
  /** There is no such pool any more: nothing is to arrive. */
  | { readonly kind: 'gone'; readonly pool: string }

/**
 * Whether everything that the snapshot's MachineConfigs say has arrived on every node of the pool. It asks the controllers'
 * own decisions: nothing new would be rendered, and every node is done with what was. So a change that was made before
 * the snapshot was read is never taken for arrived while a controller has not looked at it yet, and one that changes nothing
 * is arrived at once. `rollouts` is undefined in a cluster that keeps no history.
 */
export function arrivalOf(
  snapshot: ClusterSnapshot,
  rollouts: readonly PoolRollout[] | undefined,
  name: string,
  tools: RenderTools,
  now: Date,
): Arrival {
  const pool = snapshot.pools.find(({ metadata }) => metadata.name === name)
  if (!pool || pool.metadata.deletionTimestamp) return { kind: 'gone', pool: name }
  const newest = newestOf(rollouts, name)
  const render = renderOf(snapshot, pool, tools, now)
  const unrendered = whyNotRendered(render, pool)
  if (unrendered) return { kind: 'onTheWay', pool: name, stage: 'render', ...unrendered }
  const target = pool.spec.configuration?.name ?? ''
  const facts = poolFacts(snapshot, rolloutSourcesOf(snapshot), pool, render, tools.parse, [], now)
  if (!facts) {
    const message = `the nodes of pool ${name} cannot be told: a nodeSelector cannot be read, or selects every node`
    return { kind: 'onTheWay', pool: name, stage: 'nodes', message, problems: [message] }
  }
  if (!facts.isUpdated) {
    const problems = nodeProblems(facts, snapshot, newest)
    return { kind: 'onTheWay', pool: name, stage: 'nodes', message: nodesMessage(facts.nodes, target), problems }
  }
  const recording = whyNotRecorded(pool) ?? (rollouts && whyNotInHistory(newest, target, facts.fragments))
  if (recording) return { kind: 'onTheWay', pool: name, stage: 'record', message: recording, problems: [] }
  return { kind: 'arrived', pool: name, target, ...(newest?.metadata.name && { rollout: newest.metadata.name }) }
}

function newestOf(rollouts: readonly PoolRollout[] | undefined, pool: string): PoolRollout | undefined {
  const own = (rollouts ?? []).filter(({ spec }) => spec.pool === pool)
  return own.toSorted((a, b) => b.spec.revision - a.spec.revision)[0]
}

interface Unrendered {
  readonly message: string
  readonly problems: readonly string[]
}

function whyNotRendered(
  render: Exclude<RenderDecision, { kind: 'inspect' }>,
  pool: MachineConfigPool,
): Unrendered | undefined {
  switch (render.kind) {
    case 'ignored': {
      const message =
        'the pool selects every MachineConfig, so nothing is rendered for it; give it a machineConfigSelector'
      return { message, problems: [message] }
    }
    case 'waiting':
      return { message: `rendering waits: ${render.reasons.join('; ')}`, problems: [] }
    case 'failed':
      return { message: render.message, problems: [render.message] }
    case 'rendered': {
      const target = render.rendered.metadata.name ?? ''
      const isDue = render.actions.some(({ kind }) => kind !== 'event')
      if (isDue) return { message: `${target} is about to be published`, problems: [] }
      return pool.spec.configuration?.name === target ? undefined : { message: `${target} is to come`, problems: [] }
    }
    default:
      return render satisfies never
  }
}

function nodesMessage(nodes: readonly NodeFact[], target: string): string {
  const open = nodes.filter(({ isDone }) => !isDone)
  const named = open.slice(0, 3).map(({ name, state }) => `${name} ${state}`)
  const more = open.length > 3 ? ` and ${open.length - 3} more` : ''
  const progress = `${nodes.length - open.length} of ${nodes.length} nodes have ${target}`
  return open.length === 0 ? progress : `${progress}; ${named.join(', ')}${more}`
}

/** What holds nodes until somebody acts: a pause, and what the rollout's own record names, or nodes that gave up. */
function nodeProblems(
  { nodes, pool, target }: PoolFacts,
  snapshot: ClusterSnapshot,
  newest: PoolRollout | undefined,
): readonly string[] {
  const waiting = nodes.filter(({ isTargeted }) => !isTargeted).length
  const paused =
    pool.spec.paused === true && waiting > 0
      ? [`the pool is paused and ${waiting} of its nodes wait until spec.paused is false`]
      : []
  const blockers = newest?.spec.to === target ? (newest.status?.blockers ?? []) : []
  if (blockers.length > 0) {
    return [...paused, ...blockers.map(({ what, remedy }) => (remedy ? `${what}; ${remedy}` : what))]
  }
  const given = new Set(
    nodes.filter(({ state }) => state === 'Degraded' || state === 'Unreconcilable').map(({ name }) => name),
  )
  return [
    ...paused,
    ...snapshot.nodes
      .filter(({ metadata }) => given.has(metadata.name ?? ''))
      .map(
        ({ metadata }) => `node ${metadata.name}: ${metadata.annotations?.[nodeAnnotation.reason] || 'is degraded'}`,
      ),
  ]
}

/** The pool's own status must have seen this target: the controller that writes it sends no node anywhere else any more. */
function whyNotRecorded({ metadata, spec, status }: MachineConfigPool): string | undefined {
  const conditions = status?.conditions ?? []
  const isSeen =
    status?.observedGeneration === metadata.generation &&
    status?.configuration?.name === spec.configuration?.name &&
    isConditionTrue(conditions, poolCondition.updated)
  if (isSeen) return undefined
  return `every node has ${spec.configuration?.name}; the pool's status is about to say so`
}

function whyNotInHistory(
  newest: PoolRollout | undefined,
  target: string,
  fragments: NonNullable<PoolRollout['spec']['fragments']>,
): string | undefined {
  const message = `every node has ${target}; the rollout is about to be recorded`
  if (newest?.spec.to !== target || !isUnchanged(fragmentChange(newest.spec.fragments ?? [], fragments))) return message
  return newest.status?.phase === 'Complete' ? undefined : message
}
