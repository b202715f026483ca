import { StatefulSet } from '../../api/apps.ts'
import { Pod } from '../../api/core.ts'
import { type Controller, own, settled } from '../../kube/controller.ts'
import { isAlreadyExists } from '../../kube/kubeApi.ts'
import { indexPodsByController, podFromTemplate, podsOf, podsOfKind } from './podOwners.ts'
import { isFinished, isReady, isTerminating, keyParts } from './podStates.ts'
import { labelled, revisionHashLabel, templateHash } from './templateHash.ts'
import type { WorkloadPorts } from './workloadPorts.ts'
import { writeStatus } from './writeStatus.ts'

export type StatefulStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'delete'; readonly pod: Pod }

/**
 * The one next step of a StatefulSet (Kubernetes documentation, "Deployment and Scaling Guarantees"): ordinals are
 * created upwards, each after its predecessors are ready, removed and updated downwards, one at a time. Its pods have
 * fixed names, so a pod that still terminates blocks its own replacement.
 */
export function nextStatefulStep(
  name: string,
  replicas: number,
  pods: readonly Pod[],
  isCurrent: (pod: Pod) => boolean,
): StatefulStep {
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    const pod = byOrdinal.get(ordinal)
    if (!pod) return { kind: 'create', name: `${name}-${ordinal}` }
    if (isTerminating(pod)) return { kind: 'none' }
    if (isFinished(pod) || (!isReady(pod) && !isCurrent(pod))) return { kind: 'delete', pod }
    if (!isReady(pod)) return { kind: 'none' }
  }
  const downwards = [...pods].sort((a, b) => ordinalOf(b) - ordinalOf(a))
  if (downwards.some(isTerminating)) return { kind: 'none' }
  const surplus = downwards.find((pod) => ordinalOf(pod) >= replicas)
  const outdated = downwards.find((pod) => !isCurrent(pod))
  const pod = surplus ?? outdated
  return pod ? { kind: 'delete', pod } : { kind: 'none' }
}

export function statefulSetController({ informers, kube }: WorkloadPorts): Controller {
  indexPodsByController(informers)
  return {
    name: 'statefulset',
    watches: [own(StatefulSet), podsOfKind('StatefulSet')],
    async reconcile(key, signal) {
      const set = informers.cache.get(StatefulSet, keyParts(key))
      if (!set || set.metadata.deletionTimestamp !== undefined) return settled
      const { name = '', namespace = '', generation = 0 } = set.metadata
      const template = set.spec?.template ?? {}
      const hash = templateHash(template)
      const pods = podsOf(informers, set)
      const isCurrent = (pod: Pod) => pod.metadata.labels?.[revisionHashLabel] === hash
      const step = nextStatefulStep(name, set.spec?.replicas ?? 1, pods, isCurrent)
      if (step.kind === 'create') {
        const labels = { [revisionHashLabel]: hash, 'statefulset.kubernetes.io/pod-name': step.name }
        try {
          await kube.create(Pod, podFromTemplate(set, labelled(template, labels), step.name), { signal })
        } catch (error) {
          // From a run that the cache does not show yet.
          if (!isAlreadyExists(error)) throw error
        }
      }
      if (step.kind === 'delete') {
        const { name: podName = '', uid = '' } = step.pod.metadata
        await kube.delete(Pod, { name: podName, namespace }, { signal, preconditions: { uid } })
      }
      const ready = pods.filter((pod) => isReady(pod) && !isTerminating(pod)).length
      const status = {
        observedGeneration: generation,
        replicas: pods.length,
        readyReplicas: ready,
        availableReplicas: ready,
      }
      await writeStatus(kube, StatefulSet, set, status, signal)
      return settled
    },
  }
}

function ordinalOf({ metadata }: Pod): number {
  return Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? Number.NaN)
}
