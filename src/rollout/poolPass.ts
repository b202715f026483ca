import type { MachineConfigNode, MachineConfigNodeSpec } from '../api/machineConfigNode.ts'
import type { MachineConfigPool, MachineConfigPoolStatus } from '../api/machineConfigPool.ts'
import { eventReason, nodeAnnotation, poolCondition } from '../api/names.ts'
import { isEmptyLabelSelector } from '../api/selectors.ts'
import { decideRollout, type HoldReason, type RolloutPlan } from './decideRollout.ts'
import { judgeImage, type Layering, layeringToTarget } from './layering.ts'
import { maxUnavailableOf } from './maxUnavailable.ts'
import type { NodeView, Taint } from './nodeView.ts'
import { isConditionTrue } from './poolConditions.ts'
import { type PoolStatusFacts, poolStatus } from './poolStatus.ts'
import { describeTarget, type RolloutTarget } from './rolloutTarget.ts'
import { targetAnnotations, targetSpec } from './targetNode.ts'
import { updateTaint } from './updateTaint.ts'

export interface PoolSnapshot extends PoolStatusFacts {
  /** `Infrastructure.status.controlPlaneTopology`; empty on a cluster without one. */
  readonly topology: string
  readonly operatorNode?: string
  readonly bootPoolLabels: (node: NodeView) => Readonly<Record<string, string>> | undefined
  /** A reason of another pool's making why nothing may move here. */
  readonly closed?: { readonly reason: HoldReason; readonly message: string }
}

export type NodeWrite =
  | { readonly kind: 'metadata'; readonly node: string; readonly body: MetadataPatch }
  /** A list is replaced whole: to be sent with the resourceVersion that it was computed from. */
  | {
      readonly kind: 'taints'
      readonly node: string
      readonly body: { readonly spec: { readonly taints: readonly Taint[] | null } }
    }

interface MetadataPatch {
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string | null>>
    readonly labels?: Readonly<Record<string, string>>
  }
}

export interface PoolEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export interface PoolPass {
  readonly plan: RolloutPlan
  /** MachineConfigNode specs go first, then these in order, then the status. */
  readonly machineConfigNodeSpecs: readonly { readonly name: string; readonly spec: MachineConfigNodeSpec }[]
  readonly nodeWrites: readonly NodeWrite[]
  readonly events: readonly PoolEvent[]
  /** What the new status says that the old one did not. */
  readonly statusEvents: readonly PoolEvent[]
  readonly status?: MachineConfigPoolStatus
  /** A person must act; the rest of the pass is still to be carried out. */
  readonly error?: string
}

/** One look at one pool: everything that has to be written now, as data. */
export function decidePoolPass(snapshot: PoolSnapshot, now: Date): PoolPass {
  const { pool, layering } = snapshot
  if (pool.spec.nodeSelector && isEmptyLabelSelector(pool.spec.nodeSelector)) return selectingAll
  const target = layeringToTarget(layering, pool.spec.configuration?.name ?? '')
  const standstill = whyStandstill(snapshot, target)
  if (standstill) {
    const plan = decideRollout({ target, maxUnavailable: 0 }, snapshot.nodes, { closed: standstill.closed })
    return { ...onlyStatus(snapshot, plan, now), ...(standstill.error && { error: standstill.error }) }
  }
  const budget = maxUnavailableOf(pool.spec.maxUnavailable, snapshot.nodes.length)
  if (budget.kind === 'invalid') {
    const closed = { reason: 'InvalidMaxUnavailable', message: budget.message } as const
    const plan = decideRollout({ target, maxUnavailable: 0 }, snapshot.nodes, { closed })
    return { ...onlyStatus(snapshot, plan, now), error: budget.message }
  }
  return roll(snapshot, target, budget.nodes, now)
}

const selectingAll: PoolPass = {
  plan: { move: [], hold: [] },
  machineConfigNodeSpecs: [],
  nodeWrites: [],
  statusEvents: [],
  events: [
    {
      type: 'Warning',
      reason: eventReason.selectingAll,
      message: 'This machineconfigpool is selecting all nodes. A non-empty selector is required.',
    },
  ],
}

interface Standstill {
  readonly closed: { readonly reason: HoldReason; readonly message: string }
  readonly error?: string
}

/** While one of these holds not even taints change; the nodes that move already go on. */
function whyStandstill({ pool, layering }: PoolSnapshot, target: RolloutTarget): Standstill | undefined {
  if (pool.metadata.deletionTimestamp) return { closed: { reason: 'Paused', message: 'the pool is being deleted' } }
  if (pool.spec.paused) {
    const message = `the pool is paused; ${describeTarget(target)} waits until spec.paused is false`
    return { closed: { reason: 'Paused', message } }
  }
  const image = judgeImage(layering)
  if (image.kind === 'go') return undefined
  const closed = { reason: 'ImageNotReady', message: image.reason } as const
  return image.kind === 'failed' ? { closed, error: image.reason } : { closed }
}

function onlyStatus(snapshot: PoolSnapshot, plan: RolloutPlan, now: Date): PoolPass {
  const status = poolStatus(snapshot, now)
  return {
    plan,
    machineConfigNodeSpecs: [],
    nodeWrites: [],
    events: [],
    statusEvents: statusEvents(snapshot.pool, status, snapshot.layering),
    status,
  }
}

