import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolCondition } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { startStatusServer } from '../daemon/statusServer.ts'
import { cacheSnapshot } from '../forecast/cacheSnapshot.ts'
import { clusterMetrics } from '../forecast/metrics/clusterMetrics.ts'
import type { Random } from '../kube/backOff.ts'
import { kubeClient } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import { startEventRecorder } from '../kube/eventRecorder.ts'
import type { EventRecorder } from '../kube/events.ts'
import { createInformers, type Informers } from '../kube/informers.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { runController } from '../kube/runController.ts'
import { controllerMetricsPage } from '../operator/controllerMetrics.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { productAdmission, type StoredObjects } from './admit.ts'
import { clusterControllers } from './clusterControllers.ts'
import { reservePort, runConfigServer } from './configServer.ts'
import type { FleetNode } from './fleet.ts'
import { createFleet } from './fleetRuntime.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { type ConfigServerPlace, productControllers } from './productControllers.ts'
import { type BuildIdentity, seedCluster } from './seed.ts'
import { seedKeeper } from './seedKeeper.ts'
import { administrator } from './server/apiRequest.ts'
import { type RunningApiServer, startApiServer } from './server/start.ts'

export interface SingleProcessOptions {
  /** A directory, or `:memory:` for a cluster that ends with the process. */
  readonly dataDir: string
  /** 0 picks a free one. */
  readonly port: number
  readonly host?: string
  /** Further names and addresses by which machines reach the API server and the config server. */
  readonly names?: readonly string[]
  readonly fleet: readonly FleetNode[]
  readonly customPools: readonly string[]
  readonly build: BuildIdentity
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** How long a simulated machine takes to boot. */
  readonly rebootMs?: number
  /** False leaves out fsync and drift watches on the nodes' disks, for large simulated fleets. */
  readonly durableNodes?: boolean
  /** `elsewhere`: the product's controllers run in another process, against this API server. */
  readonly controllers?: 'here' | 'elsewhere'
  /** Serves configs to machines that join; on no port when absent, on a free one for 0. */
  readonly configServer?: { readonly port: number }
  /** Where the controllers' `/healthz` and `/metrics` are answered; on no port when absent, on a free one for 0. */
  readonly metrics?: { readonly port: number }
  /** Called after the seed, before the controllers run. */
  readonly prepare?: (kube: KubeApi) => Promise<void>
}

/** A cluster in this process: API server, controllers, scheduler, kubelets and node daemons. */
export interface SingleProcessCluster {
  readonly url: string
  /** `URL/POOL` is the config of a new machine. */
  readonly configUrl?: string
  /** The page of the controllers, for Prometheus. */
  readonly metricsUrl?: string
  /** The administrator's, readable by its owner alone. */
  readonly kubeconfigPath: string
  /** `DIR/nodes/NAME/root` is each machine's disk. */
  readonly nodesDir: string
  readonly kube: KubeApi
  readonly informers: Informers
  readonly server: RunningApiServer
  /** Resolves when every pool is Updated and counts the nodes planned for it. */
  updated(signal?: AbortSignal): Promise<void>
  /** Ends the controllers and daemons, lets running updates end, closes the storage. */
  close(): Promise<void>
}

