import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import { conflict, type MemoryKube, memoryKube } from '../../test/kube/memoryKube.ts'
import { controllerConfig, fragment, hash, ignition, pool, version, withFile } from '../../test/kube/renderObjects.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation } from '../api/names.ts'
import type { Controller, Watch } from '../kube/controller.ts'
import { Retryable, Terminal, Waiting } from '../kube/errors.ts'
import { isConflict } from '../kube/kubeApi.ts'
import { silentLog } from '../kube/log.ts'
import { type RenderPorts, renderController } from './renderController.ts'

interface Scene extends MemoryKube {
  readonly controller: Controller
  readonly events: readonly string[]
  readonly clock: ReturnType<typeof fakeClock>
  reconcile(key?: string): Promise<unknown>
  /** Verbs and objects written since the last call. */
  written(): string[]
}

function scene(extra: Partial<RenderPorts> = {}): Scene {
  const clock = fakeClock()
  const memory = memoryKube(() => clock.now())
  const events: string[] = []
  const controller = renderController({
    ...memory,
    clock,
    events: { event: (_object, type, reason) => void events.push(`${type} ${reason}`) },
    log: silentLog,
    version,
    hash,
    ...extra,
  })
  memory.put(MachineConfigPool, pool())
  memory.put(ControllerConfig, controllerConfig())
  memory.put(MachineConfig, fragment('00-a', { config: withFile('/etc/a') }))
  memory.put(MachineConfig, fragment('99-b', { config: withFile('/etc/b') }))
  return {
    ...memory,
    controller,
    events,
    clock,
    reconcile: (key = 'worker') => controller.reconcile(key, new AbortController().signal),
    written() {
      const what = memory.writes.map((write) => write.what.replace(/[0-9a-f]{32}/, 'HASH'))
      memory.clearWrites()
      return what
    },
    get writes() {
      return memory.writes
    },
  }
}

const target = ({ get }: Scene) => get(MachineConfigPool, 'worker')?.spec.configuration?.name ?? ''
const renderDegraded = ({ get }: Scene) =>
  get(MachineConfigPool, 'worker')?.status?.conditions?.find(({ type }) => type === 'RenderDegraded')

test('renderController renders a new pool, then writes nothing more', async () => {
  const s = scene()
  await s.reconcile()
  expect(s.written()).toEqual([
    'create machineconfigs/rendered-worker-HASH',
    'patch machineconfigpools/worker',
    'status machineconfigpools/worker',
  ])
  expect(s.get(MachineConfig, target(s))?.metadata.ownerReferences).toMatchObject([
    { name: 'worker', controller: true },
  ])
  expect(renderDegraded(s)).toMatchObject({ status: 'False' })
  expect(s.events).toEqual(['Normal RenderedConfigGenerated'])
  await s.reconcile()
  expect(s.written()).toEqual([])
})

test('renderController puts an edited rendered config back', async () => {
  const s = scene()
  await s.reconcile()
  const config = s.get(MachineConfig, target(s))
  if (config) s.put(MachineConfig, { ...config, spec: { ...config.spec, osImageURL: 'edited' } })
  s.written()
  await s.reconcile()
  expect(s.written()).toEqual(['update machineconfigs/rendered-worker-HASH'])
  expect(s.get(MachineConfig, target(s))?.spec?.osImageURL).toBe('registry.example.com/os@sha256:00')
})

test('renderController keeps the present config when a MachineConfig is broken, and recovers', async () => {
  const s = scene()
  await s.reconcile()
  const before = target(s)
  const broken = s.put(MachineConfig, fragment('50-broken', { config: {} }))
  await expect(s.reconcile()).rejects.toBeInstanceOf(Terminal)
  expect(target(s)).toBe(before)
  expect(renderDegraded(s)).toMatchObject({ status: 'True', message: expect.stringContaining('invalid version') })
  s.written()
  await expect(s.reconcile()).rejects.toBeInstanceOf(Terminal)
  expect(s.written()).toEqual([])
  s.put(MachineConfig, { ...broken, spec: { config: ignition() } })
  await s.reconcile()
  expect(renderDegraded(s)).toMatchObject({ status: 'False', message: '' })
})

test('renderController never publishes an irreconcilable config', async () => {
  const s = scene()
  await s.reconcile()
  s.put(MachineConfig, fragment('50-fips', { config: ignition(), fips: true }))
  s.written()
  await expect(s.reconcile()).rejects.toMatchObject({ reason: 'Irreconcilable' })
  expect(s.written()).toEqual(['status machineconfigpools/worker'])
})

test('renderController waits for a KubeletConfig, tells once and writes nothing', async () => {
  const s = scene()
  s.put(KubeletConfig, { metadata: { name: 'k' }, spec: { machineConfigPoolSelector: {} } })
  await expect(s.reconcile()).rejects.toBeInstanceOf(Waiting)
  await expect(s.reconcile()).rejects.toBeInstanceOf(Waiting)
  expect(s.events).toEqual(['Normal RenderWaiting'])
  expect(s.written()).toEqual([])
})

