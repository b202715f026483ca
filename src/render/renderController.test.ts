import fc from 'fast-check'
import { expect, test } from 'vitest'
import { controllerConfig, fragment, hash, ignition, pool, version, withFile } from '../../test/kube/renderObjects.ts'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { nodeAnnotation } from '../api/names.ts'
import type { Controller, Watch } from '../kube/controller.ts'
import { Retryable, Terminal, Waiting } from '../kube/errors.ts'
import { silentLog } from '../kube/log.ts'
import { renderPools } from './bootstrap.ts'
import { type RenderPorts, renderController } from './renderController.ts'

interface Scene {
  readonly cluster: FakeCluster
  readonly controller: Controller
  readonly events: readonly string[]
  /** One reconcile on caches that are up to date. */
  reconcile(key?: string): Promise<void>
  get<T extends KubernetesObject>(kind: Kind<T>, name: string): T | undefined
  /** Verbs and objects written since the last call. */
  written(): string[]
}

function scene(extra: Partial<RenderPorts> = {}): Scene {
  const cluster = new FakeCluster()
  const events: string[] = []
  const { cache, kube, clock } = cluster
  const controller = renderController({
    ...{ cache, kube, clock, version, hash, log: silentLog },
    events: { event: (_object, type, reason) => void events.push(`${type} ${reason}`) },
    ...extra,
  })
  cluster.attach(controller)
  cluster.put(MachineConfigPool, pool())
  cluster.put(ControllerConfig, controllerConfig())
  cluster.put(MachineConfig, fragment('00-a', { config: withFile('/etc/a') }))
  cluster.put(MachineConfig, fragment('99-b', { config: withFile('/etc/b') }))
  return {
    ...{ cluster, controller, events },
    get: (kind, name) => cluster.all(kind).find(({ metadata }) => metadata.name === name),
    async reconcile(key = 'worker') {
      cluster.deliver()
      await cluster.reconcile('render', key)
    },
    written: () =>
      cluster.writes.splice(0).map(({ verb, kind, name }) => `${verb} ${kind}/${name.replace(/[0-9a-f]{32}/, 'HASH')}`),
  }
}

const target = ({ get }: Scene) => get(MachineConfigPool, 'worker')?.spec.configuration?.name ?? ''
const renderDegraded = ({ get }: Scene) =>
  get(MachineConfigPool, 'worker')?.status?.conditions?.find(({ type }) => type === 'RenderDegraded')

