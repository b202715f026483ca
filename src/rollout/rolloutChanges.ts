import type { Node } from '../api/core.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { nodeAnnotation } from '../api/names.ts'
import type { Change } from '../kube/store.ts'
import { sameValue } from './sameValue.ts'

/** Which changes of an object can change a rollout decision: a kubelet's heartbeat must not cost a pass. */

const watchedAnnotations = [
  nodeAnnotation.currentConfig,
  nodeAnnotation.desiredConfig,
  nodeAnnotation.currentImage,
  nodeAnnotation.desiredImage,
  nodeAnnotation.state,
  nodeAnnotation.reason,
] as const

const otherAnnotations = [
  nodeAnnotation.controlPlaneTopology,
  nodeAnnotation.firstPivotConfig,
  nodeAnnotation.customPoolLabelsApplied,
  nodeAnnotation.desiredDrain,
]

export function isRolloutChangeOfNode({ old, now }: Change<Node>): boolean {
  return !old || !now || !sameValue(whatCounts(old), whatCounts(now))
}

function whatCounts({ metadata, spec, status }: Node): unknown {
  const annotations = metadata.annotations ?? {}
  return {
    annotations: [...watchedAnnotations, ...otherAnnotations].map((key) => annotations[key] ?? null),
    labels: metadata.labels,
    taints: spec?.taints,
    unschedulable: spec?.unschedulable ?? false,
    conditions: (status?.conditions ?? []).map(({ type, status: value }) => [type, value]),
  }
}

export function isRolloutChangeOfMachineConfigNode({ old, now }: Change<MachineConfigNode>): boolean {
  const counts = ({ spec, status }: MachineConfigNode) => ({
    spec,
    conditions: (status?.conditions ?? []).map(({ type, status: value, message }) => [type, value, message]),
    configVersion: status?.configVersion,
    configImage: status?.configImage,
    pinnedImageSets: status?.pinnedImageSets,
  })
  return !old || !now || !sameValue(counts(old), counts(now))
}

/** The sentences of the AnnotationChange events that the master pool shows for its nodes. */
export function annotationChanges({ old, now }: Change<Node>): readonly string[] {
  if (!old || !now) return []
  const [before, after] = [old.metadata.annotations ?? {}, now.metadata.annotations ?? {}]
  return watchedAnnotations.flatMap((key) => {
    if (before[key] === after[key]) return []
    const name = now.metadata.name ?? ''
    const value = after[key]
    return [value === undefined ? `Node ${name} no longer has ${key}` : `Node ${name} now has ${key}=${value}`]
  })
}
