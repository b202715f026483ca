import { nodeAnnotation } from '../../api/names.ts'
import { thresholdMs } from '../../drain/attemptSchedule.ts'
import { classifyPod } from '../../drain/classifyPod.ts'
import { drainBlockersAnnotation, drainStartedAnnotation } from '../../drain/drainAnnotations.ts'
import { drainPolicyOf } from '../../drain/drainPolicy.ts'
import { isDrainedByUs } from '../../rollout/nodePredicates.ts'
import type { Finding, FindingSeverity } from '../finding.ts'
import { publishedBlockers } from '../publishedBlockers.ts'
import { budgetCauses } from './budgetCauses.ts'
import { annotationFact, fieldFact } from './evidence.ts'
import { lastReportMs } from './lastReport.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'
import { terminatingCauses } from './terminatingCauses.ts'

/** Why the drain of a node does not end. */
export function drainCauses(situation: Situation): readonly Finding[] {
  return situation.nodes.filter(isDraining).flatMap((node) => drainOf(situation, node))
}

/** A drain was asked for and not granted. */
export const isDraining = ({ view }: NodeSituation): boolean =>
  isDrainedByUs(view) &&
  view.annotations[nodeAnnotation.desiredDrain] !== view.annotations[nodeAnnotation.lastAppliedDrain]

function drainOf(situation: Situation, node: NodeSituation): readonly Finding[] {
  const { snapshot, now } = situation
  const sets = new Set(snapshot.daemonSets.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
  // Where DaemonSets cannot be read every owner is taken to exist: their pods would stay.
  const daemonSetExists = (namespace: string, name: string) =>
    snapshot.unreadable.daemonsets !== undefined || sets.has(`${namespace}/${name}`)
  const { skip } = drainPolicyOf(node.pool?.metadata.annotations)
  const pods = situation.podsOn(node.name).map((pod) => ({ pod, verdict: classifyPod(pod, daemonSetExists, skip) }))
  const evictable = pods.filter(({ verdict }) => verdict.kind === 'evict').map(({ pod }) => pod)
  const ending = pods.filter(({ verdict }) => verdict.kind === 'terminating').map(({ pod }) => pod)
  const found = [
    ...budgetCauses(situation, node, evictable),
    ...refusalCauses(
      node,
      evictable.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ),
    ...terminatingCauses(situation, node, ending),
  ].map((finding) => ({ ...finding, ...drainTimes(node, now) }))
  if (found.length > 0) return found
  const startedMs = startOf(node) ?? lastReportMs(node)
  if (startedMs === undefined || now.getTime() - startedMs < thresholdMs) return []
  return [slowDrain(node, evictable.length + ending.length, startedMs)]
}

function startOf({ view }: NodeSituation): number | undefined {
  const started = Date.parse(view.annotations[drainStartedAnnotation] ?? '')
  return Number.isNaN(started) ? undefined : started
}

/** From the ten minutes on after which the controller calls a drain failing, somebody is waiting for it. */
function drainTimes(node: NodeSituation, now: Date): { since?: string; severity: FindingSeverity } {
  const started = startOf(node)
  if (started === undefined) return { severity: 'warning' }
  const severity = now.getTime() - started >= thresholdMs ? 'critical' : 'warning'
  return { since: node.view.annotations[drainStartedAnnotation] ?? '', severity }
}

/** What the API server answered besides "no budget": only the controller that asked it knows. */
function refusalCauses(node: NodeSituation, pods: readonly string[]): readonly Finding[] {
  return (publishedBlockers(node.view.annotations)?.blockers ?? [])
    .filter(({ reason, namespace, pod }) => reason === 'EvictionFailed' && pods.includes(`${namespace}/${pod}`))
    .filter(({ error }) => error !== undefined && !error.includes('more than one PodDisruptionBudget'))
    .map(({ error = '', message }) => {
      const webhook = /webhook "([^"]+)"/.exec(error)?.[1]
      const command = webhook && 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'
      return {
        code: webhook ? 'EvictionRefusedByWebhook' : 'EvictionRefused',
        severity: 'warning',
        subject: nodeSubject(node),
        what: message,
        why: webhook
          ? `the API server asks the webhook "${webhook}" before every eviction, and the webhook fails or refuses`
          : 'the API server refuses the eviction, and no budget explains it',
        remedy: webhook
          ? `repair the service behind "${webhook}", or take its configuration away for the time of the drain; find it with: ${command}`
          : `put right what the error names, then try by hand: kubectl drain ${node.name} --ignore-daemonsets --delete-emptydir-data --dry-run=server`,
        evidence: [annotationFact(`node/${node.name}`, node.node, drainBlockersAnnotation)],
      } satisfies Finding
    })
}

function slowDrain(node: NodeSituation, left: number, startedMs: number): Finding {
  const since = new Date(startedMs).toISOString()
  const isCordoned = node.view.unschedulable
  return {
    code: isCordoned ? 'DrainSlow' : 'DrainNotStarted',
    severity: 'warning',
    subject: nodeSubject(node),
    since,
    what: isCordoned
      ? `the drain of node ${node.name} goes on since ${since}; ${left} pods are left`
      : `a drain of node ${node.name} was asked for and nobody has cordoned it`,
    why: isCordoned
      ? 'no pod is refused: pods that end slowly, or new ones that tolerate the cordon, keep it from ending'
      : 'the drain controller cordons a node before anything else: it does not run, or cannot write Nodes',
    remedy: isCordoned
      ? `see what is left: kubectl get pods -A -o wide --field-selector spec.nodeName=${node.name}`
      : 'see whether the controllers run: kubectl -n openshift-machine-config-operator get pods,leases',
    evidence: [
      annotationFact(`node/${node.name}`, node.node, nodeAnnotation.desiredDrain),
      annotationFact(`node/${node.name}`, node.node, nodeAnnotation.lastAppliedDrain),
      fieldFact(`node/${node.name}`, node.node, 'spec.unschedulable'),
    ],
  }
}
