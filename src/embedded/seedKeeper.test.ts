import { afterEach, expect, it } from 'vitest'
import { ControllerConfig } from '../api/controllerConfig.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { kubeClient } from '../kube/client.ts'
import { systemClock } from '../kube/clock.ts'
import { createInformers } from '../kube/informers.ts'
import { silentLog } from '../kube/log.ts'
import { runController } from '../kube/runController.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { seedCluster } from './seed.ts'
import { seedKeeper } from './seedKeeper.ts'
import { startApiServer } from './server/start.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const build = { version: '1.0.0', hash: 'a'.repeat(40) }

async function aSeededCluster() {
  const server = await startApiServer({ dataDir: ':memory:' })
  const kube = kubeClient(inProcessTransport(server.handle))
  await seedCluster(kube, build, ['infra'], systemClock.now())
  const stop = new AbortController()
  const ports = { kube, clock: systemClock, random: Math.random, log: silentLog }
  const informers = createInformers({ ...ports, signal: stop.signal })
  const running = runController(seedKeeper(ports, build), { ...ports, informers }, stop.signal)
  await informers.synced(stop.signal)
  endings.push(async () => {
    stop.abort(new Error('the test has ended'))
    await running
    await informers.stopped()
    await server.close()
  })
  return { kube, informers }
}

/** Deletes an object and resolves with the one that takes its place. */
async function replaced<T extends KubernetesObject>(
  { kube, informers }: Awaited<ReturnType<typeof aSeededCluster>>,
  kind: Kind<T>,
  name: string,
): Promise<T> {
  const { metadata } = await kube.get(kind, { name })
  const successor = new Promise<T>((resolve) => {
    informers.subscribe(kind, ({ now }) => {
      if (now?.metadata.name === name && now.metadata.uid !== metadata.uid) resolve(now)
    })
  })
  await kube.delete(kind, { name })
  return successor
}

it('seedKeeper brings back everything that the operator owns, as it was', async () => {
  const cluster = await aSeededCluster()
  const objects: readonly (readonly [Kind<KubernetesObject>, string])[] = [
    [ControllerConfig, 'machine-config-controller'],
    [MachineConfiguration, 'cluster'],
    [MachineConfigPool, 'worker'],
    [MachineConfig, '00-master'],
  ]
  for (const [kind, name] of objects) {
    const before = await cluster.kube.get(kind, { name })
    const after = await replaced(cluster, kind, name)
    expect({ ...after, metadata: after.metadata.labels, status: undefined }).toEqual({
      ...before,
      metadata: before.metadata.labels,
      status: undefined,
    })
  }
})

it('seedKeeper leaves a pool deleted that is not the operator’s', async () => {
  const cluster = await aSeededCluster()
  await cluster.kube.delete(MachineConfigPool, { name: 'infra' })
  await replaced(cluster, MachineConfigPool, 'master')
  const { items } = await cluster.kube.list(MachineConfigPool)
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['master', 'worker'])
})