test('renderController renders a new pool, then writes nothing more', async () => {
  const s = scene()
  await s.reconcile()
  expect(s.written()).toEqual([
    'create MachineConfig/rendered-worker-HASH',
    'patch MachineConfigPool/worker',
    'updateStatus MachineConfigPool/worker',
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
  if (config) s.cluster.put(MachineConfig, { ...config, spec: { ...config.spec, osImageURL: 'edited' } })
  s.written()
  await s.reconcile()
  expect(s.written()).toEqual(['update MachineConfig/rendered-worker-HASH'])
  expect(s.get(MachineConfig, target(s))?.spec?.osImageURL).toBe('registry.example.com/os@sha256:00')
})

test('renderController keeps the present config when a MachineConfig is broken, and recovers', async () => {
  const s = scene()
  await s.reconcile()
  const before = target(s)
  const broken = s.cluster.put(MachineConfig, fragment('50-broken', { config: {} }))
  await expect(s.reconcile()).rejects.toBeInstanceOf(Terminal)
  expect(target(s)).toBe(before)
  expect(renderDegraded(s)).toMatchObject({ status: 'True', message: expect.stringContaining('invalid version') })
  s.written()
  await expect(s.reconcile()).rejects.toBeInstanceOf(Terminal)
  expect(s.written()).toEqual([])
  s.cluster.put(MachineConfig, { ...broken, spec: { config: ignition() } })
  await s.reconcile()
  expect(renderDegraded(s)).toMatchObject({ status: 'False', message: '' })
})

test('renderController never publishes an irreconcilable config', async () => {
  const s = scene()
  await s.reconcile()
  s.cluster.put(MachineConfig, fragment('50-fips', { config: ignition(), fips: true }))
  s.written()
  await expect(s.reconcile()).rejects.toMatchObject({ reason: 'Irreconcilable' })
  expect(s.written()).toEqual(['updateStatus MachineConfigPool/worker'])
})

test('renderController waits for a KubeletConfig, tells once and writes nothing', async () => {
  const s = scene()
  s.cluster.put(KubeletConfig, { metadata: { name: 'k' }, spec: { machineConfigPoolSelector: {} } })
  await expect(s.reconcile()).rejects.toBeInstanceOf(Waiting)
  await expect(s.reconcile()).rejects.toBeInstanceOf(Waiting)
  expect(s.events).toEqual(['Normal RenderWaiting'])
  expect(s.written()).toEqual([])
})

test('renderController finishes after a crash between the rendered config and the pool', async () => {
  const s = scene()
  s.cluster.fault = ({ verb }) => (verb === 'patch' ? new Error('killed') : undefined)
  await expect(s.reconcile()).rejects.toThrow('killed')
  s.cluster.fault = undefined
  s.written()
  await s.reconcile()
  expect(s.written()).toEqual(['patch MachineConfigPool/worker', 'updateStatus MachineConfigPool/worker'])
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
  s.cluster.put(MachineConfig, fragment('50-image', { config, osImageURL: 'custom@sha256:1' }))
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
  if (worker)
    s.cluster.put(MachineConfigPool, { ...worker, spec: { ...worker.spec, osImageStream: { name: 'rhel-10' } } })
  await expect(s.reconcile()).rejects.toMatchObject({ reason: 'StreamUnavailable' })
})

test('renderController ignores a pool that is gone', async () => {
  const s = scene()
  await s.reconcile('gone')
  expect(s.written()).toEqual([])
})

test('renderController removes old rendered configs that nobody uses, and no others', async () => {
  const s = scene({ collect: { keepNewest: 1, minAgeMs: 1000 } })
  const renderedNames = () =>
    s.cluster
      .all(MachineConfig)
      .map(({ metadata }) => metadata.name ?? '')
      .filter((name) => name.startsWith('rendered-'))
  const age = () => {
    for (const name of renderedNames()) {
      s.cluster.change(MachineConfig, { name }, (config) => {
        const { creationTimestamp = s.cluster.clock.now().toISOString() } = config.metadata
        return { ...config, metadata: { ...config.metadata, creationTimestamp } }
      })
    }
    s.cluster.nowMs += 10_000
  }
  await s.reconcile()
  const first = target(s)
  for (const text of ['1', '2', '3']) {
    age()
    s.cluster.put(MachineConfig, fragment('99-b', { config: withFile('/etc/b', text) }))
    await s.reconcile()
  }
  age()
  s.cluster.put(Node, { metadata: { name: 'n', annotations: { [nodeAnnotation.currentConfig]: first } } })
  expect(renderedNames()).toHaveLength(4)
  await s.reconcile()
  expect(renderedNames().sort()).toEqual([first, target(s)].sort())
})

/** What may happen to a pool, in any order: users write and delete, watches lag, the controller is killed at a write. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    name: fc.integer({ min: 0, max: 3 }),
    text: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ do: fc.constant('delete' as const), name: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constant('edit' as const) }),
  fc.record({ do: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('reconcile' as const), killAt: fc.integer({ min: 0, max: 5 }) }),
)

async function perform(
  { cluster }: Scene,
  event: typeof step extends fc.Arbitrary<infer E> ? E : never,
): Promise<void> {
  switch (event.do) {
    case 'put':
      cluster.put(MachineConfig, fragment(`50-${event.name}`, { config: withFile('/etc/x', `${event.text}`) }))
      return
    case 'delete':
      if (cluster.all(MachineConfig).some(({ metadata }) => metadata.name === `50-${event.name}`)) {
        cluster.remove(MachineConfig, { name: `50-${event.name}` })
      }
      return
    case 'edit':
      for (const { metadata } of cluster.all(MachineConfig)) {
        if (!metadata.name?.startsWith('rendered-')) continue
        cluster.change(MachineConfig, { name: metadata.name }, (config) => ({
          ...config,
          spec: { ...config.spec, osImageURL: 'edited' },
        }))
      }
      return
    case 'deliver':
      cluster.deliver(event.count)
      return
    case 'reconcile': {
      let writes = 0
      cluster.fault = () => (++writes > event.killAt ? new Retryable('killed') : undefined)
      await cluster.step()
      cluster.fault = undefined
      return
    }
    default:
      event satisfies never
  }
}

test('renderController converges after any history, and a pool never names a config that does not exist', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (history) => {
      const s = scene()
      s.cluster.deliver()
      for (const event of history) {
        await perform(s, event)
        if (target(s) !== '') expect(s.get(MachineConfig, target(s))).toBeDefined()
      }
      await s.cluster.advance(60_000)
      const configs = s.cluster.all(MachineConfig).filter(({ metadata }) => !metadata.name?.startsWith('rendered-'))
      const pools = s.cluster.all(MachineConfigPool)
      const offline = renderPools({ pools, configs, controllerConfig: controllerConfig(), version, hash })
      const expected = offline.kind === 'rendered' ? offline.machineConfigs[0] : undefined
      expect(target(s)).toBe(expected?.metadata.name)
      expect(s.get(MachineConfig, target(s))?.spec).toEqual(expected?.spec)
      s.cluster.writes.splice(0)
      await s.reconcile()
      expect(s.cluster.writes).toEqual([])
    }),
    { numRuns: 60 },
  )
})

// biome-ignore lint/suspicious/noExplicitAny: watches are over different kinds
function watchOf({ cluster, controller }: Scene, plural: string): Watch<any>['keysOf'] {
  cluster.deliver()
  return controller.watches.find(({ kind }) => kind.plural === plural)?.keysOf ?? (() => ['no such watch'])
}

const infra = () => pool('infra', {}, { uid: 'uid-infra' })

test('renderController looks at both pools when a MachineConfig changes its label', () => {
  const s = scene()
  s.cluster.put(MachineConfigPool, infra())
  const keysOf = watchOf(s, 'machineconfigs')
  const old = fragment('a')
  expect(keysOf({ old, now: fragment('a', {}, { role: 'infra' }) })).toEqual(['worker', 'infra'])
  expect(keysOf({ old, now: { ...old, metadata: { ...old.metadata, resourceVersion: '9' } } })).toEqual([])
  expect(keysOf({ old })).toEqual(['worker'])
})

test('renderController looks at the owner only when a rendered config changes', () => {
  const s = scene()
  s.cluster.put(MachineConfigPool, infra())
  const owner = { apiVersion: 'v1', kind: 'MachineConfigPool', name: 'infra', uid: 'uid-infra', controller: true }
  const rendered = { metadata: { name: 'rendered-infra-1', ownerReferences: [owner] } }
  expect(watchOf(s, 'machineconfigs')({ old: rendered })).toEqual(['infra'])
})

test('renderController looks at custom pools when the worker pool changes its stream', () => {
  const s = scene()
  s.cluster.put(MachineConfigPool, infra())
  s.cluster.put(MachineConfigPool, pool('master'))
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
