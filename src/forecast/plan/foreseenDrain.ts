import type { Node, Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { budgetVerdict } from '../../drain/budgetVerdict.ts'
import { classifyPod } from '../../drain/classifyPod.ts'
import { type Blocker, budgetsOf, refusedPod, terminatingPod } from '../../drain/drainBlockers.ts'
import { type DrainPolicy, drainPolicyOf } from '../../drain/drainPolicy.ts'
import { hostViews } from '../../drain/hostViews.ts'
import { describePlacement, type HostView, type Placement, whyNowhere } from '../../drain/whyNowhere.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'

/** What the drain of one node will meet, as far as it can be seen today. */
export interface ForeseenDrain {
  readonly node: string
  /** Pods that keep the node from being drained. */
  readonly blockers: readonly Blocker[]
  /** Pods that go and leave something behind: no controller, local data, no place for a replacement. */
  readonly losses: readonly PodLoss[]
}

interface PodLoss {
  readonly namespace: string
  readonly pod: string
  readonly reason: 'Bare' | 'LocalData' | 'Nowhere'
  readonly message: string
}

/** The drain controller's own questions, asked in advance about any node of the snapshot. */
export function drainForecaster(
  snapshot: ClusterSnapshot,
): (node: string, poolAnnotations: Readonly<Record<string, string>> | undefined) => ForeseenDrain {
  const byNode = new Map<string, Pod[]>()
  for (const pod of snapshot.pods) {
    const node = pod.spec?.nodeName ?? ''
    const known = byNode.get(node)
    if (known) known.push(pod)
    else byNode.set(node, [pod])
  }
  const daemonSets = new Set(snapshot.daemonSets.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
  const place = placer(snapshot.nodes, (node) => byNode.get(node) ?? [])
  // Where DaemonSets cannot be read, a pod of one is taken to have it still.
  const exists = (namespace: string, name: string): boolean =>
    snapshot.unreadable.daemonsets !== undefined || daemonSets.has(`${namespace}/${name}`)
  const budgetsFor = budgetFinder(snapshot.budgets)
  return (node, annotations) => {
    const policy = drainPolicyOf(annotations)
    const found = (byNode.get(node) ?? []).map((pod) => judgePod(pod, budgetsFor(pod), policy, exists, place))
    return {
      node,
      blockers: found.flatMap(({ blocker }) => blocker ?? []),
      losses: found.flatMap(({ losses }) => losses),
    }
  }
}

/** Pods with the same labels have the same budgets: selectors are matched once for all of them. */
function budgetFinder(budgets: readonly PodDisruptionBudget[]): (pod: Pod) => readonly PodDisruptionBudget[] {
  const remembered = new Map<string, readonly PodDisruptionBudget[]>()
  return (pod) => {
    const key = JSON.stringify([pod.metadata.namespace, pod.metadata.labels])
    const known = remembered.get(key)
    if (known) return known
    const found = budgetsOf(pod, budgets)
    remembered.set(key, found)
    return found
  }
}

interface Judged {
  readonly blocker?: Blocker
  readonly losses: readonly PodLoss[]
}

function judgePod(
  pod: Pod,
  budgets: readonly PodDisruptionBudget[],
  policy: DrainPolicy,
  daemonSetExists: (namespace: string, name: string) => boolean,
  place: (pod: Pod) => Placement,
): Judged {
  const verdict = classifyPod(pod, daemonSetExists, policy.skip)
  if (verdict.kind === 'skip') return { losses: [] }
  if (verdict.kind === 'terminating') {
    // A pod that is going will be gone by then, unless somebody must let it go.
    return (pod.metadata.finalizers ?? []).length > 0 ? { blocker: terminatingPod(pod), losses: [] } : { losses: [] }
  }
  const id = { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '' }
  const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  const isBare = !isFinished && !pod.metadata.ownerReferences?.some(({ controller }) => controller)
  const hasLocalData = pod.spec?.volumes?.some(({ emptyDir }) => emptyDir) ?? false
  const where = `pod ${id.namespace}/${id.pod}`
  const losses: PodLoss[] = [
    ...(isBare
      ? [{ ...id, reason: 'Bare' as const, message: `${where} is deleted, and no controller will create it again` }]
      : []),
    ...(hasLocalData && !isFinished
      ? [{ ...id, reason: 'LocalData' as const, message: `${where} loses the data of its emptyDir volumes` }]
      : []),
  ]
  const budget = budgetVerdict(pod, budgets)
  if (budget.kind !== 'free') return { blocker: budgetBlocker(pod, budget, budgets, place), losses }
  if (isFinished || isBare) return { losses }
  const placement = place(pod)
  if (placement.fits > 0) return { losses }
  const message = `${where}: no other node can take a replacement: ${describePlacement(placement)}`
  return { losses: [...losses, { ...id, reason: 'Nowhere', message }] }
}

/** In the words that the drain itself will use. */
function budgetBlocker(
  pod: Pod,
  verdict: { readonly kind: 'exhausted' | 'several' },
  budgets: readonly PodDisruptionBudget[],
  place: (pod: Pod) => Placement,
): Blocker {
  const isBudget = verdict.kind === 'exhausted'
  const refusal = { retryAtMs: 0, error: 'the eviction would be refused', isBudget }
  return refusedPod(pod, refusal, budgets, isBudget ? place(pod) : undefined)
}

/** Where a replacement could run, the pod's own node left out. Pods of one controller are alike: asked once for all nodes. */
function placer(nodes: readonly Node[], podsOn: (node: string) => readonly Pod[]): (pod: Pod) => Placement {
  const remembered = new Map<string, Placement>()
  let views: readonly HostView[] | undefined
  return (pod) => {
    views ??= hostViews(nodes, podsOn)
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
    const key = owner && `${pod.metadata.namespace}/${owner.kind}/${owner.name}/${owner.uid}`
    const known = key === undefined ? undefined : remembered.get(key)
    // Two places in the whole cluster are one elsewhere; closer than that the node itself matters.
    if (known && known.fits > 1) return known
    const everywhere = whyNowhere(pod.spec, views)
    if (key !== undefined) remembered.set(key, everywhere)
    if (everywhere.fits > 1) return everywhere
    const elsewhere = views.filter(({ name }) => name !== pod.spec?.nodeName)
    return whyNowhere(pod.spec, elsewhere)
  }
}
