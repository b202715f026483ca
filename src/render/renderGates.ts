import type { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { LabelSelector, LooseCondition } from '../api/meta.ts'
import { controllerConfigCondition, generatedConfigCondition, singletonName } from '../api/names.ts'
import { labelSelectorToQuery, matchesLabels } from '../api/selectors.ts'

export interface GateInput {
  readonly pool: MachineConfigPool
  readonly controllerConfig: ControllerConfig | undefined
  readonly kubeletConfigs: readonly KubeletConfig[]
  readonly containerRuntimeConfigs: readonly ContainerRuntimeConfig[]
}

/**
 * What must settle before a pool is rendered, so that it is not rendered twice: the templates of the ControllerConfig, and
 * the MachineConfigs made from every KubeletConfig and ContainerRuntimeConfig of the pool (spec: render 3, steps 4 and 5).
 * Empty when nothing is waited for; all reasons are given, not only the first.
 */
export function whyWaiting(input: GateInput): string[] {
  return [
    ...controllerConfigReasons(input.controllerConfig),
    ...runtimeReasons(input.pool, input.containerRuntimeConfigs),
    ...kubeletReasons(input.pool, input.kubeletConfigs),
  ]
}

function controllerConfigReasons(config: ControllerConfig | undefined): string[] {
  if (!config) return [`ControllerConfig ${singletonName.controllerConfig} does not exist yet`]
  const stale = generationReason('ControllerConfig', config)
  if (stale) return [stale]
  const isTrue = (type: string) =>
    config.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
  const completed = isTrue(controllerConfigCondition.completed)
  const running = isTrue(controllerConfigCondition.running)
  const failing = isTrue(controllerConfigCondition.failing)
  if (completed && !running && !failing) return []
  return [`ControllerConfig has not completed: completed(${completed}) running(${running}) failing(${failing})`]
}

function runtimeReasons(pool: MachineConfigPool, configs: readonly ContainerRuntimeConfig[]): string[] {
  return configs.flatMap((config) => {
    if (!selectsPool(config.spec.machineConfigPoolSelector, pool)) return []
    const stale = generationReason('ContainerRuntimeConfig', config)
    if (stale) return [stale]
    // Only the type of the last condition counts; its status is not looked at.
    return lastOf(config.status?.conditions)?.type === generatedConfigCondition.success
      ? []
      : ['ContainerRuntimeConfig has not completed']
  })
}

function kubeletReasons(pool: MachineConfigPool, configs: readonly KubeletConfig[]): string[] {
  return configs.flatMap((config) => {
    if (!selectsPool(config.spec.machineConfigPoolSelector, pool)) return []
    const stale = generationReason('KubeletConfig', config)
    if (stale) return [stale]
    const last = lastOf(config.status?.conditions)
    const accepted = last?.type === generatedConfigCondition.accepted && last.status === 'True'
    return accepted || last?.type === generatedConfigCondition.success ? [] : ['KubeletConfig has not completed']
  })
}

interface Generational {
  readonly metadata: { readonly name?: string; readonly generation?: number }
  readonly status?: { readonly observedGeneration?: number }
}

function generationReason(kind: string, { metadata, status }: Generational): string | undefined {
  const expected = metadata.generation ?? 0
  const observed = status?.observedGeneration ?? 0
  if (expected === observed) return undefined
  return `status for ${kind} ${metadata.name} is being reported for ${observed}, expecting it for ${expected}`
}

/** No selector selects no pool; an empty one selects every pool; a broken one is the business of its own controller. */
function selectsPool(selector: LabelSelector | undefined, pool: MachineConfigPool): boolean {
  const query = labelSelectorToQuery(selector)
  return 'value' in query && matchesLabels(query.value, pool.metadata.labels)
}

const lastOf = (conditions: readonly LooseCondition[] | null | undefined): LooseCondition | undefined =>
  conditions?.at(-1)
