import type { DaemonSet } from '../../api/apps.ts'
import type { Node, Pod, PodSpec, Toleration } from '../../api/core.ts'
import { isSelected, tolerates } from '../../drain/whyNowhere.ts'

/** Taints that never keep a DaemonSet's pods away (Kubernetes documentation, "DaemonSet: taints and tolerations"). */
const always: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]

export interface DaemonPlan {
  /** Nodes that lack their pod. */
  readonly create: readonly string[]
  readonly delete: readonly Pod[]
  /** Nodes that should run one. */
  readonly wanted: readonly string[]
}

/** One pod per node that the template selects and whose taints it tolerates; old templates are replaced in turn. */
export function planDaemonPods(
  set: DaemonSet,
  nodes: readonly Node[],
  active: readonly Pod[],
  { isCurrent, isReady, maxUnavailable }: DaemonRules,
): DaemonPlan {
  const spec = daemonPodSpec(set.spec?.template.spec)
  const byNode = groupByNode(active)
  const wanted = nodes
    .filter((node) => mayRunOn(spec, node, byNode.has(node.metadata.name ?? '')))
    .map(({ metadata }) => metadata.name ?? '')
  const wantedNames = new Set(wanted)
  const surplus = [...byNode].flatMap(([node, pods]) => (wantedNames.has(node) ? pods.slice(1) : pods))
  const kept = [...byNode].flatMap(([node, pods]) => (wantedNames.has(node) ? pods.slice(0, 1) : []))
  const outdated = set.spec?.updateStrategy?.type === 'OnDelete' ? [] : kept.filter((pod) => !isCurrent(pod))
  const down = wanted.length - kept.filter(isReady).length
  // A pod that is down already may be replaced at once; the others within the budget.
  const replaced = outdated
    .filter((pod) => !isReady(pod))
    .concat(outdated.filter(isReady).slice(0, Math.max(0, maxUnavailable - down)))
  return { create: wanted.filter((node) => !byNode.has(node)), delete: [...surplus, ...replaced], wanted }
}

export interface DaemonRules {
  readonly isCurrent: (pod: Pod) => boolean
  readonly isReady: (pod: Pod) => boolean
  readonly maxUnavailable: number
}

/** The pod for one node: bound by the scheduler, because only that node satisfies its affinity. */
export function podSpecFor(node: string, template: PodSpec | undefined): PodSpec {
  const spec = daemonPodSpec(template)
  const field = { key: 'metadata.name', operator: 'In', values: [node] }
  const terms = { nodeSelectorTerms: [{ matchFields: [field] }] }
  return {
    ...spec,
    affinity: { ...spec.affinity, nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  }
}

/** The node that a pod of a DaemonSet is for, also before it is bound. */
export function targetNodeOf({ spec }: Pod): string {
  if (spec?.nodeName) return spec.nodeName
  const affinity = spec?.affinity as TargetAffinity | undefined
  const term = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.[0]
  return term?.matchFields?.[0]?.values?.[0] ?? ''
}

interface TargetAffinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly {
        readonly matchFields?: readonly { readonly values?: readonly string[] }[]
      }[]
    }
  }
}

function daemonPodSpec(template: PodSpec = { containers: [] }): PodSpec {
  return { ...template, tolerations: [...(template.tolerations ?? []), ...always] }
}

/** A taint that only keeps new pods away (NoSchedule) does not end one that runs. */
function mayRunOn(spec: PodSpec, { metadata, spec: nodeSpec }: Node, hasPod: boolean): boolean {
  const strict = (nodeSpec?.taints ?? []).filter(
    ({ effect }) => effect === 'NoExecute' || (effect === 'NoSchedule' && !hasPod),
  )
  const isTolerated = strict.every((taint) => tolerates(spec.tolerations, taint))
  return isTolerated && isSelected(spec, { name: metadata.name ?? '', labels: metadata.labels ?? {} })
}

function groupByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>()
  for (const pod of pods) {
    const group = groups.get(targetNodeOf(pod))
    if (group) group.push(pod)
    else groups.set(targetNodeOf(pod), [pod])
  }
  return groups
}
