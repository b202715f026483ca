import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { controllerConfigAnnotation, machineConfigAnnotation, poolName } from '../api/names.ts'
import { streamNameOf } from '../image-sets/poolStream.ts'
import { decideRender, type RenderDecision, type RenderSnapshot, type RenderTools } from '../render/decideRender.ts'
import { renderedPrefix } from '../render/renderedName.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

/**
 * What the render controller of this cluster would decide about a pool now, without writing anything. Its build is read from
 * what it has rendered. An image that would have to be inspected counts as one that nobody can inspect.
 */
export function renderOf(
  snapshot: ClusterSnapshot,
  pool: MachineConfigPool,
  tools: RenderTools,
  now: Date,
): Exclude<RenderDecision, { kind: 'inspect' }> {
  const input = renderSnapshotOf(snapshot, pool, now)
  const first = decideRender(input, tools)
  if (first.kind !== 'inspect') return first
  const second = decideRender({ ...input, inspected: { image: first.image, result: { kind: 'unavailable' } } }, tools)
  if (second.kind === 'inspect') throw new Error(`inspecting ${first.image} led to inspecting ${second.image}`)
  return second
}

function renderSnapshotOf(snapshot: ClusterSnapshot, pool: MachineConfigPool, now: Date): RenderSnapshot {
  const worker = snapshot.pools.find(({ metadata }) => metadata.name === poolName.worker)
  const usesStreams = snapshot.osImageStream !== undefined || streamNameOf(pool, worker) !== ''
  return {
    pool,
    configs: snapshot.machineConfigs,
    controllerConfig: snapshot.controllerConfig,
    kubeletConfigs: snapshot.kubeletConfigs,
    containerRuntimeConfigs: snapshot.containerRuntimeConfigs,
    overrides: snapshot.machineConfiguration?.spec.irreconcilableValidationOverrides ?? {},
    ...(usesStreams && { streams: { object: snapshot.osImageStream, worker } }),
    ...buildOf(snapshot, pool),
    now,
  }
}

/** The build that rendered this pool, or any pool; fragments of another build are refused by the render's own guard. */
function buildOf(
  { controllerConfig, machineConfigs }: ClusterSnapshot,
  pool: MachineConfigPool,
): { readonly version: string; readonly hash: string } {
  const target = pool.spec.configuration?.name
  const hashOf = ({ metadata }: MachineConfig) =>
    metadata.annotations?.[machineConfigAnnotation.generatedByControllerVersion]
  const own = machineConfigs.find(({ metadata }) => metadata.name === target)
  const rendered = own ?? machineConfigs.find(({ metadata }) => metadata.name?.startsWith(renderedPrefix))
  const hash = (rendered && hashOf(rendered)) ?? machineConfigs.map(hashOf).find((known) => known) ?? ''
  return {
    version: controllerConfig?.metadata.annotations?.[controllerConfigAnnotation.generatedByVersion] ?? '',
    hash,
  }
}
