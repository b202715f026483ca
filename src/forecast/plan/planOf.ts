import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { machineConfigLabel } from '../../api/names.ts'
import type { PoolRollout } from '../../api/poolRollout.ts'
import type { RenderDecision } from '../../render/decideRender.ts'
import { sourceOf } from '../../render/generate.ts'
import { mergeOrder } from '../../render/mergeMachineConfigs.ts'
import { type Fragment, fragmentParser } from '../../render/parseFragment.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import { poolMembership } from '../../rollout/poolMembership.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { renderOf } from '../renderOf.ts'
import { applyChange, type Change } from './applyChange.ts'
import { effectJudge } from './effectJudge.ts'
import { drainForecaster } from './foreseenDrain.ts'
import { nodeSecondsOf } from './nodeSeconds.ts'
import type { Plan } from './plan.ts'
import { type PoolContext, planPool } from './planPool.ts'
import { simulateRollout } from './simulateRollout.ts'

export interface PlanOptions {
  /** PoolRollouts of the cluster, for the estimate. */
  readonly history?: readonly PoolRollout[]
  /** Show contents of secret files. */
  readonly showSecrets?: boolean
  readonly parse?: (config: MachineConfig) => Fragment
}

/** What a change will do, by the decisions of the controllers themselves. Pure: nothing is written anywhere. */
export function planChange(before: ClusterSnapshot, change: Change, now: Date, options: PlanOptions = {}): Plan {
  const { after, notPlanned } = applyChange(before, change)
  return { ...planOf(before, after, now, options), notPlanned }
}

/** The same for a cluster of which both sides are known; `after` is not rendered yet. */
function planOf(before: ClusterSnapshot, after: ClusterSnapshot, now: Date, options: PlanOptions = {}): Plan {
  const { parse = fragmentParser({ maxRemembered: 10_000 }).parse, history = [], showSecrets = false } = options
  const decisions = after.pools.map((pool) => ({ pool, decision: renderOf(after, pool, { parse }, now) }))
  const target = targeted(after, decisions)
  const membership = poolMembership(target.pools, target.nodes)
  const poolOf = new Map(
    target.pools.flatMap(({ metadata: { name = '' } }) =>
      membership.membersOf(name).map(({ metadata }) => [metadata.name ?? '', name] as const),
    ),
  )
  const judge = effectJudge(target, parse)
  const secondsOf = (node: string, from: string, to: string): number | undefined => {
    const pool = poolOf.get(node) ?? ''
    const { impact } = judge(node, pool, from, to)
    return impact === 'refused' ? undefined : nodeSecondsOf(impact, pool, history).seconds
  }
  // A paused pool is forecast as if it were resumed; its plan says that it is held.
  const forecast = simulateRollout({ ...target, pools: target.pools.map(unpaused) }, now, { secondsOf })
  const context: PoolContext = {
    before,
    target,
    membersBefore: poolMembership(before.pools, before.nodes).membersOf,
    membersOf: membership.membersOf,
    forecast,
    judge,
    foresee: drainForecaster(target),
    history,
    parse,
    showSecrets,
    now,
  }
  const plans = decisions.map(({ pool, decision }) => planPool(pool, decision, context))
  const removed = before.pools
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => !after.pools.some(({ metadata }) => metadata.name === name))
    .map((pool) => ({ ...nothing, pool, outcome: 'removed' as const }))
  return {
    pools: [...plans, ...removed].sort((a, b) => (a.pool < b.pool ? -1 : 1)),
    notPlanned: [],
    unreadable: after.unreadable,
  }
}

const nothing = {
  changes: [],
  effects: [],
  machines: 0,
  batches: [],
  underWay: [],
  silent: [],
  stays: [],
  drains: [],
} as const

type Decision = Exclude<RenderDecision, { kind: 'inspect' }>

/** The cluster after the render controller's turn: pools name their targets, and these exist. */
function targeted(
  after: ClusterSnapshot,
  decisions: readonly { readonly pool: MachineConfigPool; readonly decision: Decision }[],
): ClusterSnapshot {
  const rendered = decisions.flatMap(({ decision }) => (decision.kind === 'rendered' ? [decision.rendered] : []))
  const known = new Set(after.machineConfigs.map(({ metadata }) => metadata.name))
  const pools = decisions.map(({ pool, decision }) => {
    if (decision.kind !== 'rendered') return pool
    const selection = selectMachineConfigs(pool, after.machineConfigs)
    const fragments = selection.kind === 'selected' ? selection.configs : []
    const source = sourceOf(
      mergeOrder(
        fragments.map(({ metadata }) => ({
          name: metadata.name ?? '',
          role: metadata.labels?.[machineConfigLabel.role],
        })),
      ),
    )
    return { ...pool, spec: { ...pool.spec, configuration: { name: decision.rendered.metadata.name ?? '', source } } }
  })
  const fresh = rendered.filter(({ metadata }) => !known.has(metadata.name))
  return { ...after, pools, machineConfigs: [...after.machineConfigs, ...fresh] }
}

const unpaused = (pool: MachineConfigPool): MachineConfigPool =>
  pool.spec.paused ? { ...pool, spec: { ...pool.spec, paused: false } } : pool
