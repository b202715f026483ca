import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { OSImageStream } from '../api/osImageStream.ts'

/** The name of the OS stream that a pool's rendered config runs; none when a fragment chose an image of its own. */
export function osImageStreamOf(
  pool: MachineConfigPool,
  streams: OSImageStream | undefined,
  machineConfig: (name: string) => MachineConfig | undefined,
): string | undefined {
  const configuration = pool.spec.configuration
  const sources = (configuration?.source ?? []).map(({ name }) => machineConfig(name ?? ''))
  if (sources.some((source) => source?.spec?.osImageURL)) return undefined
  const image = machineConfig(configuration?.name ?? '')?.spec?.osImageURL
  if (!image) return undefined
  return streams?.status?.availableStreams.find(({ osImage }) => osImage === image)?.name
}
