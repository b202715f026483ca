import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { nodeAnnotation } from '../../api/names.ts'
import type { PoolRollout } from '../../api/poolRollout.ts'
import type { RenderDecision } from '../../render/decideRender.ts'
import type { Fragment } from '../../render/parseFragment.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import { maxUnavailableOf } from '../../rollout/maxUnavailable.ts'
import type { NodeLike } from '../../rollout/nodeView.ts'
import { decideRolloutPass, type RolloutPass } from '../../rollout/observePool.ts'
import { closedReasons } from '../backlog.ts'
import { type ChangeEffect, changeEffect } from '../changeEffect.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { effectivePolicies } from '../effectivePolicies.ts'
import { pauseOf } from '../pauseRecord.ts'
import { type Provenance, provenanceOf } from '../provenance.ts'
import { rolloutSourcesOf } from '../rolloutSourcesOf.ts'
import type { EffectJudge } from './effectJudge.ts'
import type { ForeseenDrain } from './foreseenDrain.ts'
import { nodeSecondsOf } from './nodeSeconds.ts'
import type { PlannedEffect, PlannedLine, PoolOutcome, PoolPlan } from './plan.ts'
import type { Forecast } from './simulateRollout.ts'

/** What all pools of one plan share. */
export interface PoolContext {
  readonly before: ClusterSnapshot
  /** After the change, with every pool's new target. */
  readonly target: ClusterSnapshot
  readonly membersBefore: (pool: string) => readonly NodeLike[]
  readonly membersOf: (pool: string) => readonly NodeLike[]
  readonly forecast: Forecast
  readonly judge: EffectJudge
  readonly foresee: (node: string, poolAnnotations: Readonly<Record<string, string>> | undefined) => ForeseenDrain
  readonly history: readonly PoolRollout[]
  readonly parse: (config: MachineConfig) => Fragment
  readonly showSecrets: boolean
  readonly now: Date
}

type Decision = Exclude<RenderDecision, { kind: 'inspect' }>

/** One pool's part of a plan. `pool` is the pool after the change, with its former target. */
export function planPool(pool: MachineConfigPool, decision: Decision, context: PoolContext): PoolPlan {
  const { forecast, membersOf, target } = context
  const name = pool.metadata.name ?? ''
  const from = pool.spec.configuration?.name
  const to = decision.kind === 'rendered' ? decision.rendered.metadata.name : from
  const members = membersOf(name)
  const own = new Set(members.map(({ metadata }) => metadata.name ?? ''))
  const ownOf = (names: readonly string[]) => names.filter((node) => own.has(node))
  const batches = forecast.batches
    .filter((batch) => batch.pool === name)
    .map(({ nodes, atSeconds }, index) => ({ number: index + 1, nodes, atSeconds }))
  const pause = pauseOf(pool)
  const budget = maxUnavailableOf(pool.spec.maxUnavailable, members.length)
  const pass = decideRolloutPass(name, rolloutSourcesOf(target), context.now)
  const held = heldBy(name, pass)
  const stays = forecast.holds.get(name) ?? []
  const moving = [...new Set([...batches.flatMap(({ nodes }) => nodes), ...stays.map(({ node }) => node)])]
  const effects = to === undefined ? [] : effectsOf(moving, name, to, context)
  const drained = new Set(effects.flatMap(({ drain, nodes }) => (drain ? nodes : [])))
  const estimate = estimateOf(name, batches, effects, context)
  return {
    pool: name,
    ...(pass.kind === 'error'
      ? { outcome: 'refused' as const, message: pass.message }
      : outcomeOf(pool, decision, context)),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    changes: decision.kind === 'rendered' ? linesOf(pool, decision.rendered, context) : [],
    effects,
    ...(held && { held }),
    ...(pause && { pause }),
    machines: members.length,
    ...(budget.kind === 'value' && { maxUnavailable: budget.nodes }),
    batches,
    underWay: ownOf(forecast.underWay),
    silent: ownOf(forecast.silent),
    stays,
    drains: moving
      .filter((node) => drained.has(node))
      .map((node) => context.foresee(node, pool.metadata.annotations))
      .filter(({ blockers, losses }) => blockers.length + losses.length > 0),
    ...(estimate && { estimate }),
  }
}

function outcomeOf(
  pool: MachineConfigPool,
  decision: Decision,
  { before, membersBefore, membersOf }: PoolContext,
): { readonly outcome: PoolOutcome; readonly message?: string } {
  switch (decision.kind) {
    case 'failed':
      return { outcome: 'refused', message: decision.message }
    case 'waiting':
      return { outcome: 'waits', message: decision.reasons.join('; ') }
    case 'ignored':
      return { outcome: 'ignored', message: 'machineConfigSelector is empty; name the roles that it selects' }
    case 'rendered': {
      const name = pool.metadata.name ?? ''
      const former = before.pools.find(({ metadata }) => metadata.name === name)
      const isSame =
        decision.rendered.metadata.name === former?.spec.configuration?.name &&
        JSON.stringify(settingsOf(pool)) === JSON.stringify(former && settingsOf(former)) &&
        sameNodes(membersBefore(name), membersOf(name))
      return { outcome: isSame ? 'unchanged' : 'changes' }
    }
    default:
      return decision satisfies never
  }
}