/** Starts the whole cluster; resolves when the API answers and everything runs. */
export async function startSingleProcess(options: SingleProcessOptions): Promise<SingleProcessCluster> {
  const { dataDir, port, host, names = [], fleet, customPools, build, clock, random, log } = options
  const inMemory = dataDir === ':memory:'
  const nodesDir = join(inMemory ? await mkdtemp(join(tmpdir(), 'mco-nodes-')) : dataDir, 'nodes')
  const configPort = options.configServer && (await reservePort(options.configServer.port))
  const stored: { objects?: StoredObjects } = {}
  const server = await startApiServer({
    dataDir,
    port,
    ...(host === undefined ? {} : { host }),
    names,
    clock,
    admit: productAdmission({
      infrastructure: () => stored.objects?.infrastructure(),
      osImageStream: () => stored.objects?.osImageStream(),
    }),
    onFault: (error) => log.error('the API server failed to answer a request', { error: messageOf(error) }),
  })
  const kube = kubeClient(inProcessTransport(server.handle, { identity: administrator }), {
    userAgent: 'machine-config-controller',
  })
  await seedCluster(kube, build, customPools, clock.now(), server.caPem)
  await options.prepare?.(kube)

  const stop = new AbortController()
  const { parse } = fragmentParser()
  const page = controllerMetricsPage({
    version: build.version,
    clock,
    cluster: () => clusterMetrics(cacheSnapshot(informers.cache), clock.now(), { parse }),
  })
  const informers: Informers = createInformers({
    kube,
    clock,
    random,
    signal: stop.signal,
    log,
    metrics: page,
    isOptional: () => true,
  })
  const status =
    options.metrics &&
    (await startStatusServer({
      host: '127.0.0.1',
      port: options.metrics.port,
      fault: () => undefined,
      metrics: page.render,
    }))
  stored.objects = storedObjects(informers)
  const recorders = new Map<string, ReturnType<typeof startEventRecorder>>()
  const eventsOf = (component: string): EventRecorder => {
    const known = recorders.get(component) ?? startEventRecorder({ kube, clock, random, component, log, metrics: page })
    recorders.set(component, known)
    return known
  }
  const configServer: ConfigServerPlace = {
    names: ['localhost', '127.0.0.1', '::1', ...names],
    ...(configPort !== undefined && { endpoint: `127.0.0.1:${configPort}` }),
  }
  const ports = { kube, informers, clock, random, log, eventsOf, configServer, drainMetrics: page }
  const machines = await createFleet(
    {
      ...ports,
      server,
      fleet,
      nodesDir,
      certificateDelivered: page.certificateDelivered,
      rebootMs: options.rebootMs ?? 1500,
      durable: options.durableNodes ?? true,
    },
    stop.signal,
  )
  const controllers = [
    ...(options.controllers === 'elsewhere' ? [] : productControllers(ports, build)),
    seedKeeper(ports, build),
    ...clusterControllers(ports),
    ...machines.controllers,
  ]
  const running = controllers.map((controller) =>
    runController(controller, { informers, clock, log, metrics: page }, stop.signal).catch((error: unknown) => {
      log.error('a controller ended', { controller: controller.name, error: messageOf(error) })
      stop.abort(error)
    }),
  )
  const fleetDone = machines.run().catch((error: unknown) => {
    log.error('the simulated machines ended', { error: messageOf(error) })
    stop.abort(error)
  })

  const serving =
    configPort === undefined
      ? Promise.resolve()
      : runConfigServer(
          { server, kube, clock, random, log, port: configPort, ...(inMemory ? {} : { dataDir }) },
          stop.signal,
        )

  return {
    url: server.url,
    ...(configPort !== undefined && { configUrl: `https://127.0.0.1:${configPort}/config` }),
    ...(status && { metricsUrl: `${status.url}/metrics` }),
    kubeconfigPath: server.kubeconfigPath,
    nodesDir,
    kube,
    informers,
    server,
    updated: (signal) => poolsUpdated(informers, fleet, signal),
    async close() {
      stop.abort(new Error('the cluster is shut down'))
      await Promise.all([...running, fleetDone, serving])
      await Promise.all([...recorders.values()].map((recorder) => recorder.close(1000)))
      await informers.stopped()
      await status?.close()
      await server.close()
      if (inMemory) await rm(join(nodesDir, '..'), { recursive: true, force: true })
    },
  }
}

/** What admission looks up, kept by a watch: a write is admitted in one step, so nothing can be read meanwhile. */
function storedObjects(informers: Informers): StoredObjects {
  let stream: OSImageStream | undefined
  informers.subscribe(OSImageStream, ({ now }) => {
    stream = now
  })
  // The platform is an OpenShift setting; a plain cluster has none, so boot images are not managed there.
  return { infrastructure: () => undefined, osImageStream: () => stream }
}

/** By events: each change of a pool asks again. Whichever pools the machines are in: a user may have renamed one. */
async function poolsUpdated(informers: Informers, fleet: readonly FleetNode[], signal?: AbortSignal): Promise<void> {
  const pools = new Map<string, MachineConfigPool>()
  const isDone = (): boolean =>
    [...pools.values()].every(isUpdated) &&
    [...pools.values()].reduce((sum, { status }) => sum + (status?.machineCount ?? 0), 0) >= fleet.length
  await new Promise<void>((resolve, reject) => {
    const unsubscribe = informers.subscribe(MachineConfigPool, ({ old, now }) => {
      if (now) pools.set(now.metadata.name ?? '', now)
      else pools.delete(old?.metadata.name ?? '')
      if (!isDone()) return
      // The first call comes before subscribe has returned.
      queueMicrotask(() => unsubscribe())
      resolve()
    })
    signal?.addEventListener(
      'abort',
      () => {
        unsubscribe()
        reject(signal.reason)
      },
      { once: true },
    )
  })
}

function isUpdated({ spec, status }: MachineConfigPool): boolean {
  const target = spec.configuration?.name ?? ''
  const updated = status?.conditions?.some(
    ({ type, status: value }) => type === poolCondition.updated && value === 'True',
  )
  return target !== '' && updated === true && status?.configuration?.name === target
}
