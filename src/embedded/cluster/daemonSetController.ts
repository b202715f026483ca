import { isDeepStrictEqual } from 'node:util'
import { DaemonSet } from '../../api/apps.ts'
import { Node, type Pod } from '../../api/core.ts'
import { scaledValue } from '../../api/intOrString.ts'
import { type Controller, own, settled, watching } from '../../kube/controller.ts'
import { planDaemonPods, podSpecFor, targetNodeOf } from './daemonPods.ts'
import { indexPodsByController, podFromTemplate, podsOf, podsOfKind, randomSuffix } from './podOwners.ts'
import { isActive, isReady, keyParts, namespacedKey } from './podStates.ts'
import { PodWrites } from './podWrites.ts'
import { labelled, revisionHashLabel, templateHash } from './templateHash.ts'
import { type WorkloadPorts, workloadCoalesceMs } from './workloadPorts.ts'
import { writeStatus } from './writeStatus.ts'

/** One pod of a DaemonSet on every node that it selects. */
export function daemonSetController({ informers, kube, clock, random }: WorkloadPorts): Controller {
  const { cache } = informers
  const writes = new PodWrites(kube, clock)
  indexPodsByController(informers)
  return {
    name: 'daemonset',
    workers: 2,
    coalesceMs: workloadCoalesceMs,
    watches: [
      own(DaemonSet),
      podsOfKind('DaemonSet'),
      watching(Node, ({ old, now }) => {
        const isSame = isDeepStrictEqual([old?.metadata.labels, old?.spec], [now?.metadata.labels, now?.spec])
        return isSame || !informers.hasSynced(DaemonSet) ? [] : cache.list(DaemonSet).map(namespacedKey)
      }),
    ],
    async reconcile(key, signal) {
      const set = cache.get(DaemonSet, keyParts(key))
      if (!set || set.metadata.deletionTimestamp !== undefined) return settled
      const { uid = '', name = '', generation = 0 } = set.metadata
      const template = set.spec?.template ?? {}
      const hash = templateHash(template)
      const isCurrent = (pod: Pod) => pod.metadata.labels?.[revisionHashLabel] === hash
      const cached = podsOf(informers, set)
      const nodes = cache.list(Node)
      const rules = { isCurrent, isReady, maxUnavailable: maxUnavailableOf(set, nodes.length) }
      const plan = planDaemonPods(set, nodes, writes.active(uid, cached), rules)
      for (const pod of plan.delete) await writes.delete(uid, pod, signal)
      for (const node of plan.create) {
        const ours = labelled({ ...template, spec: podSpecFor(node, template.spec) }, { [revisionHashLabel]: hash })
        await writes.create(uid, podFromTemplate(set, ours, `${name}-${randomSuffix(random)}`), signal)
      }
      const wanted = new Set(plan.wanted)
      const counted = cached.filter(isActive)
      const placed = counted.filter((pod) => wanted.has(targetNodeOf(pod)))
      const ready = placed.filter(isReady).length
      await writeStatus(
        kube,
        DaemonSet,
        set,
        {
          observedGeneration: generation,
          desiredNumberScheduled: wanted.size,
          currentNumberScheduled: placed.length,
          updatedNumberScheduled: placed.filter(isCurrent).length,
          numberMisscheduled: counted.length - placed.length,
          numberReady: ready,
          numberAvailable: ready,
          numberUnavailable: wanted.size - ready,
        },
        signal,
      )
      return settled
    },
  }
}

function maxUnavailableOf(set: DaemonSet, nodes: number): number {
  const value = set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1
  const scaled = scaledValue(value, nodes, { roundUp: true })
  return 'value' in scaled ? Math.max(1, scaled.value) : 1
}
