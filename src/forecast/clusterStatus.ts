import type { Node } from '../api/core.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { drainRequest, nodeAnnotation, nodeState, poolCondition } from '../api/names.ts'
import { drainBlockersAnnotation } from '../drain/drainAnnotations.ts'
import type { DrainBlockers } from '../drain/drainBlockers.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { ownershipOf } from '../rollout/primaryPool.ts'
import { type WaitingSummary, waitingNodesAnnotation } from '../rollout/waitingSummary.ts'

/** The cluster at a glance, made only from what the controllers and daemons published: no rule is decided again here. */
export interface ClusterStatus {
  readonly pools: readonly PoolStatusLine[]
  readonly nodes: readonly NodeStatusLine[]
}

export interface PoolStatusLine {
  readonly name: string
  readonly state: 'Updated' | 'Updating' | 'Paused' | 'Degraded' | 'Unknown'
  /** What the whole pool runs, and what it shall run. */
  readonly config: string
  readonly target: string
  readonly machines: number
  readonly updated: number
  readonly ready: number
  readonly unavailable: number
  readonly degraded: number
  /** Everything that a person should read, most important first. */
  readonly messages: readonly string[]
}

export interface NodeStatusLine {
  readonly name: string
  readonly pool: string
  readonly state:
    | 'Done'
    | 'Waiting'
    | 'Draining'
    | 'Updating'
    | 'Rebooting'
    | 'Uncordoning'
    | 'Degraded'
    | 'Unreconcilable'
    | 'Unmanaged'
  readonly ready: boolean
  readonly schedulable: boolean
  readonly config: string
  readonly desired: string
  readonly messages: readonly string[]
}

export interface ClusterObjects {
  readonly pools: readonly MachineConfigPool[]
  readonly nodes: readonly Node[]
  readonly machineConfigNodes: readonly MachineConfigNode[]
}

export function clusterStatus({ pools, nodes, machineConfigNodes }: ClusterObjects): ClusterStatus {
  const byName = new Map(machineConfigNodes.map((object) => [object.metadata.name ?? '', object]))
  const waiting = waitingByNode(pools)
  return {
    pools: pools.map(poolLine).sort(byNameOf),
    nodes: nodes.map((node) => nodeLine(node, pools, byName.get(node.metadata.name ?? ''), waiting)).sort(byNameOf),
  }
}

const byNameOf = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true })

function poolLine(pool: MachineConfigPool): PoolStatusLine {
  const { spec, status } = pool
  return {
    name: pool.metadata.name ?? '',
    state: poolState(pool),
    config: status?.configuration?.name ?? '',
    target: spec.configuration?.name ?? '',
    machines: status?.machineCount ?? 0,
    updated: status?.updatedMachineCount ?? 0,
    ready: status?.readyMachineCount ?? 0,
    unavailable: status?.unavailableMachineCount ?? 0,
    degraded: status?.degradedMachineCount ?? 0,
    messages: poolMessages(pool),
  }
}

function poolState(pool: MachineConfigPool): PoolStatusLine['state'] {
  if (isTrue(pool, poolCondition.degraded)) return 'Degraded'
  if (isTrue(pool, poolCondition.updated)) return 'Updated'
  if (pool.spec.paused === true) return 'Paused'
  return isTrue(pool, poolCondition.updating) ? 'Updating' : 'Unknown'
}

/** The cause of a degradation first, then what a pause holds back, then who waits. */
function poolMessages(pool: MachineConfigPool): string[] {
  const paused = pool.spec.paused === true && !isTrue(pool, poolCondition.updated)
  const summary = waitingSummaryOf(pool)
  return [
    ...(isTrue(pool, poolCondition.degraded) ? [messageOf(pool, poolCondition.degraded)] : []),
    ...(paused ? [messageOf(pool, poolCondition.updating)] : []),
    ...(summary ? [describeWaiting(summary)] : []),
  ].filter((message) => message !== '')
}

