import { afterEach, expect, test } from 'vitest'
import { KubeletConfig } from '../../../src/api/kubeletConfig.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { machineConfigLabel } from '../../../src/api/names.ts'
import { inProcessTransport } from '../../../src/embedded/inProcessTransport.ts'
import { seedCluster } from '../../../src/embedded/seed.ts'
import { startApiServer } from '../../../src/embedded/server/start.ts'
import { kubeClient } from '../../../src/kube/client.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { createInformers } from '../../../src/kube/informers.ts'
import type { KubeApi } from '../../../src/kube/kubeApi.ts'
import { silentLog } from '../../../src/kube/log.ts'
import { runController } from '../../../src/kube/runController.ts'
import { renderController } from '../../../src/render/renderController.ts'
import { fragment, ignition, withFile } from '../../kube/renderObjects.ts'

/** The render controller on the embedded API server, through the real client, caches and queue. */
interface World {
  readonly kube: KubeApi
  readonly events: readonly string[]
  /** Resolves with the pool as soon as it is as wanted; the test's time limit ends a wait that never comes true. */
  until(name: string, wanted: (pool: MachineConfigPool) => boolean): Promise<MachineConfigPool>
}

const build = { version: 'v1', hash: 'abc' }
const ended: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

async function world(customPools: readonly string[] = []): Promise<World> {
  const server = await startApiServer({ dataDir: ':memory:' })
  const kube = kubeClient(inProcessTransport(server.handle))
  await seedCluster(kube, build, customPools, new Date())
  const stop = new AbortController()
  const informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
  const events: string[] = []
  const recorder = { event: (_object: unknown, _type: string, reason: string) => void events.push(reason) }
  const ports = { cache: informers.cache, kube, clock: systemClock, events: recorder, log: silentLog, ...build }
  const running = runController(renderController(ports), { informers, clock: systemClock }, stop.signal)
  ended.push(async () => {
    stop.abort()
    await running
    await informers.stopped()
    await server.close()
  })
  return {
    kube,
    events,
    until: (name, wanted) =>
      new Promise((resolve) => {
        const unsubscribe = informers.subscribe(MachineConfigPool, ({ now }) => {
          if (now?.metadata.name !== name || !wanted(now)) return
          queueMicrotask(() => unsubscribe())
          resolve(now)
        })
      }),
  }
}

const target = ({ spec }: MachineConfigPool) => spec.configuration?.name ?? ''
const sources = ({ spec }: MachineConfigPool) => (spec.configuration?.source ?? []).map(({ name }) => name)
const degraded = ({ status }: MachineConfigPool) => status?.conditions?.find(({ type }) => type === 'RenderDegraded')
const isRendered = (pool: MachineConfigPool) => target(pool) !== '' && degraded(pool)?.status === 'False'

test('a new pool gets its target, and a new MachineConfig another one', async () => {
  const { kube, until } = await world()
  const first = await until('worker', isRendered)
  const rendered = await kube.get(MachineConfig, { name: target(first) })
  expect(rendered.metadata.ownerReferences).toMatchObject([{ kind: 'MachineConfigPool', uid: first.metadata.uid }])
  await kube.create(MachineConfig, fragment('50-file', { config: withFile('/etc/a') }))
  const second = await until('worker', (pool) => target(pool) !== target(first))
  expect(sources(second)).toContain('50-file')
})

test('a relabelled MachineConfig leaves one pool and enters another', async () => {
  const { kube, until } = await world(['infra'])
  await kube.create(MachineConfig, fragment('50-file', { config: withFile('/etc/a') }, { role: 'master' }))
  await until('master', (pool) => sources(pool).includes('50-file'))
  const body = { metadata: { labels: { [machineConfigLabel.role]: 'infra' } } }
  await kube.patch(MachineConfig, { name: '50-file' }, { type: 'merge', body })
  await until('infra', (pool) => sources(pool).includes('50-file'))
  await until('master', (pool) => !sources(pool).includes('50-file'))
})

test('a broken MachineConfig degrades the pool, keeps its target, and its removal heals it', async () => {
  const { kube, until } = await world()
  const before = await until('worker', isRendered)
  await kube.create(MachineConfig, fragment('50-broken', { config: { ignition: { version: '9.0.0' } } }))
  const broken = await until('worker', (pool) => degraded(pool)?.status === 'True')
  expect(target(broken)).toBe(target(before))
  expect(degraded(broken)?.message).toContain('Failed to render configuration for pool worker')
  await kube.delete(MachineConfig, { name: '50-broken' })
  expect(target(await until('worker', isRendered))).toBe(target(before))
})

test('a KubeletConfig that has not settled holds the render back, and lets it go on when it has', async () => {
  const { kube, until } = await world()
  const before = await until('worker', isRendered)
  const selector = { machineConfigPoolSelector: { matchLabels: {} } }
  const created = await kube.create(KubeletConfig, { metadata: { name: 'k' }, spec: selector })
  await kube.create(MachineConfig, fragment('50-args', { config: ignition(), kernelArguments: ['a'] }))
  const condition = {
    type: 'Accepted',
    status: 'True',
    reason: '',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const status = { observedGeneration: created.metadata.generation ?? 1, conditions: [condition] }
  await kube.updateStatus(KubeletConfig, { ...created, status })
  const after = await until('worker', (pool) => target(pool) !== target(before))
  expect(sources(after)).toContain('50-args')
})
