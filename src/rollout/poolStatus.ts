import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type {
  CertExpiry,
  MachineConfigPool,
  MachineConfigPoolConfiguration,
  MachineConfigPoolStatus,
} from '../api/machineConfigPool.ts'
import type { LooseCondition } from '../api/meta.ts'
import { poolCondition } from '../api/names.ts'
import { degradedNodes } from './degradedNodes.ts'
import { imageBuildCondition } from './imageBuildCondition.ts'
import { isBuildUnderWay, type Layering, layeringToTarget } from './layering.ts'
import { countMachineConfigNodes } from './machineConfigNodeCounts.ts'
import { isDoneAt, isReady, isUnavailable } from './nodePredicates.ts'
import type { NodeView } from './nodeView.ts'
import { type ConditionValue, conditionMessage, isConditionTrue, setPoolCondition } from './poolConditions.ts'
import { describeTarget } from './rolloutTarget.ts'
import { updatingSteps } from './updatingCondition.ts'

export interface PoolStatusFacts {
  readonly pool: MachineConfigPool
  /** The nodes whose primary pool this is. */
  readonly nodes: readonly NodeView[]
  readonly layering: Layering
  readonly machineConfigNodes: readonly MachineConfigNode[]
  readonly featureGates: ReadonlySet<string>
  readonly certificates: readonly CertExpiry[]
  /** The OS stream that the pool's rendered config runs; asked only once the pool is updated and healthy. */
  readonly osImageStream: () => string | undefined
}

/**
 * The whole status of a pool, computed from what its nodes say now. Conditions that others own are carried over. A
 * healthy second pass over the same facts returns the same status.
 */
export function poolStatus(facts: PoolStatusFacts, now: Date): MachineConfigPoolStatus {
  const { pool, nodes } = facts
  const counts = countNodes(facts)
  const allUpdated =
    counts.updated === nodes.length &&
    counts.ready === nodes.length &&
    counts.unavailable === 0 &&
    !isBuildUnderWay(facts.layering)
  const conditions = nextConditions(facts, counts, allUpdated, now)
  const isDegraded = isConditionTrue(conditions, poolCondition.degraded)
  const stream = allUpdated && !isDegraded && facts.featureGates.has('OSStreams') ? facts.osImageStream() : undefined
  return {
    ...(pool.metadata.generation && { observedGeneration: pool.metadata.generation }),
    configuration: allUpdated ? (pool.spec.configuration ?? {}) : withoutEmptyName(pool.status?.configuration ?? {}),
    machineCount: nodes.length,
    updatedMachineCount: counts.updated,
    readyMachineCount: counts.ready,
    unavailableMachineCount: counts.unavailable,
    degradedMachineCount: counts.degraded,
    conditions,
    certExpirys: facts.certificates,
    poolSynchronizersStatus: [
      {
        poolSynchronizerType: 'PinnedImageSets',
        machineCount: nodes.length,
        updatedMachineCount: counts.pinned,
        readyMachineCount: counts.ready,
        availableMachineCount: nodes.length - counts.unavailable,
        unavailableMachineCount: counts.unavailable,
      },
    ],
    ...(stream && { osImageStream: { name: stream } }),
  }
}

interface Counts {
  readonly updated: number
  readonly ready: number
  readonly unavailable: number
  readonly degraded: number
  readonly degradedMessages: readonly string[]
  readonly pinned: number
}

function countNodes(facts: PoolStatusFacts): Counts {
  const { pool, nodes, machineConfigNodes } = facts
  const target = layeringToTarget(facts.layering, pool.spec.configuration?.name ?? '')
  const members = new Set(nodes.map(({ name }) => name))
  const reported = countMachineConfigNodes(machineConfigNodes, members, target)
  const countByObject = facts.featureGates.has('ImageModeStatusReporting')
  const done = nodes.filter((node) => isDoneAt(node, target))
  const degraded = degradedNodes(nodes, machineConfigNodes, countByObject ? reported.degraded : undefined)
  return {
    updated: countByObject ? reported.updated.size : done.length,
    ready: done.filter(isReady).length,
    unavailable: nodes.filter(isUnavailable).length,
    degraded: degraded.count,
    degradedMessages: degraded.messages,
    pinned: reported.pinned.size,
  }
}

function nextConditions(
  { pool, layering }: PoolStatusFacts,
  counts: Counts,
  allUpdated: boolean,
  now: Date,
): readonly LooseCondition[] {
  const before = pool.status?.conditions ?? []
  const target = layeringToTarget(layering, pool.spec.configuration?.name ?? '')
  const updated: ConditionValue = allUpdated
    ? { type: poolCondition.updated, status: 'True', message: `All nodes are updated with ${describeTarget(target)}` }
    : { type: poolCondition.updated, status: 'False' }
  const updating = updatingSteps({
    target,
    layering,
    paused: pool.spec.paused ?? false,
    allUpdated,
    wasDegraded: [poolCondition.renderDegraded, poolCondition.nodeDegraded, poolCondition.pinnedImageSetsDegraded].some(
      (type) => isConditionTrue(before, type),
    ),
  })
  const imageBuild = imageBuildCondition(layering, before)
  const steps = [updated, ...settledSteps(before, updating), nodeDegraded(counts), ...(imageBuild ? [imageBuild] : [])]
  const time = `${now.toISOString().slice(0, 19)}Z`
  const conditions = steps.reduce((list, step) => setPoolCondition(list, step, time), before)
  return setPoolCondition(conditions, degraded(conditions), time)
}

/** A pool that already shows the last step keeps it: going through the steps again would move its transition time. */
function settledSteps(before: readonly LooseCondition[], steps: readonly ConditionValue[]): readonly ConditionValue[] {
  const last = steps.at(-1)
  const shown = before.find(({ type }) => type === last?.type)
  const isShown = last && shown?.status === last.status && shown.message === last.message && shown.reason === ''
  return isShown ? [last] : steps
}

function nodeDegraded({ degraded: count, degradedMessages }: Counts): ConditionValue {
  if (count === 0) return { type: poolCondition.nodeDegraded, status: 'False' }
  return {
    type: poolCondition.nodeDegraded,
    status: 'True',
    reason: `${count} nodes are reporting degraded status on sync`,
    message: degradedMessages.join(', '),
  }
}

/** Every cause is named: a pool that says Degraded also says why. */
function degraded(conditions: readonly LooseCondition[]): ConditionValue {
  const causes = [poolCondition.nodeDegraded, poolCondition.renderDegraded, poolCondition.imageBuildDegraded].filter(
    (type) => isConditionTrue(conditions, type),
  )
  if (causes.length === 0) return { type: poolCondition.degraded, status: 'False' }
  const message = causes.map((type) =>
    type === poolCondition.imageBuildDegraded ? 'Custom OS image build failed' : conditionMessage(conditions, type),
  )
  return { type: poolCondition.degraded, status: 'True', message: message.filter((text) => text !== '').join('; ') }
}

/** A configuration that was never set is written as an empty object. */
function withoutEmptyName(configuration: MachineConfigPoolConfiguration): MachineConfigPoolConfiguration {
  const { name, ...rest } = configuration
  return name ? configuration : rest
}
