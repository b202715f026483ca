import { apiVersionOf } from '../api/kind.ts'
import {
  MachineConfigNode,
  type MachineConfigNodeSpec,
  type MachineConfigNodeStatus,
} from '../api/machineConfigNode.ts'
import type { Condition, ConditionStatus } from '../api/meta.ts'
import {
  machineConfigNodeCondition as condition,
  machineConfigNodeReason,
  nodeAnnotation,
  notYetSet,
} from '../api/names.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { NodeView } from './nodeView.ts'

/**
 * The rules by which a MachineConfigNode tells the progress of its node. Everyone who reports a phase (the daemon, the
 * drain controller) goes through `reportPhase`, so the object reads the same whoever wrote it last.
 */

export interface PhaseState {
  readonly state: string
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

export interface PhaseReport {
  readonly parent: PhaseState
  /** A step inside the parent phase: Cordoned and Drained inside UpdateExecuted, Uncordoned inside UpdateComplete. */
  readonly child?: PhaseState
  /** Where the machine's disks are not laid out as its config says; absent when the reporter does not know. */
  readonly irreconcilableChanges?: NonNullable<MachineConfigNodeStatus['irreconcilableChanges']>
}

export type MachineConfigNodeWrite =
  | { readonly verb: 'create'; readonly body: MachineConfigNode }
  | { readonly verb: 'applyStatus'; readonly body: MachineConfigNodeStatusApply }

/** The body of a server-side apply of the status, field manager `machine-config-operator`. */
interface MachineConfigNodeStatusApply {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly resourceVersion?: string }
  readonly status: MachineConfigNodeStatus
}

export interface PhaseFacts {
  /** Absent when the node has none yet. */
  readonly stored?: MachineConfigNode
  readonly node: NodeView & { readonly phase?: string }
  /** The node's primary pool, or `not-yet-set`. */
  readonly pool: string
  readonly featureGates: ReadonlySet<string>
}

/** What to write so that the object says `report`; undefined when it already does. */
export function reportPhase(facts: PhaseFacts, report: PhaseReport, now: Date): MachineConfigNodeWrite | undefined {
  const time = `${now.toISOString().slice(0, 19)}Z`
  const { stored, node } = facts
  if (!stored) return isComing(node) ? undefined : { verb: 'create', body: firstObject(facts, report, time) }
  const isSaid = says(stored, report.parent) && knowsChanges(stored, report)
  if (isSaid && !singletons.has(report.parent.state)) return undefined
  const conditions = nextConditions(stored, report, time)
  const status = nextStatus(facts, stored, report, conditions)
  return {
    verb: 'applyStatus',
    body: {
      apiVersion: apiVersionOf(MachineConfigNode),
      kind: MachineConfigNode.kind,
      metadata: { name: node.name },
      status,
    },
  }
}

/** These report a running activity: equal texts at another generation are still news. */
const singletons: ReadonlySet<string> = new Set([
  condition.pinnedImageSetsDegraded,
  condition.pinnedImageSetsProgressing,
])

const isComing = ({ phase }: { readonly phase?: string }): boolean => phase === 'Pending' || phase === 'Provisioning'

const says = ({ status }: MachineConfigNode, parent: PhaseState): boolean =>
  (status?.conditions ?? []).some(
    ({ type, status: value, message }) =>
      type === parent.state && value === parent.status && message === parent.message,
  )

const knowsChanges = ({ status }: MachineConfigNode, { irreconcilableChanges }: PhaseReport): boolean =>
  irreconcilableChanges === undefined || equalValue(irreconcilableChanges, status?.irreconcilableChanges ?? [])

/** Every phase in the order in which an object is created with it. */
function phaseTypes(featureGates: ReadonlySet<string>): readonly string[] {
  const files = featureGates.has('ImageModeStatusReporting')
    ? [condition.appliedFiles, condition.appliedOsImage, condition.imagePulledFromRegistry]
    : [condition.appliedFilesAndOs]
  return [
    condition.updatePrepared,
    condition.updateExecuted,
    condition.updatePostActionComplete,
    condition.updateComplete,
    condition.resumed,
    condition.drained,
    ...files,
    condition.cordoned,
    condition.rebootedNode,
    condition.updated,
    condition.uncordoned,
    condition.nodeDegraded,
    condition.pinnedImageSetsDegraded,
    condition.pinnedImageSetsProgressing,
  ]
}

