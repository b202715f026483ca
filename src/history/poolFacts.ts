import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolCondition } from '../api/names.ts'
import type { RolloutBlocker, RolloutFragment } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import type { Finding } from '../forecast/finding.ts'
import { type NodeStatusLine, nodeStateOf } from '../forecast/nodeStatusLine.ts'
import type { RenderDecision } from '../render/decideRender.ts'
import { mergeOrder } from '../render/mergeMachineConfigs.ts'
import type { Fragment } from '../render/parseFragment.ts'
import { selectMachineConfigs } from '../render/selectMachineConfigs.ts'
import { layeringToTarget } from '../rollout/layering.ts'
import { maxUnavailableOf } from '../rollout/maxUnavailable.ts'
import { isDoneAt, isReady, needsUpdate } from '../rollout/nodePredicates.ts'
import { decideRolloutPass, type RolloutSources } from '../rollout/observePool.ts'
import { isConditionTrue } from '../rollout/poolConditions.ts'
import { digestOf } from './fragmentRecord.ts'

/** One node of a pool, as far as a rollout is recorded. */
export interface NodeFact {
  readonly name: string
  readonly state: NodeStatusLine['state']
  /** It was told to go to the pool's target. */
  readonly isTargeted: boolean
  /** It has the target, is settled and takes workload. */
  readonly isDone: boolean
}

/** What the history of one pool is made from. */
export interface PoolFacts {
  readonly pool: MachineConfigPool
  /** The rendered config that its nodes are to have; empty before the first one. */
  readonly target: string
  /** Every node has the target, by the rules of the pool's own status. */
  readonly isUpdated: boolean
  /** In merge order. */
  readonly fragments: readonly RolloutFragment[]
  /** `changing`: other fragments than these made the target, and a new one is to come. */
  readonly rendering: 'settled' | 'changing' | 'stuck'
  readonly nodes: readonly NodeFact[]
  readonly unavailable: number
  readonly degraded: number
  readonly maxUnavailable: number
  readonly blockers: readonly RolloutBlocker[]
}

/** Everything that is known of a pool now; undefined while it has no target. */
export function poolFacts(
  snapshot: ClusterSnapshot,
  sources: RolloutSources,
  pool: MachineConfigPool,
  render: Exclude<RenderDecision, { kind: 'inspect' }>,
  parse: (config: MachineConfig) => Fragment,
  findings: readonly Finding[],
  now: Date,
): PoolFacts | undefined {
  const name = pool.metadata.name ?? ''
  const target = pool.spec.configuration?.name ?? ''
  const result = decideRolloutPass(name, sources, now)
  if (target === '' || result.kind !== 'passes') return undefined
  const found = result.passes.find(({ snapshot: { pool: passed } }) => passed.metadata.name === name)
  if (!found?.pass.status) return undefined
  const { nodes, layering } = found.snapshot
  const { status } = found.pass
  const goal = layeringToTarget(layering, target)
  const budget = maxUnavailableOf(pool.spec.maxUnavailable, nodes.length)
  const members = new Set(nodes.map((node) => node.name))
  return {
    pool,
    target,
    isUpdated: isConditionTrue(status.conditions ?? [], poolCondition.updated),
    fragments: fragmentsOf(pool, snapshot, parse),
    rendering: renderingOf(render, target),
    nodes: nodes.map((node) => ({
      name: node.name,
      state: nodeStateOf(node.annotations, pool),
      isTargeted: !needsUpdate(node, goal),
      isDone: isDoneAt(node, goal) && isReady(node),
    })),
    unavailable: status.unavailableMachineCount ?? 0,
    degraded: status.degradedMachineCount ?? 0,
    maxUnavailable: budget.kind === 'value' ? budget.nodes : 0,
    blockers: findings
      .filter((finding) => concerns(finding, name, members))
      .toSorted(causesFirst)
      .map(findingToBlocker),
  }
}

/** In the order in which they are merged. */
function fragmentsOf(
  pool: MachineConfigPool,
  { machineConfigs }: ClusterSnapshot,
  parse: (config: MachineConfig) => Fragment,
): readonly RolloutFragment[] {
  const selection = selectMachineConfigs(pool, machineConfigs)
  if (selection.kind !== 'selected') return []
  const byName = new Map(selection.configs.map((config) => [config.metadata.name ?? '', config] as const))
  return mergeOrder(selection.configs.map(parse)).flatMap(({ name }) => {
    const config = byName.get(name)
    if (!config) return []
    const { generation } = config.metadata
    return { name, digest: digestOf(config), ...(generation !== undefined && { generation }) }
  })
}

function renderingOf(render: Exclude<RenderDecision, { kind: 'inspect' }>, target: string): PoolFacts['rendering'] {
  if (render.kind !== 'rendered') return 'stuck'
  return render.rendered.metadata.name === target ? 'settled' : 'changing'
}

const concerns = ({ subject, severity }: Finding, pool: string, members: ReadonlySet<string>): boolean =>
  severity !== 'info' &&
  ((subject.kind === 'mcp' && subject.name === pool) || (subject.kind === 'node' && members.has(subject.name)))

/** What uses up the budget is said before that it is used up: the first blocker is the rollout's message. */
const causesFirst = (a: Finding, b: Finding): number =>
  Number(a.code === 'CapacityUsedUp') - Number(b.code === 'CapacityUsedUp')

const longest = 4000
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

const findingToBlocker = ({ code, severity, subject, since, what, why, remedy }: Finding): RolloutBlocker => ({
  code,
  severity,
  subject: `${subject.kind}/${subject.name}`,
  ...(since !== undefined && { since }),
  what: cut(what),
  why: cut(why),
  remedy: cut(remedy),
})
