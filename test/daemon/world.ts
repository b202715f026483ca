import { CustomResourceDefinition } from '../../src/api/apiextensions.ts'
import { Namespace, Node } from '../../src/api/core.ts'
import { customResourceDefinitions } from '../../src/api/generated/crds.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { nodeAnnotation as key, operatorNamespace } from '../../src/api/names.ts'
import { emptyConfigName } from '../../src/daemon/change.ts'
import { informerClusterView } from '../../src/daemon/clusterView.ts'
import { kubeConfigSource } from '../../src/daemon/configSource.ts'
import { type NodeDaemonOptions, nodeDaemon } from '../../src/daemon/nodeDaemon.ts'
import { inProcessTransport } from '../../src/embedded/inProcessTransport.ts'
import { startApiServer } from '../../src/embedded/server/start.ts'
import type { DirectoryHostOptions } from '../../src/host/directoryHost.ts'
import { kubeClient } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { createInformers } from '../../src/kube/informers.ts'
import type { KubeApi } from '../../src/kube/kubeApi.ts'
import { silentLog } from '../../src/kube/log.ts'
import { type ConfigInput, machineConfig, newRoot, removeRoots, testHost } from './builders.ts'

/** One node, a real daemon on a directory, the embedded API server, and stand-ins for the other controllers. */
const ended: (() => Promise<void>)[] = []

export async function endWorlds(): Promise<void> {
  for (const end of ended.splice(0).reverse()) await end()
  removeRoots()
}

export interface World {
  readonly kube: KubeApi
  readonly root: string
  readonly events: string[]
  readonly drains: string[]
  /** `die` is asked before every effect on host and API; when it throws, the process is dead from then on. */
  start(
    options?: Partial<NodeDaemonOptions> & {
      readonly host?: never
      readonly directory?: DirectoryHostOptions
      readonly die?: () => void
    },
  ): { stop(): Promise<void> }
  render(input: ConfigInput): Promise<void>
  desire(name: string): Promise<void>
  annotations(): Promise<Readonly<Record<string, string>>>
  until(
    condition: (annotations: Readonly<Record<string, string>>) => boolean,
  ): Promise<Readonly<Record<string, string>>>
}

export async function world(): Promise<World> {
  const server = await startApiServer({ dataDir: ':memory:' })
  ended.push(() => server.close())
  const kube = kubeClient(inProcessTransport(server.handle))
  for (const definition of customResourceDefinitions) await kube.create(CustomResourceDefinition, definition)
  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operatorNamespace } })
  await kube.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', labels: { 'node-role.kubernetes.io/worker': '' } },
  })
  const root = newRoot()
  const events: string[] = []
  const drains: string[] = []
  const annotations = async () => (await kube.get(Node, { name: 'node-1' })).metadata.annotations ?? {}
  const controller = new AbortController()
  const draining = acknowledgeDrains(kube, drains, controller.signal)
  ended.push(async () => {
    controller.abort()
    await draining
  })
  return {
    kube,
    root,
    events,
    drains,
    annotations,
    start({ directory, die, ...options } = {}) {
      const stopped = new AbortController()
      const host = testHost(root, { ...directory, ...(die && { checkpoint: die }) })
      const informers = createInformers({
        kube,
        clock: systemClock,
        random: Math.random,
        signal: stopped.signal,
        log: silentLog,
      })
      const daemon = nodeDaemon({
        nodeName: 'node-1',
        kube: die ? mortal(kube, die) : kube,
        clock: systemClock,
        events: { event: (_object, type, reason) => events.push(`${type} ${reason}`) },
        log: silentLog,
        random: Math.random,
        cluster: informerClusterView(informers),
        configs: kubeConfigSource(kube),
        ...options,
        host,
      })
      const running = daemon.run(stopped.signal)
      const stop = async (): Promise<void> => {
        stopped.abort()
        await running
        await informers.stopped()
        host.close()
      }
      ended.push(stop)
      return {
        async stop() {
          ended.splice(ended.indexOf(stop), 1)
          await stop()
        },
      }
    },
    async render(input) {
      await kube.create(MachineConfig, machineConfig(input))
    },
    async desire(name) {
      await kube.patch(
        Node,
        { name: 'node-1' },
        { type: 'merge', body: { metadata: { annotations: { [key.desiredConfig]: name } } } },
      )
    },
    async until(condition) {
      for (const deadline = Date.now() + 8_000; ; ) {
        const now = await annotations()
        if (condition(now)) return now
        if (Date.now() > deadline)
          throw new Error(`not reached; annotations are ${JSON.stringify(now, null, 1)}, events ${events.join(', ')}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}

async function acknowledgeDrains(kube: KubeApi, drains: string[], signal: AbortSignal): Promise<void> {
  try {
    for await (const event of kube.watch(Node, { signal, sendInitialEvents: true })) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
      const { [key.desiredDrain]: wanted, [key.lastAppliedDrain]: applied } = event.object.metadata.annotations ?? {}
      if (!wanted || wanted === applied || drains.includes('hold')) continue
      drains.push(wanted)
      await kube.patch(
        Node,
        { name: 'node-1' },
        { type: 'merge', body: { metadata: { annotations: { [key.lastAppliedDrain]: wanted } } } },
      )
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

export const isDoneAt = (name: string) => (annotations: Readonly<Record<string, string>>) =>
  annotations[key.currentConfig] === name && annotations[key.state] === 'Done'

export const kubeletUnit = {
  name: 'kubelet.service',
  contents: '[Install]\nWantedBy=multi-user.target\n',
  enabled: true,
}

/** A node that runs `rendered-1`, adopted through the ordinary protocol. */
export async function nodeAt(
  input: ConfigInput,
  directory: DirectoryHostOptions = {},
): Promise<World & { stop(): Promise<void> }> {
  const it = await world()
  await it.render(input)
  const { stop } = it.start({ directory })
  await it.until(isDoneAt(emptyConfigName))
  await it.desire(input.name ?? '')
  await it.until(isDoneAt(input.name ?? ''))
  it.drains.length = 0
  it.events.length = 0
  return { ...it, stop }
}

/** Every write of this client is an effect that the process may not live to make, or not live to hear of. */
function mortal(kube: KubeApi, die: () => void): KubeApi {
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    die()
    const answer = await write()
    die()
    return answer
  }
  return {
    get: (kind, key, options) => kube.get(kind, key, options),
    list: (kind, options) => kube.list(kind, options),
    watch: (kind, options) => kube.watch(kind, options),
    create: (kind, object, options) => around(() => kube.create(kind, object, options)),
    update: (kind, object, options) => around(() => kube.update(kind, object, options)),
    updateStatus: (kind, object, options) => around(() => kube.updateStatus(kind, object, options)),
    patch: (kind, key, patch, options) => around(() => kube.patch(kind, key, patch, options)),
    delete: (kind, key, options) => around(() => kube.delete(kind, key, options)),
    evict: (key, options) => around(() => kube.evict(key, options)),
  }
}
