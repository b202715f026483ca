import { describe, expect, it } from 'vitest'
import { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { controllerConfigAnnotation, machineConfigAnnotation } from '../api/names.ts'
import type { Cache } from '../kube/controller.ts'
import { renderPools } from './bootstrap.ts'
import { renderWatches } from './renderWatches.ts'
import { secretPathsOf } from './secretPaths.ts'

const labels = { role: 'worker' }
const fragment = (name: string, mark?: string): MachineConfig => ({
  metadata: {
    name,
    labels,
    ...(mark !== undefined && { annotations: { [machineConfigAnnotation.secretPaths]: mark } }),
  },
  spec: { config: { ignition: { version: '3.5.0' }, storage: { files: [{ path: `/etc/${name}` }] } } },
})
const pool: MachineConfigPool = {
  metadata: { name: 'worker' },
  spec: { machineConfigSelector: { matchLabels: labels } },
}

describe('secretPathsOf', () => {
  it('reads every mark, without blanks and repetitions', () => {
    expect(secretPathsOf([fragment('a', ' /b, /a,'), fragment('b', '/a'), fragment('c')])).toEqual(['/a', '/b'])
  })
})

describe('a mark on a fragment', () => {
  const annotationsOf = (configs: readonly MachineConfig[]) => {
    const controllerConfig = { metadata: { annotations: { [controllerConfigAnnotation.generatedByVersion]: 'v' } } }
    const spec = { baseOSContainerImage: 'os' }
    // Only what rendering reads of a ControllerConfig.
    const facts = { ...controllerConfig, spec } as unknown as Parameters<typeof renderPools>[0]['controllerConfig']
    const result = renderPools({ pools: [pool], configs, controllerConfig: facts, version: 'v', hash: 'h' })
    if (result.kind === 'refused') throw new Error(result.message)
    return result.machineConfigs.map(({ metadata }) => metadata.annotations?.[machineConfigAnnotation.secretPaths])
  }

  it('reaches what is rendered from it', () => {
    expect(annotationsOf([fragment('a', '/etc/a'), fragment('b'), fragment('c', '/etc/c')])).toEqual(['/etc/a,/etc/c'])
    expect(annotationsOf([fragment('a')])).toEqual([undefined])
  })

  it('is looked at again when it changes alone', () => {
    const cache: Cache = { get: () => undefined, list: () => [pool] as never, byIndex: () => [] }
    const watch = renderWatches(cache).find(({ kind }) => kind === MachineConfig)
    const keys = (old: MachineConfig, now: MachineConfig) => watch?.keysOf({ old, now })
    expect(keys(fragment('a'), fragment('a', '/etc/a'))).toEqual(['worker'])
    expect(keys(fragment('a', '/etc/a'), fragment('a', '/etc/a'))).toEqual([])
  })
})
