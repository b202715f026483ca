import type { Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { budgetVerdict, isPodReady } from '../../drain/budgetVerdict.ts'
import { budgetsOf } from '../../drain/drainBlockers.ts'
import { describePlacement, type Placement, whyNowhere } from '../../drain/whyNowhere.ts'
import type { Evidence, Finding } from '../finding.ts'
import { fieldFact } from './evidence.ts'
import { namesOf } from './namesOf.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** Pods of a draining node that their PodDisruptionBudget keeps there: one finding per budget. */
export function budgetCauses(
  situation: Situation,
  node: NodeSituation,
  pods: readonly Pod[],
): readonly Omit<Finding, 'since'>[] {
  const groups = new Map<PodDisruptionBudget, Pod[]>()
  const several: Omit<Finding, 'since'>[] = []
  for (const pod of pods) {
    const verdict = budgetVerdict(pod, situation.snapshot.budgets)
    if (verdict.kind === 'several') several.push(severalBudgets(node, pod, verdict.budgets))
    if (verdict.kind !== 'exhausted') continue
    const group = groups.get(verdict.budget)
    if (group) group.push(pod)
    else groups.set(verdict.budget, [pod])
  }
  return [...[...groups].map(([budget, blocked]) => exhausted(situation, node, budget, blocked)), ...several]
}

function exhausted(
  { snapshot, hosts }: Situation,
  node: NodeSituation,
  budget: PodDisruptionBudget,
  blocked: readonly Pod[],
): Omit<Finding, 'since'> {
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {}
  const { namespace = '', name = '' } = budget.metadata
  const placement = whyNowhere(blocked[0]?.spec, hosts())
  const healing = snapshot.pods.filter((pod) => !isPodReady(pod) && budgetsOf(pod, [budget]).length > 0)
  const names = namesOf(blocked.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
  const place = `${placement.fits === 0 ? 'no node can take a replacement: ' : ''}${describePlacement(placement)}`
  const command = relaxCommand(budget)
  return {
    code: 'DrainBlockedByBudget',
    severity: 'warning',
    subject: nodeSubject(node),
    what:
      `${blocked.length === 1 ? 'pod' : 'pods'} ${names} cannot be evicted: PodDisruptionBudget ${name} allows ` +
      `${disruptionsAllowed} disruptions (${currentHealthy} healthy, ${desiredHealthy} required); ${place}`,
    why: ruleOf(budget),
    remedy: `${firstRemedy(placement, currentHealthy < desiredHealthy, healing)}. Or let the budget give way for this drain, and restore it afterwards: ${command}`,
    command,
    evidence: [
      ...budgetFacts(budget),
      ...blocked.slice(0, 3).map((pod) => fieldFact(`pod/${namespace}/${pod.metadata.name}`, pod, 'spec.nodeName')),
    ],
  }
}

/** The budget's own rule with its numbers, as its author wrote it. */
function ruleOf({ spec, status }: PodDisruptionBudget): string {
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status ?? {}
  const rule =
    spec?.minAvailable !== undefined
      ? `minAvailable ${spec.minAvailable}`
      : `maxUnavailable ${spec?.maxUnavailable ?? 'is not set'}`
  return `${rule} of ${expectedPods} pods: ${currentHealthy} healthy - ${desiredHealthy} required leaves ${Math.max(0, currentHealthy - desiredHealthy)} to disrupt`
}

function budgetFacts(budget: PodDisruptionBudget): readonly Evidence[] {
  const object = `pdb/${budget.metadata.namespace}/${budget.metadata.name}`
  return ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy'].map((field) =>
    fieldFact(object, budget, `status.${field}`),
  )
}

/** What cures it without weakening the budget. */
function firstRemedy({ fits }: Placement, isShort: boolean, unready: readonly Pod[]): string {
  const ill = unready.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  if (isShort && ill.length > 0) return `Bring pods ${namesOf(ill)} to Ready: the budget counts them as missing`
  if (fits > 0) return 'Give the workload one replica more than the budget requires: there is room for it'
  return 'Give a replacement a place: another node, a toleration, or room on the nodes that are left'
}

/** As little as lets one pod go. */
function relaxCommand({ metadata, spec, status }: PodDisruptionBudget): string {
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status ?? {}
  const enough = Math.max(0, Math.min(currentHealthy, desiredHealthy) - 1)
  const change =
    spec?.minAvailable !== undefined ? { minAvailable: enough } : { maxUnavailable: Math.max(1, expectedPods - enough) }
  return `kubectl -n ${metadata.namespace} patch pdb ${metadata.name} --type=merge -p '${JSON.stringify({ spec: change })}'`
}

function severalBudgets(
  node: NodeSituation,
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
): Omit<Finding, 'since'> {
  const names = budgets.map(({ metadata }) => metadata.name ?? '').sort()
  const namespace = pod.metadata.namespace ?? ''
  return {
    code: 'DrainBlockedBySeveralBudgets',
    severity: 'warning',
    subject: nodeSubject(node),
    what: `pod ${namespace}/${pod.metadata.name} cannot be evicted: ${names.length} PodDisruptionBudgets select it (${names.join(', ')}); leave it one of them`,
    why: 'the API server never evicts a pod of more than one budget, whatever they allow',
    remedy: `narrow the selector of all but one of them, or delete those that say the same; see them with: kubectl -n ${namespace} get pdb ${names.join(' ')} -o yaml`,
    evidence: budgets.map((budget) => fieldFact(`pdb/${namespace}/${budget.metadata.name}`, budget, 'spec.selector')),
  }
}
