import type { Node } from '../api/core.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation } from '../api/names.ts'
import { type Fragment, fragmentParser } from '../render/parseFragment.ts'
import type { Held, HoldReason } from '../rollout/decideRollout.ts'
import { judgeImage, layeringToTarget } from '../rollout/layering.ts'
import { isDoneAt } from '../rollout/nodePredicates.ts'
import { decideRolloutPass } from '../rollout/observePool.ts'
import type { RolloutTarget } from '../rollout/rolloutTarget.ts'
import { type BacklogGroup, type BacklogItem, backlogItems } from './backlogItems.ts'
import { type ChangeEffect, changeEffect, unknownEffect } from './changeEffect.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'
import { effectivePolicies } from './effectivePolicies.ts'
import type { FindingSeverity } from './finding.ts'
import { isOverdue, type PauseRecord, pauseOf } from './pauseRecord.ts'
import { rolloutSourcesOf } from './rolloutSourcesOf.ts'
import { runtimeOf } from './runtimePolicies.ts'

/** A node that waits, and what happens to it when it no longer does. */
interface BacklogNode {
  readonly node: string
  /** The config that it runs. */
  readonly from: string
  readonly impact: ChangeEffect['impact']
  readonly actions: readonly string[]
  readonly drain: boolean
  /** Why, when the impact is `refused` or `unknown`. */
  readonly refusal?: string
}

/** What waits behind a pause, or behind anything else that holds a whole pool. */
export interface Backlog {
  readonly pool: string
  /** The rendered config that waits. */
  readonly target: string
  /** What holds the pool, as `mco status` names it, and in a sentence. */
  readonly reason: HoldReason
  readonly message: string
  /** Who paused the pool, since when, why and until when; absent when it is held by something else. */
  readonly pause?: PauseRecord
  readonly severity: FindingSeverity
  /** What makes it more than `info`, most urgent first. */
  readonly warnings: readonly string[]
  readonly items: readonly BacklogItem[]
  readonly nodes: readonly BacklogNode[]
  /** Nodes on their way already: a pause does not stop them. */
  readonly goingOn: readonly string[]
  /** RFC 3339: the first certificate that nodes hold and that ends without what waits. */
  readonly nearestDeadline?: string
}

export interface BacklogOptions {
  /** Reads MachineConfigs; one that remembers spares reading unchanged ones again. */
  readonly parse?: (config: MachineConfig) => Fragment
}

/** Closed for the whole pool: single nodes that wait for their turn are no backlog. */
export const closedReasons: ReadonlySet<HoldReason> = new Set([
  'Paused',
  'ImageNotReady',
  'InvalidMaxUnavailable',
  'ControlPlaneBusy',
  'ArbiterBusy',
])

/** A deadline closer than this is critical. */
const criticalDays = 14

/**
 * Everything that waits behind a held pool; undefined when nothing waits. What is held is the rollout's own decision, what a
 * node would do the daemon's. Never contents of files.
 */
export function backlogOf(
  snapshot: ClusterSnapshot,
  poolName: string,
  now: Date,
  options: BacklogOptions = {},
): Backlog | undefined {
  const result = decideRolloutPass(poolName, rolloutSourcesOf(snapshot), now)
  if (result.kind !== 'passes') return undefined
  const own = result.passes.find(({ snapshot: { pool } }) => pool.metadata.name === poolName)
  const held = (own?.pass.plan.hold ?? []).filter(({ reason }) => closedReasons.has(reason))
  const [first] = held
  if (!own || !first) return undefined
  const { pool, layering, nodes: members } = own.snapshot
  const wanted = layeringToTarget(layering, pool.spec.configuration?.name ?? '')
  // The image that is named while another one is built is not the one that will come.
  const target = judgeImage(layering).kind === 'go' ? wanted : withoutImage(wanted)
  const waiting = effectsOf(snapshot, pool, target, held, options)
  const pause = pauseOf(pool)
  const items = backlogItems({ snapshot, pool, target: waiting.target, groups: waiting.groups, now })
  const deadlines = items.flatMap((item) => item.deadlines.map(({ expires }) => expires)).sort()
  const [nearestDeadline] = deadlines
  const heldNames = new Set(held.map(({ node }) => node))
  const { severity, warnings } = judge(items, pause, nearestDeadline, now)
  return {
    pool: poolName,
    target: target.config,
    reason: first.reason,
    message: first.message,
    ...(pause && { pause }),
    severity,
    warnings,
    items,
    nodes: waiting.nodes,
    goingOn: members.filter((node) => !heldNames.has(node.name) && !isDoneAt(node, wanted)).map(({ name }) => name),
    ...(nearestDeadline !== undefined && { nearestDeadline }),
  }
}

