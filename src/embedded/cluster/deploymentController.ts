import { Deployment, ReplicaSet, type WorkloadCondition } from '../../api/apps.ts'
import { type Controller, own, settled, watching } from '../../kube/controller.ts'
import { isAlreadyExists, isNotFound } from '../../kube/kubeApi.ts'
import { scaleReplicaSets, viewOfSet } from './decideDeployment.ts'
import { byController, controllerIndex, controllerOf, ownerReference } from './podOwners.ts'
import { keyParts } from './podStates.ts'
import { currentRevision, revisionAnnotation, revisionOf } from './revisions.ts'
import { labelled, templateHash, templateHashLabel } from './templateHash.ts'
import { type WorkloadPorts, workloadCoalesceMs } from './workloadPorts.ts'
import { writeStatus } from './writeStatus.ts'

/** One ReplicaSet per template that a Deployment has had; the current one grows as the others shrink. */
export function deploymentController({ informers, kube }: WorkloadPorts): Controller {
  informers.addIndex(ReplicaSet, controllerIndex, byController)
  const { cache } = informers

  async function createCurrent(
    deployment: Deployment,
    hash: string,
    revision: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { name = '', namespace = '' } = deployment.metadata
    const { selector = {}, template = {} } = deployment.spec ?? {}
    const label = { [templateHashLabel]: hash }
    const set: ReplicaSet = {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...template.metadata?.labels, ...label },
        annotations: { [revisionAnnotation]: String(revision) },
        ownerReferences: [ownerReference(deployment)],
      },
      spec: {
        replicas: 0,
        selector: { ...selector, matchLabels: { ...selector.matchLabels, ...label } },
        template: labelled(template, label),
      },
    }
    try {
      await kube.create(ReplicaSet, set, { signal })
    } catch (error) {
      // Ours, from a run that the cache does not show yet.
      if (!isAlreadyExists(error)) throw error
    }
  }

  async function resize(namespace: string, name: string, replicas: number, signal: AbortSignal): Promise<void> {
    try {
      await kube.patch(ReplicaSet, { name, namespace }, { type: 'merge', body: { spec: { replicas } } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  /** `kubectl rollout undo` replaces the annotations as a whole, which fails when there are none. */
  async function recordRevision(
    deployment: Deployment,
    current: ReplicaSet | undefined,
    revision: number,
    signal: AbortSignal,
  ): Promise<void> {
    const body = { metadata: { annotations: { [revisionAnnotation]: String(revision) } } }
    const named = ({ metadata: { name = '', namespace = '' } }: Deployment | ReplicaSet) => ({ name, namespace })
    try {
      if (current && revisionOf(current) !== revision)
        await kube.patch(ReplicaSet, named(current), { type: 'merge', body }, { signal })
      if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision))
        await kube.patch(Deployment, named(deployment), { type: 'merge', body }, { signal })
    } catch (error) {
      // Deleted meanwhile.
      if (!isNotFound(error)) throw error
    }
  }

  return {
    name: 'deployment',
    workers: 2,
    coalesceMs: workloadCoalesceMs,
    watches: [
      own(Deployment),
      watching(ReplicaSet, ({ old, now }) => {
        const set = now ?? old
        const owner = set && controllerOf(set)
        return owner?.kind === 'Deployment' ? [`${set?.metadata.namespace}/${owner.name}`] : []
      }),
    ],
    async reconcile(key, signal) {
      const deployment = cache.get(Deployment, keyParts(key))
      if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return settled
      const { namespace = '', name = '', uid = '' } = deployment.metadata
      const hash = templateHash(deployment.spec?.template ?? {})
      const sets = cache.byIndex(ReplicaSet, controllerIndex, uid)
      const current = sets.find(({ metadata }) => metadata.name === `${name}-${hash}`)
      if (!deployment.spec?.paused) {
        const revision = currentRevision(sets, current)
        await recordRevision(deployment, current, revision, signal)
        if (!current) {
          // Its arrival in the cache brings us back here.
          await createCurrent(deployment, hash, revision, signal)
        } else {
          const views = sets.map((set) => viewOfSet(set, set === current))
          for (const scale of scaleReplicaSets(deployment, views))
            await resize(namespace, scale.name, scale.replicas, signal)
        }
      }
      await writeStatus(kube, Deployment, deployment, statusOf(deployment, sets, current), signal)
      return settled
    },
  }
}

function statusOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
): NonNullable<Deployment['status']> {
  const total = (read: (set: ReplicaSet) => number | undefined) => sets.reduce((sum, set) => sum + (read(set) ?? 0), 0)
  const wanted = deployment.spec?.replicas ?? 1
  const available = total(({ status }) => status?.availableReplicas)
  const updated = current?.status?.replicas ?? 0
  const replicas = total(({ status }) => status?.replicas)
  const isComplete = updated === wanted && replicas === wanted && available >= wanted
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas,
    updatedReplicas: updated,
    readyReplicas: total(({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, Math.max(wanted, replicas) - available),
    conditions: [
      available >= wanted
        ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
        : condition(
            'Available',
            'False',
            'MinimumReplicasUnavailable',
            'Deployment does not have minimum availability.',
          ),
      isComplete
        ? condition(
            'Progressing',
            'True',
            'NewReplicaSetAvailable',
            `ReplicaSet "${current?.metadata.name}" has successfully progressed.`,
          )
        : condition(
            'Progressing',
            'True',
            'ReplicaSetUpdated',
            `ReplicaSet "${current?.metadata.name ?? ''}" is progressing.`,
          ),
    ],
  }
}

const condition = (type: string, status: 'True' | 'False', reason: string, message: string): WorkloadCondition => ({
  type,
  status,
  reason,
  message,
})
