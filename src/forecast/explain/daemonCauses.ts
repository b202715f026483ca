import type { Pod } from '../../api/core.ts'
import { nodeAnnotation, nodeState, operatorNamespace } from '../../api/names.ts'
import { isPodReady } from '../../drain/budgetVerdict.ts'
import { hasGivenUp, isManaged, isWindows } from '../../rollout/nodePredicates.ts'
import { phaseOf } from '../../rollout/silentFailure.ts'
import { fieldOwner } from '../fieldOwner.ts'
import type { Finding } from '../finding.ts'
import { isDraining } from './drainCauses.ts'
import { absent, annotationFact, conditionFact, fieldFact } from './evidence.ts'
import { lastReportMs } from './lastReport.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

const minuteMs = 60_000
/** A daemon that is told to move answers within seconds; a machine that joins starts a pod first. */
const answerLimitMs = 5 * minuteMs
/** Between two phases lie at most a large download or a slow service. */
const phaseLimitMs = 15 * minuteMs

const daemonName = 'machine-config-daemon'

/** Nodes whose daemon does not run, never reported, does not answer, or is at one phase for too long. */
export function daemonCauses(situation: Situation): readonly Finding[] {
  const hasDaemonSet = situation.snapshot.daemonSets.some(isDaemonSet)
  return situation.nodes
    .filter(({ view, pool }) => !isWindows(view) && pool !== undefined)
    .flatMap((node) => {
      const found = hasDaemonSet ? podCause(situation, node) : undefined
      const cause = found ?? neverReported(situation, node) ?? unanswered(situation, node) ?? slow(situation, node)
      return cause ? [cause] : []
    })
}

const isDaemonSet = ({ metadata }: { readonly metadata: { readonly name?: string; readonly namespace?: string } }) =>
  metadata.name === daemonName && metadata.namespace === operatorNamespace

const isDaemonPod = ({ metadata }: Pod): boolean =>
  metadata.namespace === operatorNamespace &&
  (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'DaemonSet' && name === daemonName)

/** Where daemons run as pods, the pod of this node. */
function podCause({ snapshot, now, podsOn }: Situation, node: NodeSituation): Finding | undefined {
  if (snapshot.unreadable.pods !== undefined || now.getTime() - node.view.createdMs < answerLimitMs) return undefined
  const pod = podsOn(node.name).find(isDaemonPod)
  if (pod && (isPodReady(pod) || isYoung(pod, now))) return undefined
  const state = pod && waitingOf(pod)
  return {
    code: 'DaemonNotRunning',
    severity: 'critical',
    subject: nodeSubject(node),
    what: pod
      ? `the daemon of node ${node.name} is not ready: pod ${pod.metadata.name} is ${state}`
      : `node ${node.name} has no pod of DaemonSet ${daemonName}`,
    why: 'without its daemon a node takes no config, and nobody notices changes on its disk',
    remedy: pod
      ? `read why: kubectl -n ${operatorNamespace} describe pod ${pod.metadata.name}`
      : `see what the DaemonSet tolerates and selects: kubectl -n ${operatorNamespace} describe daemonset ${daemonName}`,
    evidence: pod
      ? [conditionFact(`pod/${operatorNamespace}/${pod.metadata.name}`, pod, 'Ready')]
      : [fieldFact(`node/${node.name}`, node.node, 'metadata.name')],
  }
}

const isYoung = ({ metadata }: Pod, now: Date): boolean =>
  now.getTime() - Date.parse(metadata.creationTimestamp ?? '') < answerLimitMs

function waitingOf({ status }: Pod): string {
  const states = (status?.containerStatuses ?? []).map(({ state }) => state?.waiting as { reason?: string } | undefined)
  return states.find((state) => state?.reason !== undefined)?.reason ?? status?.phase ?? 'Unknown'
}