function withoutImage(target: RolloutTarget): RolloutTarget {
  if (target.kind === 'plain') return target
  const { image: _former, ...rest } = target
  return rest
}

interface Effects {
  readonly target: MachineConfig | undefined
  readonly groups: readonly BacklogGroup[]
  readonly nodes: readonly BacklogNode[]
}

function effectsOf(
  snapshot: ClusterSnapshot,
  pool: MachineConfigPool,
  target: RolloutTarget,
  held: readonly Held[],
  { parse = fragmentParser().parse }: BacklogOptions,
): Effects {
  const configs = new Map(snapshot.machineConfigs.map((config) => [config.metadata.name ?? '', config] as const))
  const nodes = new Map(snapshot.nodes.map((node) => [node.metadata.name ?? '', node] as const))
  const wanted = target.kind === 'layered' ? (target.buildConfig ?? target.config) : target.config
  const to = configs.get(wanted)
  const groups = new Map<string, BacklogGroup & { nodes: string[] }>()
  for (const { node: name } of held) {
    const node = nodes.get(name)
    const facts = factsOf(node)
    const key = JSON.stringify(facts)
    const known = groups.get(key)
    if (known) {
      known.nodes.push(name)
      continue
    }
    const from = configs.get(facts.config)
    const policies = effectivePolicies({
      settings: snapshot.machineConfiguration,
      poolName: pool.metadata.name ?? '',
      poolAnnotations: pool.metadata.annotations,
      runtime: facts.runtime,
    })
    const overrides = snapshot.machineConfiguration?.spec.irreconcilableValidationOverrides
    const effect =
      from && to
        ? changeEffect(from, to, { parse, policies, overrides, patches: false })
        : unknownEffect(from ? wanted : facts.config, snapshot)
    const image = target.kind === 'layered' && target.image !== undefined && facts.image !== target.image
    groups.set(key, {
      from,
      fromName: facts.config,
      effect,
      nodes: [name],
      ...(image && { image: { from: facts.image, to: target.image ?? '' } }),
    })
  }
  const all = [...groups.values()]
  return { target: to, groups: all, nodes: all.flatMap(nodesOf).sort((a, b) => (a.node < b.node ? -1 : 1)) }
}

const factsOf = (node: Node | undefined) => ({
  config: node?.metadata.annotations?.[nodeAnnotation.currentConfig] ?? '',
  image: node?.metadata.annotations?.[nodeAnnotation.currentImage] ?? '',
  runtime: runtimeOf(node?.status?.nodeInfo?.containerRuntimeVersion),
})

function nodesOf({ effect, fromName, nodes, image }: BacklogGroup): BacklogNode[] {
  const { impact, actions, drain, refusal } = effect
  const reboots = image !== undefined && impact !== 'refused' && impact !== 'unknown'
  return nodes.map((node) => ({
    node,
    from: fromName,
    impact: reboots ? 'reboot' : impact,
    actions: reboots ? ['Reboot'] : actions,
    drain: drain || reboots,
    ...(refusal !== undefined && { refusal }),
  }))
}

function judge(
  items: readonly BacklogItem[],
  pause: PauseRecord | undefined,
  nearestDeadline: string | undefined,
  now: Date,
): { readonly severity: FindingSeverity; readonly warnings: readonly string[] } {
  const deadlines = items
    .flatMap((item) => item.deadlines)
    .sort((a, b) => (a.expires < b.expires ? -1 : 1))
    .map(
      ({ path, subject, expires }) =>
        `${path}: the nodes' certificate ${subject} ${Date.parse(expires) <= now.getTime() ? 'has expired' : 'expires'} on ${expires.slice(0, 10)}, and its successor waits here`,
    )
  const overdue = pause && isOverdue(pause, now) && !pause.resumesByItself
  const warnings = [
    ...deadlines,
    ...(overdue ? [`the pause was meant to end at ${pause.until}; it does not end by itself`] : []),
    ...(pause?.problem ? [pause.problem] : []),
  ]
  const daysLeft = nearestDeadline === undefined ? Infinity : (Date.parse(nearestDeadline) - now.getTime()) / 86_400_000
  if (daysLeft < criticalDays) return { severity: 'critical', warnings }
  return { severity: warnings.length > 0 ? 'warning' : 'info', warnings }
}
