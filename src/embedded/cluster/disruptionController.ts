import { isDeepStrictEqual } from 'node:util'
import { Deployment, ReplicaSet, StatefulSet } from '../../api/apps.ts'
import { Pod } from '../../api/core.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { PodDisruptionBudget } from '../../api/policy.ts'
import { type LabelQuery, labelSelectorToQuery, matchesLabels } from '../../api/selectors.ts'
import { again, type Controller, own, settled, watching } from '../../kube/controller.ts'
import { isNotFound } from '../../kube/kubeApi.ts'
import { disruptionStatus } from './disruptionStatus.ts'
import { controllerOf } from './podOwners.ts'
import { isFinished, keyParts, namespacedKey } from './podStates.ts'
import { type WorkloadPorts, workloadCoalesceMs } from './workloadPorts.ts'

type Scaled = KubernetesObject & { readonly spec?: { readonly replicas?: number } }

const byNamespace = ({ metadata }: KubernetesObject): readonly string[] => [metadata.namespace ?? '']

const namespaceIndex = 'cluster/namespace'

/** Keeps the numbers of every PodDisruptionBudget true: evictions are granted or refused by them. */
export function disruptionController({ informers, kube, clock }: WorkloadPorts): Controller {
  const { cache } = informers
  const queries = new WeakMap<PodDisruptionBudget, LabelQuery>()
  informers.addIndex(PodDisruptionBudget, namespaceIndex, byNamespace)
  informers.addIndex(Pod, namespaceIndex, byNamespace)

  function queryOf(budget: PodDisruptionBudget): LabelQuery {
    const known = queries.get(budget)
    if (known) return known
    const parsed = labelSelectorToQuery(budget.spec?.selector)
    // A selector that is no selector protects nothing; the API server refuses it anyway.
    const query: LabelQuery = 'value' in parsed ? parsed.value : { kind: 'nothing' }
    queries.set(budget, query)
    return query
  }

  function budgetsOf(pod: Pod | undefined): readonly string[] {
    if (!pod || !informers.hasSynced(PodDisruptionBudget)) return []
    const inNamespace = cache.byIndex(PodDisruptionBudget, namespaceIndex, pod.metadata.namespace ?? '')
    return inNamespace.filter((budget) => matchesLabels(queryOf(budget), pod.metadata.labels)).map(namespacedKey)
  }

  function budgetsIn(namespace: string): readonly string[] {
    if (!informers.hasSynced(PodDisruptionBudget)) return []
    return cache.byIndex(PodDisruptionBudget, namespaceIndex, namespace).map(namespacedKey)
  }

  /** The wish of one pod's owner, and who it is: a Deployment speaks for its ReplicaSets. */
  function scaleOf(pod: Pod): { readonly uid: string; readonly replicas: number } | undefined {
    const owner = controllerOf(pod)
    const namespace = pod.metadata.namespace ?? ''
    if (owner?.kind === 'StatefulSet') {
      const set = cache.get(StatefulSet, { name: owner.name, namespace })
      return set && { uid: owner.uid, replicas: set.spec?.replicas ?? 1 }
    }
    if (owner?.kind !== 'ReplicaSet') return undefined
    const set = cache.get(ReplicaSet, { name: owner.name, namespace })
    const above = set && controllerOf(set)
    const deployment = above?.kind === 'Deployment' ? cache.get(Deployment, { name: above.name, namespace }) : undefined
    if (deployment && above) return { uid: above.uid, replicas: deployment.spec?.replicas ?? 1 }
    return set && { uid: owner.uid, replicas: set.spec?.replicas ?? 1 }
  }

  function expectedByOwners(pods: readonly Pod[]): number | undefined {
    const wishes = new Map<string, number>()
    for (const pod of pods) {
      const scale = scaleOf(pod)
      if (!scale) return undefined
      wishes.set(scale.uid, scale.replicas)
    }
    return [...wishes.values()].reduce((sum, replicas) => sum + replicas, 0)
  }

  return {
    name: 'disruption',
    coalesceMs: workloadCoalesceMs,
    watches: [
      own(PodDisruptionBudget),
      watching(Pod, ({ old, now }) => [...new Set([...budgetsOf(old), ...budgetsOf(now)])]),
      ...[ReplicaSet, StatefulSet, Deployment].map((kind) =>
        watching<Scaled>(kind, ({ old, now }) =>
          old?.spec?.replicas === now?.spec?.replicas ? [] : budgetsIn((now ?? old)?.metadata.namespace ?? ''),
        ),
      ),
    ],
    async reconcile(key, signal) {
      const { name, namespace } = keyParts(key)
      const budget = cache.get(PodDisruptionBudget, { name, namespace })
      if (!budget) return settled
      const query = queryOf(budget)
      const pods = cache
        .byIndex(Pod, namespaceIndex, namespace)
        .filter((pod) => !isFinished(pod) && matchesLabels(query, pod.metadata.labels))
      const view = { pods, expectedByOwners: expectedByOwners(pods) }
      const { status, lookAgainAt } = disruptionStatus(budget, view, clock.now())
      if (!isDeepStrictEqual({ ...emptyStatus, ...budget.status }, { ...emptyStatus, ...status })) {
        try {
          // A whole update with its resourceVersion: an eviction that was granted meanwhile must not be overwritten.
          await kube.updateStatus(PodDisruptionBudget, { ...budget, status }, { signal })
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      }
      return lookAgainAt ? again(lookAgainAt) : settled
    },
  }
}

/** The API server leaves out an empty map. */
const emptyStatus = { disruptedPods: {} }
