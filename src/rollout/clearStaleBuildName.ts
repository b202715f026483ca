import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { machineOsConfigAnnotation } from '../api/names.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Layering } from './layering.ts'

/**
 * Removes the annotation that names a build which is gone or was made for another config, so that the next build is
 * found. The API server is asked first: the cache may not have the newest build yet.
 */
export async function clearStaleBuildName(
  layering: Layering,
  pool: MachineConfigPool,
  kube: KubeApi,
  signal: AbortSignal,
): Promise<void> {
  if (layering.kind === 'plain' || !layering.staleBuildName || !layering.config) return
  const build = await findBuild(layering.staleBuildName, kube, signal)
  if (build?.spec.machineConfig.name === pool.spec.configuration?.name) return
  const path = `/metadata/annotations/${machineOsConfigAnnotation.currentMachineOsBuild.replace('/', '~1')}`
  const operations = [
    { op: 'test', path, value: layering.staleBuildName },
    { op: 'remove', path },
  ]
  const name = layering.config.metadata.name ?? ''
  await kube.patch(MachineOSConfig, { name }, { type: 'json', operations }, { signal, fieldManager: 'rollout' })
}

async function findBuild(name: string, kube: KubeApi, signal: AbortSignal): Promise<MachineOSBuild | undefined> {
  try {
    return await kube.get(MachineOSBuild, { name }, { signal })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
