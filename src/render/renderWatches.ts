import { isDeepStrictEqual } from 'node:util'
import { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { MachineOSBuild } from '../api/machineOSConfig.ts'
import type { LabelSelector } from '../api/meta.ts'
import { machineConfigAnnotation, poolName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { PoolRollout } from '../api/poolRollout.ts'
import { isEmptyLabelSelector, labelSelectorToQuery, matchesLabels } from '../api/selectors.ts'
import { type Cache, type Watch, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'

/**
 * Which pools must be rendered anew after a change (spec: render 2). More than the original looks at: labels of a
 * MachineConfig, and the objects that a render waits for, so that nothing is found by a retry only.
 */
// biome-ignore lint/suspicious/noExplicitAny: watches over different kinds, as in Controller
export function renderWatches(cache: Cache): readonly Watch<any>[] {
  const pools = () => known(() => cache.list(MachineConfigPool))
  const allPools = () => pools().map(nameOf)
  const selectedPools = (selectors: readonly (LabelSelector | undefined)[]) =>
    pools()
      .filter(({ metadata }) => selectors.some((selector) => matches(selector, metadata.labels)))
      .map(nameOf)
  return [
    watching(MachineConfigPool, ({ old, now }) => {
      const name = nameOf(now ?? old)
      const inherits = name === poolName.worker && old?.spec.osImageStream?.name !== now?.spec.osImageStream?.name
      return inherits ? [name, ...pools().filter(isCustom).map(nameOf)] : [name]
    }),
    watching(MachineConfig, ({ old, now }) => {
      if (old && now && isSameFragment(old, now)) return []
      const changed = [old, now].filter((config) => config !== undefined)
      return [...new Set(changed.flatMap((config) => poolsOf(config, pools())))]
    }),
    watching(ControllerConfig, ({ old, now }) => (isDeepStrictEqual(factsOf(old), factsOf(now)) ? [] : allPools())),
    watching(KubeletConfig, ({ old, now }) =>
      selectedPools([old?.spec.machineConfigPoolSelector, now?.spec.machineConfigPoolSelector]),
    ),
    watching(ContainerRuntimeConfig, ({ old, now }) =>
      selectedPools([old?.spec.machineConfigPoolSelector, now?.spec.machineConfigPoolSelector]),
    ),
    watching(MachineConfiguration, ({ old, now }) => {
      const overridesOf = (object: MachineConfiguration | undefined) => object?.spec.irreconcilableValidationOverrides
      return isDeepStrictEqual(overridesOf(old), overridesOf(now)) ? [] : allPools()
    }),
    watching(OSImageStream, ({ old, now }) => {
      const seen = (stream: OSImageStream | undefined) => [stream?.status, stream?.metadata.annotations]
      return isDeepStrictEqual(seen(old), seen(now)) ? [] : allPools()
    }),
    // Only read, to know which rendered configs are in use.
    watching(Node, () => []),
    watching(MachineOSBuild, () => []),
    watching(PoolRollout, () => []),
  ]
}

const nameOf = (object: { readonly metadata: { readonly name?: string } } | undefined): string =>
  object?.metadata.name ?? ''

const standard: ReadonlySet<string> = new Set(Object.values(poolName))
const isCustom = (pool: MachineConfigPool): boolean => !standard.has(nameOf(pool))

const matches = (
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean => {
  const query = labelSelectorToQuery(selector)
  return 'value' in query && matchesLabels(query.value, labels)
}

function isSameFragment(old: MachineConfig, now: MachineConfig): boolean {
  const { generatedByControllerVersion, secretPaths } = machineConfigAnnotation
  const isSameMark = (key: string) => old.metadata.annotations?.[key] === now.metadata.annotations?.[key]
  return (
    [generatedByControllerVersion, secretPaths].every(isSameMark) &&
    isDeepStrictEqual(old.metadata.labels, now.metadata.labels) &&
    isDeepStrictEqual(old.spec, now.spec)
  )
}

/** A rendered config belongs to its pool; every other one to the pools that select it. */
function poolsOf(config: MachineConfig, pools: readonly MachineConfigPool[]): string[] {
  const owner = config.metadata.ownerReferences?.find(({ controller }) => controller)
  const owning = pools.filter(({ metadata }) => metadata.name === owner?.name && metadata.uid === owner?.uid)
  if (owner?.kind === MachineConfigPool.kind && owning.length > 0) return owning.map(nameOf)
  return pools
    .filter(({ spec }) => !isEmptyLabelSelector(spec.machineConfigSelector))
    .filter(({ spec }) => matches(spec.machineConfigSelector, config.metadata.labels))
    .map(nameOf)
}

/** What rendering takes from the ControllerConfig: whether it has settled, versions, images. */
function factsOf(config: ControllerConfig | undefined): unknown {
  const conditions = config?.status?.conditions?.map(({ type, status }) => [type, status])
  const { metadata, spec, status } = config ?? {}
  const images = [spec?.baseOSContainerImage, spec?.baseOSExtensionsContainerImage]
  return [metadata?.annotations, metadata?.generation, status?.observedGeneration, conditions, images]
}

/** Before pools are known completely nothing is missed: their own first list brings each of them. */
function known<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Retryable) return []
    throw error
  }
}