function neverReported({ now }: Situation, node: NodeSituation): Finding | undefined {
  if (isManaged(node.view) || now.getTime() - node.view.createdMs < answerLimitMs) return undefined
  return {
    code: 'DaemonNeverReported',
    severity: 'warning',
    subject: nodeSubject(node),
    since: node.node.metadata.creationTimestamp ?? '',
    what: `no node daemon has reported from node ${node.name} yet, which exists since ${node.node.metadata.creationTimestamp}`,
    why: 'a daemon writes the annotation currentConfig first of all; a node without it counts as unavailable',
    remedy: `start the daemon there, or see why it does not: kubectl -n ${operatorNamespace} get pods -o wide --field-selector spec.nodeName=${node.name}`,
    evidence: [
      annotationFact(`node/${node.name}`, node.node, nodeAnnotation.currentConfig),
      fieldFact(`node/${node.name}`, node.node, 'metadata.creationTimestamp'),
    ],
  }
}

/** Told to move, and not a word since. */
function unanswered(situation: Situation, node: NodeSituation): Finding | undefined {
  const { annotations } = node.view
  const [current, desired] = [annotations[nodeAnnotation.currentConfig], annotations[nodeAnnotation.desiredConfig]]
  const hasAnswered = annotations[nodeAnnotation.state] === nodeState.working || hasGivenUp(node.view)
  if (!isManaged(node.view) || current === desired || hasAnswered || isRebooting(node)) return undefined
  const since = toldAt(situation, node)
  if (since === undefined || situation.now.getTime() - since.getTime() < answerLimitMs) return undefined
  return {
    code: 'DaemonSilent',
    severity: 'critical',
    subject: nodeSubject(node),
    since: since.toISOString(),
    what: `node ${node.name} was told to move to ${desired} at ${since.toISOString()}, and its daemon has not begun`,
    why: `its annotation state still says ${annotations[nodeAnnotation.state] ?? absent}: the daemon does not run, or does not reach the API server`,
    remedy: `on the node: systemctl status ${daemonName}; in the cluster: kubectl -n ${operatorNamespace} get pods -o wide --field-selector spec.nodeName=${node.name}`,
    evidence: [nodeAnnotation.currentConfig, nodeAnnotation.desiredConfig, nodeAnnotation.state].map((key) =>
      annotationFact(`node/${node.name}`, node.node, key),
    ),
  }
}

function toldAt({ movingSince }: Situation, { node, name }: NodeSituation): Date | undefined {
  const remembered = movingSince(name)
  if (remembered) return remembered
  const written = fieldOwner(node, ['metadata', 'annotations', nodeAnnotation.desiredConfig])?.time
  return written === undefined ? undefined : new Date(written)
}

const isRebooting = ({ view }: NodeSituation): boolean =>
  view.annotations[nodeAnnotation.postConfigAction] === nodeState.rebooting

/** At work, but without a new phase for long. Reboots have their own deadline, drains their own reasons. */
function slow(situation: Situation, node: NodeSituation): Finding | undefined {
  const { view } = node
  if (view.annotations[nodeAnnotation.state] !== nodeState.working || isRebooting(node) || isDraining(node))
    return undefined
  const lastMs = lastReportMs(node) ?? toldAt(situation, node)?.getTime()
  if (lastMs === undefined || situation.now.getTime() - lastMs < phaseLimitMs) return undefined
  const phase = phaseOf(node.report)
  const since = new Date(lastMs).toISOString()
  return {
    code: 'NodeSlow',
    severity: 'warning',
    subject: nodeSubject(node),
    since,
    what: `node ${node.name} is at ${phase ? `phase ${phase.type} ("${phase.message}")` : 'work'} since ${since}`,
    why: `no phase should last longer than ${phaseLimitMs / minuteMs} minutes: a service that hangs, a slow registry, or a daemon that died in the middle`,
    remedy: `read what its daemon does: journalctl -u ${daemonName} on the node, or kubectl -n ${operatorNamespace} logs of its pod there`,
    evidence: [
      annotationFact(`node/${node.name}`, node.node, nodeAnnotation.state),
      ...(node.report && phase
        ? [conditionFact(`machineconfignode/${node.name}`, node.report, phase.type, 'lastTransitionTime')]
        : []),
    ],
  }
}
