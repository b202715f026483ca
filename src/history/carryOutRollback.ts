import { Secret } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { operatorNamespace } from '../api/names.ts'
import type { PoolRollout } from '../api/poolRollout.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { copyToFragment, fragmentCopyName } from './copies.ts'
import { digestOf, type FragmentRecord } from './fragmentRecord.ts'
import type { RollbackStep } from './proposeRollback.ts'

/** The copies of a rollout's fragments that a way back could need: of those that are not there as they were. */
export async function readCopies(
  kube: KubeApi,
  { spec }: PoolRollout,
  configs: readonly MachineConfig[],
): Promise<ReadonlyMap<string, FragmentRecord>> {
  const present = new Set(configs.map(digestOf))
  const records = new Map<string, FragmentRecord>()
  for (const { digest } of spec.fragments ?? []) {
    if (present.has(digest)) continue
    const copy = await readCopy(kube, digest)
    const record = copy && copyToFragment(copy, digest)
    if (record) records.set(digest, record)
  }
  return records
}

async function readCopy(kube: KubeApi, digest: string): Promise<Secret | undefined> {
  try {
    return await kube.get(Secret, { name: fragmentCopyName(digest), namespace: operatorNamespace })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Writes one step on exactly the object that was shown.
 *
 * @throws ApiError 409 when somebody has changed it meanwhile, 404 when it is gone: nothing of the step was written then.
 */
export async function carryOutStep(kube: KubeApi, step: RollbackStep): Promise<void> {
  switch (step.kind) {
    case 'restore':
      await kube.create(MachineConfig, step.object, manager)
      return
    case 'modify': {
      const { labels, annotations } = step.object.metadata
      const metadata = { ...step.live.metadata, ...(labels && { labels }), ...(annotations && { annotations }) }
      const { managedFields: _managedFields, ...sent } = metadata
      await kube.update(MachineConfig, { ...step.object, metadata: sent }, manager)
      return
    }
    case 'delete': {
      const { uid, resourceVersion } = step.live.metadata
      const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
      await kube.delete(MachineConfig, { name: step.name }, { preconditions })
      return
    }
    default:
      step satisfies never
  }
}

const manager = { fieldManager: 'mco-rollback' } as const