function describeWaiting({ waiting, reasons }: WaitingSummary): string {
  const parts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`)
  return `${waiting} node${waiting === 1 ? '' : 's'} waiting: ${parts.join(', ')}`
}

const conditionOf = (pool: MachineConfigPool, type: string) =>
  pool.status?.conditions?.find((condition) => condition.type === type)
const isTrue = (pool: MachineConfigPool, type: string): boolean => conditionOf(pool, type)?.status === 'True'
const messageOf = (pool: MachineConfigPool, type: string): string => conditionOf(pool, type)?.message ?? ''

function waitingByNode(pools: readonly MachineConfigPool[]): ReadonlyMap<string, string> {
  return new Map(
    pools.flatMap((pool) => (waitingSummaryOf(pool)?.nodes ?? []).map(({ node, message }) => [node, message] as const)),
  )
}

const waitingSummaryOf = (pool: MachineConfigPool): WaitingSummary | undefined =>
  readJson<WaitingSummary>(pool.metadata.annotations?.[waitingNodesAnnotation])

/** Annotations can be edited by hand: one that is not JSON is as good as absent here. */
function readJson<T extends object>(text: string | undefined): T | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function nodeLine(
  node: Node,
  pools: readonly MachineConfigPool[],
  machineConfigNode: MachineConfigNode | undefined,
  waiting: ReadonlyMap<string, string>,
): NodeStatusLine {
  const annotations = node.metadata.annotations ?? {}
  const name = node.metadata.name ?? ''
  const ownership = ownershipOf(nodeToView(node), pools)
  const state = stateOf(annotations)
  return {
    name,
    pool: ownership.kind === 'owned' ? (ownership.primary.metadata.name ?? '') : '',
    state,
    ready: node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    schedulable: node.spec?.unschedulable !== true,
    config: annotations[nodeAnnotation.currentConfig] ?? '',
    desired: annotations[nodeAnnotation.desiredConfig] ?? '',
    messages: [
      ...(ownership.kind === 'conflict' || ownership.kind === 'invalid' ? [ownership.message] : []),
      ...blockerMessages(annotations),
      ...(isFailed(state) ? [annotations[nodeAnnotation.reason] ?? ''] : []),
      ...(isBusy(state) ? [progressOf(machineConfigNode)] : []),
      ...(state === 'Waiting' || state === 'Done' ? [waiting.get(name) ?? ''] : []),
    ].filter((message) => message !== ''),
  }
}

function stateOf(annotations: Readonly<Record<string, string>>): NodeStatusLine['state'] {
  const state = annotations[nodeAnnotation.state] ?? ''
  const current = annotations[nodeAnnotation.currentConfig] ?? ''
  const desired = annotations[nodeAnnotation.desiredConfig] ?? ''
  if (current === '') return 'Unmanaged'
  if (state === nodeState.degraded || state === nodeState.unreconcilable) return state
  if (annotations[nodeAnnotation.postConfigAction] === nodeState.rebooting || state === nodeState.rebooting)
    return 'Rebooting'
  const request = annotations[nodeAnnotation.desiredDrain] ?? ''
  if (request !== (annotations[nodeAnnotation.lastAppliedDrain] ?? '')) {
    return request.startsWith(drainRequest.drainPrefix) ? 'Draining' : 'Uncordoning'
  }
  if (state === nodeState.working) return 'Updating'
  return current === desired ? 'Done' : 'Waiting'
}

const isFailed = (state: NodeStatusLine['state']): boolean => state === 'Degraded' || state === 'Unreconcilable'
const isBusy = (state: NodeStatusLine['state']): boolean =>
  state === 'Updating' || state === 'Rebooting' || state === 'Uncordoning'

function blockerMessages(annotations: Readonly<Record<string, string>>): string[] {
  const blockers = readJson<DrainBlockers>(annotations[drainBlockersAnnotation])
  if (!Array.isArray(blockers?.blockers)) return []
  const more = blockers.total - blockers.blockers.length
  return [...blockers.blockers.map(({ message }) => message), ...(more > 0 ? [`and ${more} more pods`] : [])]
}

/** What the daemon reports while it works: the condition that is under way. */
function progressOf(machineConfigNode: MachineConfigNode | undefined): string {
  const running = machineConfigNode?.status?.conditions?.filter(({ status }) => status === 'Unknown') ?? []
  const latest = running.toSorted((a, b) => (a.lastTransitionTime < b.lastTransitionTime ? 1 : -1))[0]
  return latest?.message ?? ''
}