/** What of a pool decides how it rolls out, besides its target. */
const settingsOf = ({ metadata, spec: { configuration: _target, ...spec } }: MachineConfigPool): unknown => [
  Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)),
  Object.entries(metadata.annotations ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
]

function sameNodes(a: readonly NodeLike[], b: readonly NodeLike[]): boolean {
  const names = new Set(a.map(({ metadata }) => metadata.name))
  return a.length === b.length && b.every(({ metadata }) => names.has(metadata.name))
}

/** What closes the whole pool at this moment: then nothing of what follows begins by itself. */
function heldBy(name: string, result: RolloutPass): PoolPlan['held'] {
  if (result.kind !== 'passes') return undefined
  const own = result.passes.find(({ snapshot: { pool } }) => pool.metadata.name === name)
  const closed = own?.pass.plan.hold.find(({ reason }) => closedReasons.has(reason))
  // The arbiter waits for masters and goes on by itself.
  if (!closed || closed.reason === 'ControlPlaneBusy' || closed.reason === 'ArbiterBusy') return undefined
  return { reason: closed.reason, message: closed.message }
}

function effectsOf(
  nodes: readonly string[],
  pool: string,
  to: string,
  { judge, target, forecast }: PoolContext,
): readonly PlannedEffect[] {
  const currents = new Map(
    target.nodes.map(({ metadata }) => [
      metadata.name ?? '',
      metadata.annotations?.[nodeAnnotation.currentConfig] ?? '',
    ]),
  )
  const groups = new Map<string, { effect: ChangeEffect; from: string; nodes: string[] }>()
  for (const node of nodes) {
    const from = forecast.startsFrom.get(node) ?? currents.get(node) ?? ''
    const effect = judge(node, pool, from, to)
    const key = JSON.stringify([from, effect.actions, effect.impact])
    const known = groups.get(key)
    if (known) known.nodes.push(node)
    else groups.set(key, { effect, from, nodes: [node] })
  }
  return [...groups.values()].map(({ effect: { changes: _lines, views: _views, ...effect }, from, nodes: own }) => ({
    ...effect,
    from,
    nodes: own,
  }))
}

/** How the merged config differs from the pool's target so far, line by line with the fragments that say so. */
function linesOf(pool: MachineConfigPool, rendered: MachineConfig, context: PoolContext): readonly PlannedLine[] {
  const { before, target, parse, showSecrets } = context
  const former = before.machineConfigs.find(({ metadata }) => metadata.name === pool.spec.configuration?.name)
  if (!former || former.metadata.name === rendered.metadata.name) return []
  // Which actions follow is the nodes' business, whose present configs may differ: only the lines are used.
  const { changes } = changeEffect(former, rendered, {
    parse,
    policies: effectivePolicies({ settings: undefined }),
    showSecrets,
  })
  const now = provenanceIn(pool, target, parse)
  const past = provenanceIn(pool, before, parse)
  const namesOf = (found: Provenance | undefined) => (found?.setBy ?? []).map(({ fragment }) => fragment)
  return changes.map((line) => ({
    ...line,
    setBy: now.get(line.subject)?.setBy ?? [],
    overridden: now.get(line.subject)?.overridden ?? [],
    removedFrom: line.change === 'removed' ? namesOf(past.get(line.subject)) : [],
  }))
}

function provenanceIn(
  pool: MachineConfigPool,
  { machineConfigs }: ClusterSnapshot,
  parse: (config: MachineConfig) => Fragment,
): ReadonlyMap<string, Provenance> {
  const selection = selectMachineConfigs(pool, machineConfigs)
  return provenanceOf(selection.kind === 'selected' ? selection.configs.map(parse) : [])
}

function estimateOf(
  pool: string,
  batches: PoolPlan['batches'],
  effects: readonly PlannedEffect[],
  { forecast, history }: PoolContext,
): PoolPlan['estimate'] {
  const [slowest] = effects
    .filter(({ impact }) => impact !== 'refused')
    .map(({ impact }) => nodeSecondsOf(impact, pool, history))
    .sort((a, b) => b.seconds - a.seconds)
  const end = forecast.seconds.get(pool)
  const [first] = batches
  if (!slowest || end === undefined || !first) return undefined
  return { seconds: end - first.atSeconds, secondsPerNode: slowest.seconds, basis: slowest.basis }
}
