import { ReplicaSet } from '../../api/apps.ts'
import { type Controller, own, settled } from '../../kube/controller.ts'
import { indexPodsByController, podFromTemplate, podsOf, podsOfKind, randomSuffix } from './podOwners.ts'
import { isActive, isReady, keyParts } from './podStates.ts'
import { leastUseful, PodWrites } from './podWrites.ts'
import { type WorkloadPorts, workloadCoalesceMs } from './workloadPorts.ts'
import { writeStatus } from './writeStatus.ts'

/** As many active pods as a ReplicaSet asks for: what was evicted or deleted is replaced at once. */
export function replicaSetController({ informers, kube, clock, random }: WorkloadPorts): Controller {
  const writes = new PodWrites(kube, clock)
  indexPodsByController(informers)
  return {
    name: 'replicaset',
    workers: 4,
    coalesceMs: workloadCoalesceMs,
    watches: [own(ReplicaSet), podsOfKind('ReplicaSet')],
    async reconcile(key, signal) {
      const set = informers.cache.get(ReplicaSet, keyParts(key))
      if (!set) return settled
      const { uid = '', name = '', generation = 0, deletionTimestamp } = set.metadata
      const cached = podsOf(informers, set)
      if (deletionTimestamp === undefined) {
        const active = writes.active(uid, cached)
        const missing = (set.spec?.replicas ?? 1) - active.length
        for (let count = 0; count < missing; count++) {
          await writes.create(
            uid,
            podFromTemplate(set, set.spec?.template ?? {}, `${name}-${randomSuffix(random)}`),
            signal,
          )
        }
        const surplus = missing < 0 ? active.toSorted(leastUseful(isReady)).slice(0, -missing) : []
        for (const pod of surplus) await writes.delete(uid, pod, signal)
      }
      const counted = cached.filter(isActive)
      const ready = counted.filter(isReady).length
      await writeStatus(
        kube,
        ReplicaSet,
        set,
        {
          observedGeneration: generation,
          replicas: counted.length,
          fullyLabeledReplicas: counted.length,
          readyReplicas: ready,
          availableReplicas: ready,
        },
        signal,
      )
      return settled
    },
  }
}