test('renderController finishes after a crash between the rendered config and the pool', async () => {
  const s = scene()
  s.failNext('patch machineconfigpools/worker', conflict())
  await expect(s.reconcile()).rejects.toSatisfy(isConflict)
  s.written()
  await s.reconcile()
  expect(s.written()).toEqual(['patch machineconfigpools/worker', 'status machineconfigpools/worker'])
})

test('renderController writes the status on the version that its own write returned', async () => {
  const s = scene()
  await s.reconcile()
  expect(s.get(MachineConfigPool, 'worker')?.status?.conditions).toHaveLength(1)
})

test('renderController tries an inspection that failed again, and remembers one that worked', async () => {
  const answers: (() => Promise<string>)[] = [
    () => Promise.reject(new Error('registry away')),
    () => Promise.resolve('rhel-9'),
  ]
  const s = scene({ inspectStream: () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')) })
  const source = 'data:,%5Bcrio.runtime%5D%0Adefault_runtime%20%3D%20%22runc%22%0A'
  const config = ignition({ storage: { files: [{ path: '/etc/crio/crio.conf.d/00-x', contents: { source } }] } })
  s.put(MachineConfig, fragment('50-image', { config, osImageURL: 'custom@sha256:1' }))
  await expect(s.reconcile()).rejects.toBeInstanceOf(Retryable)
  await s.reconcile()
  await s.reconcile()
  expect(renderDegraded(s)).toMatchObject({ status: 'False' })
})

test('renderController uses streams only where there are some or a pool asks for one', async () => {
  const s = scene()
  await s.reconcile()
  expect(renderDegraded(s)).toMatchObject({ status: 'False' })
  const worker = s.get(MachineConfigPool, 'worker')
  if (worker) s.put(MachineConfigPool, { ...worker, spec: { ...worker.spec, osImageStream: { name: 'rhel-10' } } })
  await expect(s.reconcile()).rejects.toMatchObject({ reason: 'StreamUnavailable' })
})

test('renderController ignores a pool that is gone', async () => {
  await expect(scene().reconcile('gone')).resolves.toEqual({ kind: 'settled' })
})

test('renderController removes old rendered configs that nobody uses, and no others', async () => {
  const s = scene({ collect: { keepNewest: 1, minAgeMs: 1000 } })
  await s.reconcile()
  const first = target(s)
  for (const text of ['1', '2', '3']) {
    await s.clock.advance(10_000)
    s.put(MachineConfig, fragment('99-b', { config: withFile('/etc/b', text) }))
    await s.reconcile()
  }
  s.put(Node, { metadata: { name: 'n', annotations: { [nodeAnnotation.currentConfig]: first } } })
  await s.clock.advance(10_000)
  await s.reconcile()
  const left = s.cache.list(MachineConfig).map(({ metadata }) => metadata.name ?? '')
  expect(left.filter((name) => name.startsWith('rendered-')).sort()).toEqual([first, target(s)].sort())
})

// biome-ignore lint/suspicious/noExplicitAny: watches are over different kinds
const watchOf = ({ controller }: Scene, plural: string): Watch<any>['keysOf'] =>
  controller.watches.find(({ kind }) => kind.plural === plural)?.keysOf ?? (() => ['no such watch'])

const infra = () => pool('infra', {}, { uid: 'uid-infra' })

test('renderController looks at both pools when a MachineConfig changes its label', () => {
  const s = scene()
  s.put(MachineConfigPool, infra())
  const keysOf = watchOf(s, 'machineconfigs')
  const old = fragment('a')
  expect(keysOf({ old, now: fragment('a', {}, { role: 'infra' }) })).toEqual(['worker', 'infra'])
  expect(keysOf({ old, now: { ...old, metadata: { ...old.metadata, resourceVersion: '9' } } })).toEqual([])
  expect(keysOf({ old })).toEqual(['worker'])
})

test('renderController looks at the owner only when a rendered config changes', () => {
  const s = scene()
  s.put(MachineConfigPool, infra())
  const owner = { apiVersion: 'v1', kind: 'MachineConfigPool', name: 'infra', uid: 'uid-infra', controller: true }
  const rendered = { metadata: { name: 'rendered-infra-1', ownerReferences: [owner] } }
  expect(watchOf(s, 'machineconfigs')({ old: rendered })).toEqual(['infra'])
})

test('renderController looks at custom pools when the worker pool changes its stream', () => {
  const s = scene()
  s.put(MachineConfigPool, infra())
  s.put(MachineConfigPool, pool('master'))
  const keysOf = watchOf(s, 'machineconfigpools')
  const now = pool('worker', { osImageStream: { name: 'rhel-10' } })
  expect(keysOf({ old: pool(), now })).toEqual(['worker', 'infra'])
  expect(keysOf({ old: pool(), now: pool('worker', { paused: true }) })).toEqual(['worker'])
})

test('renderController looks at all pools when the ControllerConfig settles, not when certificates are reported', () => {
  const keysOf = watchOf(scene(), 'controllerconfigs')
  const old = controllerConfig()
  const certificates = { ...old, status: { ...old.status, controllerCertificates: [] } }
  expect(keysOf({ old, now: certificates })).toEqual([])
  expect(keysOf({ old, now: { ...old, status: { observedGeneration: 0 } } })).toEqual(['worker'])
})
