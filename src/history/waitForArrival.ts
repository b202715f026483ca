import { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { singletonName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { PoolRollout } from '../api/poolRollout.ts'
import { type ClusterSnapshot, emptySnapshot } from '../forecast/clusterSnapshot.ts'
import { systemClock } from '../kube/clock.ts'
import { messageOf, Retryable } from '../kube/errors.ts'
import { createInformers } from '../kube/informers.ts'
import { ApiError, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { rememberGeneration } from '../render/rememberGeneration.ts'
import { type Arrival, arrivalOf } from './arrival.ts'

export interface WaitOptions {
  readonly signal: AbortSignal
  /** Called with what differs from the last time. */
  readonly onProgress?: (arrivals: readonly Arrival[]) => void
  /** Called when the API server is away, as it may be while control-plane nodes reboot; the wait goes on. */
  readonly onAway?: (why: string) => void
  /** Ends the wait before everything has arrived. */
  readonly isEnough?: (arrivals: readonly Arrival[]) => boolean
}

interface Read {
  readonly snapshot: ClusterSnapshot
  /** Undefined: the cluster keeps no history. */
  readonly rollouts: readonly PoolRollout[] | undefined
}

/** What a wait looks at again when it changes. */
const watched: readonly Kind<KubernetesObject>[] = [
  MachineConfigPool,
  Node,
  MachineConfig,
  ControllerConfig,
  KubeletConfig,
  ContainerRuntimeConfig,
  MachineOSConfig,
  PoolRollout,
]

/** Changes come in bursts; each look reads the API server. */
const leastPauseMs = 100
/** What no watched object tells, such as a limit of time that has passed. */
const lookAgainMs = 10_000

/**
 * Resolves when everything that was changed before the call has arrived on every node of the pools that `poolsOf` names,
 * never before. Each look is one complete read that begins after the call, in an order that cannot be fooled: what nodes
 * shall have, then what pools say, then what nodes have. Rejects when the signal aborts, and when the first look fails.
 */
export async function waitForArrival(
  kube: KubeApi,
  poolsOf: (read: Read) => readonly string[],
  { signal, onProgress, onAway, isEnough = () => false }: WaitOptions,
): Promise<readonly Arrival[]> {
  const tools = { parse: fragmentParser().parse, generate: rememberGeneration() }
  let told = ''
  const look = async (): Promise<readonly Arrival[] | undefined> => {
    const read = await readOnce(kube, signal)
    const now = new Date()
    const arrivals = poolsOf(read).map((pool) => arrivalOf(read.snapshot, read.rollouts, pool, tools, now))
    const text = JSON.stringify(arrivals)
    if (text !== told) onProgress?.(arrivals)
    told = text
    return isEnough(arrivals) || arrivals.every(({ kind }) => kind !== 'onTheWay') ? arrivals : undefined
  }
  // Most waits are for something that is there already: then no watch is begun.
  const first = await look()
  if (first) return first
  const stop = new AbortController()
  const changes = new Changes()
  const onAbort = () => changes.tell()
  signal.addEventListener('abort', onAbort, { once: true })
  const informers = createInformers({
    kube,
    clock: systemClock,
    random: Math.random,
    signal: stop.signal,
    isOptional: () => true,
  })
  try {
    for (const kind of watched) informers.subscribe(kind, () => changes.tell())
    for (;;) {
      await changes.next(lookAgainMs)
      signal.throwIfAborted()
      const arrivals = await look().catch(unlessAway)
      if (arrivals) return arrivals
      await pause(leastPauseMs)
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    await informers.stopped()
  }

  /** Once it was there, an API server that is away comes back. */
  function unlessAway(error: unknown): undefined {
    if (signal.aborted || !isAway(error)) throw error
    const why = messageOf(error)
    if (why !== told) onAway?.(why)
    told = why
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof Retryable || (error instanceof ApiError && (error.status === 429 || error.status >= 500))

/** One complete read. Fragments before pools, pools before nodes: see `waitForArrival`. */
async function readOnce(kube: KubeApi, signal: AbortSignal): Promise<Read> {
  const items = async <T extends KubernetesObject>(kind: Kind<T>): Promise<readonly T[]> =>
    (await kube.list(kind, { signal })).items
  const optional = <T extends KubernetesObject>(kind: Kind<T>): Promise<readonly T[] | undefined> =>
    items(kind).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
  const [machineConfigs, controllerConfigs, settings, kubeletConfigs, runtimeConfigs, osConfigs, builds, streams] =
    await Promise.all([
      items(MachineConfig),
      items(ControllerConfig),
      optional(MachineConfiguration),
      optional(KubeletConfig),
      optional(ContainerRuntimeConfig),
      optional(MachineOSConfig),
      optional(MachineOSBuild),
      optional(OSImageStream),
    ])
  const pools = await items(MachineConfigPool)
  const nodes = await items(Node)
  const [machineConfigNodes, rollouts] = await Promise.all([optional(MachineConfigNode), optional(PoolRollout)])
  const snapshot = {
    ...emptySnapshot,
    pools,
    nodes,
    machineConfigs,
    machineConfigNodes: machineConfigNodes ?? [],
    controllerConfig: named(controllerConfigs, singletonName.controllerConfig),
    machineConfiguration: named(settings, singletonName.machineConfiguration),
    kubeletConfigs: kubeletConfigs ?? [],
    containerRuntimeConfigs: runtimeConfigs ?? [],
    machineOSConfigs: osConfigs ?? [],
    machineOSBuilds: builds ?? [],
    osImageStream: named(streams, singletonName.osImageStream),
  }
  return { snapshot, rollouts }
}

const named = <T extends KubernetesObject>(objects: readonly T[] | undefined, name: string): T | undefined =>
  objects?.find(({ metadata }) => metadata.name === name)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Remembers that something changed until somebody asks. */
class Changes {
  #happened = false
  #wake: (() => void) | undefined

  tell(): void {
    this.#happened = true
    this.#wake?.()
  }

  /** Resolves at the next change, or at once when one was missed, or when the time is over. */
  async next(limitMs: number): Promise<void> {
    if (!this.#happened) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#happened = false
    this.#wake = undefined
  }
}
