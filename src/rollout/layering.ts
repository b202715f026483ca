import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { buildCondition, buildLabel, machineOsConfigAnnotation } from '../api/names.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

/** Whether a pool runs an image built for it, and how far that image is. */
export type Layering =
  | { readonly kind: 'plain' }
  | {
      readonly kind: 'layered'
      readonly config?: MachineOSConfig
      readonly build?: MachineOSBuild
      /** The annotation on the MachineOSConfig names a build that is gone or was made for another config. */
      readonly staleBuildName?: string
    }

/** May nodes move now? `failed` is reported as an error of the pass, `wait` is not. */
export type ImageVerdict =
  | { readonly kind: 'go'; readonly reason: string }
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Finds a pool's MachineOSConfig and the build that belongs to the pool's present rendered config. */
export function findLayering(
  pool: { readonly name: string; readonly config: string },
  configs: readonly MachineOSConfig[],
  builds: readonly MachineOSBuild[],
): Layering {
  const config = configs.find(({ spec }) => spec.machineConfigPool.name === pool.name)
  const current = builds.filter(({ spec }) => spec.machineConfig.name === pool.config)
  if (!config) {
    const orphan = current.find(({ metadata }) => metadata.labels?.[buildLabel.targetMachineConfigPool] === pool.name)
    return orphan ? { kind: 'layered', build: orphan } : { kind: 'plain' }
  }
  const wanted = config.metadata.annotations?.[machineOsConfigAnnotation.currentMachineOsBuild]
  const named = current.find(({ metadata }) => metadata.name === wanted)
  const build = named ?? current.find(({ spec }) => spec.machineOSConfig.name === config.metadata.name)
  const stale = wanted !== undefined && !named
  return { kind: 'layered', config, ...(build && { build }), ...(stale && { staleBuildName: wanted }) }
}

export function layeringToTarget(layering: Layering, config: string): RolloutTarget {
  if (layering.kind === 'plain') return { kind: 'plain', config }
  const buildConfig = layering.build?.spec.machineConfig.name
  const image = layering.config?.status?.currentImagePullSpec
  return { kind: 'layered', config, ...(buildConfig && { buildConfig }), ...(image && { image }) }
}

/** A layered pool rolls nothing out, not even plain files, before its image is ready. */
export function judgeImage(layering: Layering): ImageVerdict {
  if (layering.kind === 'plain') return { kind: 'go', reason: '' }
  const { config, build } = layering
  const buildName = build?.metadata.name ?? ''
  if (!config) {
    const named = build?.spec.machineOSConfig.name ?? ''
    return failed(`orphaned MachineOSBuild "${buildName}" found, but MachineOSConfig "${named}" not found`)
  }
  if (!build) return wait('No MachineOSConfig or MachineOSBuild for this pool')
  const image = config.status?.currentImagePullSpec
  if (!image) return wait('Desired image not set in MachineOSConfig')
  switch (buildPhase(build)) {
    case 'succeeded': {
      const built = build.status?.digestedImagePushSpec ?? ''
      const success = `Image built successfully, pullspec: ${built}`
      if (built === image) return { kind: 'go', reason: success }
      return wait(`${success} but MachineOSConfig "${config.metadata.name}" has not updated yet`)
    }
    case 'building':
    case 'prepared':
      return wait('Image build pending')
    case 'failed':
      return failed(`image build for MachineConfigPool ${buildName} failed`)
    case 'initial':
    case 'interrupted':
      return wait('Image is not ready yet')
  }
}

const wait = (reason: string): ImageVerdict => ({ kind: 'wait', reason })
const failed = (reason: string): ImageVerdict => ({ kind: 'failed', reason })

export type BuildPhase = 'initial' | 'prepared' | 'building' | 'succeeded' | 'failed' | 'interrupted'

export function buildPhase(build: MachineOSBuild): BuildPhase {
  const isTrue = (type: string) =>
    (build.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True')
  if (isTrue(buildCondition.building)) return 'building'
  if (isTrue(buildCondition.prepared)) return 'prepared'
  if (isTrue(buildCondition.succeeded)) return 'succeeded'
  if (isTrue(buildCondition.failed)) return 'failed'
  return isTrue(buildCondition.interrupted) ? 'interrupted' : 'initial'
}

/** Nodes may look updated while the image they must run is still being made; the pool is not updated then. */
export function isBuildUnderWay(layering: Layering): boolean {
  if (layering.kind === 'plain' || !layering.config || !layering.build) return false
  const phase = buildPhase(layering.build)
  if (phase === 'succeeded') {
    return layering.build.status?.digestedImagePushSpec !== layering.config.status?.currentImagePullSpec
  }
  return phase === 'building' || phase === 'prepared' || phase === 'failed'
}
