import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool, MachineConfigPoolStatus } from '../api/machineConfigPool.ts'
import { poolName } from '../api/names.ts'
import type { OSImageStream, OSImageStreamEntry } from '../api/osImageStream.ts'
import { streamNameOf } from '../image-sets/poolStream.ts'
import { findStreamSet } from '../image-sets/streamSet.ts'
import { generate, sourceOf } from './generate.ts'
import { fragmentParser } from './parseFragment.ts'
import { runcGuard } from './runcGuard.ts'
import { selectMachineConfigs } from './selectMachineConfigs.ts'

export interface BootstrapInput {
  readonly pools: readonly MachineConfigPool[]
  readonly configs: readonly MachineConfig[]
  readonly controllerConfig: Pick<ControllerConfig, 'metadata' | 'spec'>
  /** Absent in a cluster that does not use OS image streams. */
  readonly stream?: OSImageStream | undefined
  readonly version: string
  readonly hash: string
}

export type Bootstrap =
  | {
      readonly kind: 'rendered'
      /** The pools with spec.configuration and status.configuration filled in, in the order given. */
      readonly pools: readonly MachineConfigPool[]
      readonly machineConfigs: readonly MachineConfig[]
    }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Renders all pools without a cluster, for the first boot of its machines and for `mco render` (spec: render 15). The same
 * merge as in the cluster: a machine that boots from it must find the same name there later.
 */
export function renderPools(input: BootstrapInput): Bootstrap {
  const { parse } = fragmentParser()
  const worker = input.pools.find(({ metadata }) => metadata.name === poolName.worker)
  const pools: MachineConfigPool[] = []
  const machineConfigs: MachineConfig[] = []
  for (const pool of input.pools) {
    const name = pool.metadata.name ?? ''
    const selection = selectMachineConfigs(pool, input.configs)
    if (selection.kind === 'invalid') return refused(selection.message)
    if (selection.kind !== 'selected') return refused(`couldn't find any MachineConfigs for pool: ${name}`)
    const stream = streamSetOf(pool, worker, input.stream)
    if ('refusal' in stream) return refused(stream.refusal)
    const generation = generate({ ...input, pool, fragments: selection.configs.map(parse), streamSet: stream.set })
    if (generation.kind === 'refused') return generation
    const { rendered, merged, overridden, ordered } = generation
    const renderedName = rendered.metadata.name ?? ''
    const overriddenImage = overridden ? merged.osImageURL : undefined
    const guard = runcGuard({
      pool: name,
      rendered: { name: renderedName, config: merged.config },
      overriddenImage,
      streamSet: stream.set,
      // Before a cluster exists nobody can look into a registry.
      inspected:
        overriddenImage === undefined ? undefined : { image: overriddenImage, result: { kind: 'unavailable' } },
    })
    if (guard.kind === 'refused') return guard
    machineConfigs.push(rendered)
    pools.push(targeting(pool, { name: renderedName, source: sourceOf(ordered) }))
  }
  return { kind: 'rendered', pools, machineConfigs }
}

const refused = (message: string): Bootstrap => ({ kind: 'refused', message })

function streamSetOf(
  pool: MachineConfigPool,
  worker: MachineConfigPool | undefined,
  stream: OSImageStream | undefined,
): { set?: OSImageStreamEntry } | { refusal: string } {
  if (!stream) return {}
  const found = findStreamSet(stream, streamNameOf(pool, worker))
  if (found.kind === 'found') return { set: found.set }
  return { refusal: `couldn't get the OSImageStream for pool ${pool.metadata.name} ${found.message}` }
}

function targeting(
  pool: MachineConfigPool,
  configuration: MachineConfigPoolStatus['configuration'] & object,
): MachineConfigPool {
  return {
    ...pool,
    spec: { ...pool.spec, configuration },
    status: { ...emptyStatus, ...pool.status, configuration },
  }
}

/** Members that a pool's status always carries. */
const emptyStatus: MachineConfigPoolStatus = {
  machineCount: 0,
  updatedMachineCount: 0,
  readyMachineCount: 0,
  unavailableMachineCount: 0,
  degradedMachineCount: 0,
  conditions: null,
  certExpirys: null,
}
