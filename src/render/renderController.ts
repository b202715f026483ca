import { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { poolName, singletonName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { streamNameOf } from '../image-sets/poolStream.ts'
import type { Clock } from '../kube/clock.ts'
import { type Cache, type Controller, type Outcome, settled } from '../kube/controller.ts'
import { messageOf, Retryable, Terminal, Waiting } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { collectRendered } from './collectRendered.ts'
import type { CollectOptions } from './decideCollect.ts'
import { decideRender, type RenderDecision, type RenderSnapshot } from './decideRender.ts'
import { executeRender } from './executeRender.ts'
import { fragmentParser } from './parseFragment.ts'
import { rememberGeneration } from './rememberGeneration.ts'
import { renderWatches } from './renderWatches.ts'
import type { InspectedStream } from './runcGuard.ts'

export interface RenderPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  /** Version text and build hash of this program. */
  readonly version: string
  readonly hash: string
  /** The feature gates that are on; `OSStreams` alone is the product's default. */
  readonly featureGates?: () => ReadonlySet<string>
  /** Reads the stream label of an OS image from its registry; without it overridden images are not checked for runc. */
  readonly inspectStream?: (image: string, signal: AbortSignal) => Promise<string | undefined>
  readonly collect?: CollectOptions
}

const defaultGates: ReadonlySet<string> = new Set(['OSStreams'])

/** How long a render waits for others before it looks again by itself; their changes come earlier, by a watch. */
const waitingMs = 60_000
const inspectionTimeoutMs = 30_000

/**
 * Keeps every pool's spec.configuration at the merge of its MachineConfigs. Writes rendered MachineConfigs, the pool's
 * spec.configuration and its condition RenderDegraded, and only when they differ. A pool that cannot be rendered keeps
 * the config that it has.
 */
export function renderController(ports: RenderPorts): Controller {
  const { cache, clock, log } = ports
  const { parse } = fragmentParser()
  const tools = { parse, generate: rememberGeneration() }
  const inspected = new Map<string, InspectedStream>()
  const announced = new Map<string, string>()

  return {
    name: 'render',
    watches: renderWatches(cache),
    // Short: who saves a MachineConfig and waits for its pool shall find the new target there.
    coalesceMs: 5,
    workers: 2,

    async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
      const pool = cache.get(MachineConfigPool, { name: key })
      if (!pool || pool.metadata.deletionTimestamp) {
        announced.delete(key)
        return settled
      }
      const decision = await decideWithInspection(observe(pool, ports), signal)
      await executeRender(pool, withoutRepeatedEvents(key, decision), ports, signal)
      switch (decision.kind) {
        case 'ignored':
          return settled
        case 'waiting':
          throw new Waiting(new Date(clock.now().getTime() + waitingMs), 'RenderWaiting', decision.reasons.join('; '))
        case 'failed':
          if (decision.reason === 'InspectionFailed') throw new Retryable(decision.message)
          throw new Terminal(decision.reason, decision.message)
        case 'rendered':
          if (decision.actions.length > 0) tell(key, decision)
          else await collectRendered(key, ports, signal)
          return settled
        default:
          return decision satisfies never
      }
    },
  }

  /** Decides, and once more when the decision needs to know what is in an image. */
  async function decideWithInspection(snapshot: RenderSnapshot, signal: AbortSignal): Promise<Decided> {
    const first = decideRender(snapshot, tools)
    if (first.kind !== 'inspect') return first
    const known = inspected.get(first.image) ?? (await inspect(first.image, signal))
    const second = decideRender({ ...snapshot, inspected: known }, tools)
    if (second.kind === 'inspect') throw new Error(`inspecting ${first.image} led to inspecting ${second.image}`)
    return second
  }

  async function inspect(image: string, signal: AbortSignal): Promise<InspectedStream> {
    const { inspectStream } = ports
    if (!inspectStream) return { image, result: { kind: 'unavailable' } }
    try {
      const name = await inspectStream(image, AbortSignal.any([signal, AbortSignal.timeout(inspectionTimeoutMs)]))
      const found: InspectedStream = { image, result: name ? { kind: 'stream', name } : { kind: 'unlabelled' } }
      // A digest never changes its meaning; a tag may, and is asked about again.
      if (image.includes('@sha256:')) inspected.set(image, found)
      return found
    } catch (error) {
      if (signal.aborted) throw error
      return { image, result: { kind: 'failed', error: messageOf(error) } }
    }
  }

  /** A wait that goes on is told once, not with every look at the pool. */
  function withoutRepeatedEvents(key: string, decision: Decided): Decided {
    const said = decision.kind === 'waiting' || decision.kind === 'ignored' ? JSON.stringify(decision.actions) : ''
    const isRepeated = said !== '' && announced.get(key) === said
    announced.set(key, said)
    return isRepeated ? { ...decision, actions: [] } : decision
  }

  function tell(pool: string, { rendered, overridden, sizeBytes, nearSizeLimit, actions }: Rendered): void {
    const because = actions.flatMap((action) => ('because' in action ? [action.because] : []))
    log.info('a pool was rendered', { pool, config: rendered.metadata.name, sizeBytes, because })
    if (nearSizeLimit) log.warn('a rendered config is near the size limit', { pool, sizeBytes })
    const image = rendered.spec?.osImageURL ?? ''
    if (overridden && !image.includes('sha256:')) {
      log.warn('an OS image is named by tag, not by digest: nodes may get different images', { pool, image })
    }
  }
}

type Decided = Exclude<RenderDecision, { kind: 'inspect' }>
type Rendered = Extract<RenderDecision, { kind: 'rendered' }>

function observe(pool: MachineConfigPool, ports: RenderPorts): RenderSnapshot {
  const { cache, clock, version, hash, featureGates = () => defaultGates } = ports
  const settings = cache.get(MachineConfiguration, { name: singletonName.machineConfiguration })
  const streams = {
    object: cache.get(OSImageStream, { name: singletonName.osImageStream }),
    worker: cache.get(MachineConfigPool, { name: poolName.worker }),
  }
  return {
    pool,
    configs: cache.list(MachineConfig),
    controllerConfig: cache.get(ControllerConfig, { name: singletonName.controllerConfig }),
    kubeletConfigs: cache.list(KubeletConfig),
    containerRuntimeConfigs: cache.list(ContainerRuntimeConfig),
    overrides: settings?.spec.irreconcilableValidationOverrides ?? {},
    ...(featureGates().has('OSStreams') && usesStreams(streams, pool) && { streams }),
    version,
    hash,
    now: clock.now(),
  }
}

/** A cluster without the one OSImageStream object does not use streams, unless this pool asks for one. */
function usesStreams({ object, worker }: NonNullable<RenderSnapshot['streams']>, pool: MachineConfigPool): boolean {
  return object !== undefined || streamNameOf(pool, worker) !== ''
}