function roll(snapshot: PoolSnapshot, target: RolloutTarget, maxUnavailable: number, now: Date): PoolPass {
  const { pool, nodes, closed, operatorNode } = snapshot
  const bootLabels = new Map(nodes.map((node) => [node.name, snapshot.bootPoolLabels(node)] as const))
  const relabelled = new Set(nodes.map(({ name }) => name).filter((name) => bootLabels.get(name)))
  const lastCompleted = pool.status?.configuration?.name
  const plan = decideRollout({ target, maxUnavailable, ...(lastCompleted && { lastCompleted }) }, nodes, {
    relabelled,
    ...(closed && { closed }),
    ...(operatorNode && { operatorNode }),
  })
  const moving = new Set(plan.move)
  const due = new Set(plan.hold.filter(({ reason }) => reason === 'BootPoolLabels').map(({ node }) => node))
  const status = poolStatus(snapshot, now)
  return {
    plan,
    machineConfigNodeSpecs: specWrites(snapshot, moving, target),
    nodeWrites: [
      ...nodes.flatMap((node) => topologyWrite(node, snapshot.topology)),
      ...nodes.flatMap((node) => taintWrite(node, target)),
      ...nodes.filter(({ name }) => due.has(name)).map((node) => labelWrite(node, bootLabels.get(node.name) ?? {})),
      ...inOrder(plan.move, nodes).flatMap((node) => targetWrite(node, target)),
    ],
    events: targetEvents(plan, target),
    statusEvents: statusEvents(pool, status, snapshot.layering),
    status,
  }
}

function specWrites(
  { machineConfigNodes, featureGates }: PoolSnapshot,
  moving: ReadonlySet<string>,
  target: RolloutTarget,
): PoolPass['machineConfigNodeSpecs'] {
  const isMoving = ({ metadata }: MachineConfigNode) => moving.has(metadata.name ?? '')
  return machineConfigNodes.filter(isMoving).flatMap((machineConfigNode) => {
    const spec = targetSpec(machineConfigNode, target, featureGates)
    return spec ? [{ name: machineConfigNode.metadata.name ?? '', spec }] : []
  })
}

function topologyWrite({ name, annotations }: NodeView, topology: string): NodeWrite[] {
  if (topology === '' || annotations[nodeAnnotation.controlPlaneTopology] === topology) return []
  return [metadataWrite(name, { annotations: { [nodeAnnotation.controlPlaneTopology]: topology } })]
}

function taintWrite(node: NodeView, target: RolloutTarget): NodeWrite[] {
  const taints = updateTaint(node, target)
  if (!taints) return []
  return [{ kind: 'taints', node: node.name, body: { spec: { taints: taints.length > 0 ? taints : null } } }]
}

const labelWrite = ({ name }: NodeView, labels: Readonly<Record<string, string>>): NodeWrite =>
  metadataWrite(name, { annotations: { [nodeAnnotation.customPoolLabelsApplied]: '' }, labels })

function targetWrite(node: NodeView, target: RolloutTarget): NodeWrite[] {
  const annotations = targetAnnotations(node, target)
  return annotations ? [metadataWrite(node.name, { annotations })] : []
}

const metadataWrite = (node: string, metadata: MetadataPatch['metadata']): NodeWrite => ({
  kind: 'metadata',
  node,
  body: { metadata },
})

function inOrder(names: readonly string[], nodes: readonly NodeView[]): readonly NodeView[] {
  const byName = new Map(nodes.map((node) => [node.name, node] as const))
  return names.flatMap((name) => byName.get(name) ?? [])
}

function targetEvents({ move, deferred }: RolloutPlan, target: RolloutTarget): PoolEvent[] {
  const deferral = deferred ? [deferralEvent(deferred)] : []
  const [first] = move
  if (first === undefined) return deferral
  const where = `MachineConfig: ${target.config}`
  const isLayered = target.kind === 'layered'
  const what = isLayered ? `${where} / Image: ${target.image ?? ''}` : where
  const message =
    move.length === 1 ? `Targeted node ${first} to ${what}` : `Set target for ${move.length} nodes to ${what}`
  const reason = isLayered ? eventReason.setDesiredConfigAndOsImage : eventReason.setDesiredConfig
  return [...deferral, { type: 'Normal', reason, message }]
}

const deferralEvent = (node: string): PoolEvent => ({
  type: 'Normal',
  reason: eventReason.deferringOperatorNodeUpdate,
  message: `Deferring update of machine config operator node ${node}`,
})

function statusEvents(pool: MachineConfigPool, status: MachineConfigPoolStatus, layering: Layering): PoolEvent[] {
  const target = describeTarget(layeringToTarget(layering, pool.spec.configuration?.name ?? ''))
  const name = pool.metadata.name ?? ''
  const wasUpdated = isConditionTrue(pool.status?.conditions ?? [], poolCondition.updated)
  const isUpdating = isConditionTrue(status.conditions ?? [], poolCondition.updating)
  const hasCompleted = (status.configuration?.name ?? '') !== (pool.status?.configuration?.name ?? '')
  // A node that joins, or that is no longer what its config says, makes no new target.
  const isNew = layering.kind === 'layered' || pool.spec.configuration?.name !== pool.status?.configuration?.name
  return [
    ...(wasUpdated && isUpdating && isNew
      ? [{ type: 'Normal', reason: eventReason.updating, message: `Pool ${name} now targeting ${target}` } as const]
      : []),
    ...(hasCompleted
      ? [
          {
            type: 'Normal',
            reason: eventReason.completed,
            message: `Pool ${name} has completed update to ${target}`,
          } as const,
        ]
      : []),
  ]
}