function firstObject({ node, pool, featureGates }: PhaseFacts, report: PhaseReport, time: string): MachineConfigNode {
  const reported = [report.parent, ...(report.child ? [report.child] : [])].map((state) => toCondition(state, time))
  return {
    apiVersion: apiVersionOf(MachineConfigNode),
    kind: MachineConfigNode.kind,
    metadata: { name: node.name },
    spec: machineConfigNodeSpec(node, pool, featureGates),
    status: {
      conditions: [...reported, ...notYetOccurred(featureGates, reported, time)],
      configVersion: {
        current: node.annotations[nodeAnnotation.currentConfig] ?? '',
        desired: node.annotations[nodeAnnotation.desiredConfig] || notYetSet,
      },
      ...unlessEmpty(report.irreconcilableChanges),
    },
  }
}

const unlessEmpty = (changes: PhaseReport['irreconcilableChanges']): Pick<PhaseReport, 'irreconcilableChanges'> =>
  changes && changes.length > 0 ? { irreconcilableChanges: changes } : {}

/** The conditions of phases that a node has not come to yet. */
function notYetOccurred(
  featureGates: ReadonlySet<string>,
  present: readonly { readonly type: string }[],
  time: string,
): Condition[] {
  return phaseTypes(featureGates)
    .filter((type) => !present.some((other) => other.type === type))
    .map((type) => ({
      type,
      status: 'False',
      reason: machineConfigNodeReason.notYetOccurred,
      message: `This node has not yet entered the ${type} phase`,
      lastTransitionTime: time,
    }))
}

/** The spec as the Node's annotations and its pool give it. */
export function machineConfigNodeSpec(
  node: NodeView,
  pool: string,
  featureGates: ReadonlySet<string>,
): MachineConfigNodeSpec {
  const image = node.annotations[nodeAnnotation.desiredImage]
  return {
    node: { name: node.name },
    pool: { name: pool },
    configVersion: { desired: node.annotations[nodeAnnotation.desiredConfig] || notYetSet },
    ...(image && featureGates.has('ImageModeStatusReporting') && { configImage: { desiredImage: image } }),
  }
}

const toCondition = ({ state, status, reason, message }: PhaseState, time: string): Condition => ({
  type: state,
  status,
  reason,
  message,
  lastTransitionTime: time,
})

function nextConditions(stored: MachineConfigNode, { parent, child }: PhaseReport, time: string): Condition[] {
  const reported = [...(child ? [child] : []), parent].map((state) => toCondition(state, time))
  const present = stored.status?.conditions ?? []
  const isReset = parent.state === condition.updated
  const kept = present.map((old) => {
    const news = reported.find(({ type }) => type === old.type)
    if (news) return news
    return isReset && old.status !== 'False' ? asPast(old, stored, time) : old
  })
  return [...kept, ...reported.filter(({ type }) => !present.some((old) => old.type === type))]
}

/** Once the node is Updated (or needs another update) what it did for the last one is history. */
function asPast(old: Condition, { spec }: MachineConfigNode, time: string): Condition {
  const prefix = `Action during update to ${spec.configImage?.desiredImage ?? spec.configVersion.desired}: `
  // The prefix is put once: an object that is reset twice must not grow.
  const message = old.message.startsWith('Action during update to ') ? old.message : prefix + old.message
  return { ...old, status: 'False', message, lastTransitionTime: time }
}

function nextStatus(
  { node, featureGates }: PhaseFacts,
  stored: MachineConfigNode,
  { parent, irreconcilableChanges = stored.status?.irreconcilableChanges }: PhaseReport,
  conditions: readonly Condition[],
): MachineConfigNodeStatus {
  const currentImage = node.annotations[nodeAnnotation.currentImage]
  const desiredImage = node.annotations[nodeAnnotation.desiredImage]
  const showsImages = featureGates.has('ImageModeStatusReporting') && Boolean(currentImage || desiredImage)
  const { pinnedImageSets, internalReleaseImage } = stored.status ?? {}
  // The daemon has refused the config, or not judged it yet: the status does not claim it.
  const isRefused = parent.state === condition.updatePrepared && parent.status !== 'True'
  return {
    conditions,
    observedGeneration: (stored.metadata.generation ?? 0) + 1,
    configVersion: {
      current: node.annotations[nodeAnnotation.currentConfig] ?? '',
      desired: isRefused ? notYetSet : node.annotations[nodeAnnotation.desiredConfig] || notYetSet,
    },
    ...(showsImages && {
      configImage: { ...(currentImage && { currentImage }), ...(desiredImage && { desiredImage }) },
    }),
    // An apply drops what it does not name: the parts that other reports own are carried along.
    ...(pinnedImageSets && { pinnedImageSets }),
    ...unlessEmpty(irreconcilableChanges),
    ...(internalReleaseImage && { internalReleaseImage }),
  }
}
