import { Lease } from '../../api/coordination.ts'
import { Node } from '../../api/core.ts'
import { backOffMs, type Random } from '../../kube/backOff.ts'
import type { Clock } from '../../kube/clock.ts'
import { microTime } from '../../kube/decideLease.ts'
import { messageOf, Retryable } from '../../kube/errors.ts'
import { ApiError, isAlreadyExists, isNotFound, type KubeApi } from '../../kube/kubeApi.ts'
import { type Log, silentLog } from '../../kube/log.ts'
import { type KubeletSpec, type ReadyCondition, ready, reportedStatus } from './nodeReport.ts'

export interface KubeletTimings {
  readonly rebootMs: number
  readonly leaseDurationMs: number
}

export const defaultKubeletTimings: KubeletTimings = { rebootMs: 5_000, leaseDurationMs: 40_000 }

export interface KubeletPorts {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  /** A new boot id; also the machine id of a machine that has none. */
  readonly newId: () => string
  readonly signal: AbortSignal
  readonly log?: Log
}

export type KubeletState =
  | { readonly kind: 'running' }
  | { readonly kind: 'rebooting' }
  /** Crashed or unplugged: says nothing more. */
  | { readonly kind: 'stopped' }

export const leaseNamespace = 'kube-node-lease'

/** The kubelet of a machine that exists only as objects: its node, its lease, and what its pods do. */
export class SimulatedKubelet {
  readonly name: string
  readonly #spec: KubeletSpec
  readonly #ports: KubeletPorts
  readonly #timings: KubeletTimings
  readonly #index: number
  #state: KubeletState = { kind: 'running' }
  #bootId: string
  #bootedAt: Date
  #renewedMs = Number.NEGATIVE_INFINITY
  #podCount = 0
  #rebooting: Promise<void> | undefined

  /** `index` counts the machines of the fleet: addresses are derived from it. */
  constructor(spec: KubeletSpec, index: number, ports: KubeletPorts, timings: KubeletTimings) {
    this.name = spec.name
    this.#spec = spec
    this.#ports = ports
    this.#timings = timings
    this.#index = index
    this.#bootId = spec.nodeInfo?.bootID ?? ports.newId()
    this.#bootedAt = ports.clock.now()
  }

  get state(): KubeletState['kind'] {
    return this.#state.kind
  }
  get bootId(): string {
    return this.#bootId
  }
  get bootedAt(): Date {
    return this.#bootedAt
  }
  get hostIp(): string {
    return this.#spec.address ?? `10.0.${this.#index >> 8}.${this.#index & 255}`
  }
  readonly nextPodIp = (): string =>
    `10.${128 + ((this.#index >> 8) & 127)}.${this.#index & 255}.${2 + (this.#podCount++ % 250)}`

  /** Registers the node if it is new, and says that it is ready. A node that exists keeps its labels and taints. */
  async join(): Promise<void> {
    const { kube, signal } = this.#ports
    await this.#persistently(async () => {
      const known = await absentIfNotFound(kube.get(Node, { name: this.name }, { signal }))
      if (known) this.#resume(known)
      else await this.#register()
    })
    await this.#report(ready)
  }

  /** Takes the node down and up again with a new boot id; its pods start anew. Resolves when the node is ready. */
  async reboot(options: { readonly bootId?: string } = {}): Promise<void> {
    this.#rebooting ??= this.#rebootOnce(options).finally(() => {
      this.#rebooting = undefined
    })
    await this.#rebooting
  }

  async #rebootOnce({ bootId }: { readonly bootId?: string }): Promise<void> {
    const { clock, newId, signal } = this.#ports
    this.#state = { kind: 'rebooting' }
    await this.#report({ status: 'False', reason: 'KubeletNotReady', message: 'node is shutting down' })
    await clock.sleep(this.#timings.rebootMs, signal)
    this.#bootId = bootId ?? newId()
    this.#bootedAt = clock.now()
    this.#state = { kind: 'running' }
    await this.#report(ready)
  }

  /** Falls silent, as a machine that lost power or network. */
  stop(): void {
    this.#state = { kind: 'stopped' }
  }

  async start({ rebooted = true }: { readonly rebooted?: boolean } = {}): Promise<void> {
    if (rebooted) {
      this.#bootId = this.#ports.newId()
      this.#bootedAt = this.#ports.clock.now()
    }
    this.#state = { kind: 'running' }
    await this.#report(ready)
  }

  /** Keeps the node's lease and Ready condition fresh. Returns when to come back; undefined while it is not running. */
  async heartbeat(node: Node, signal: AbortSignal): Promise<Date | undefined> {
    if (this.#state.kind !== 'running') return undefined
    const { clock, random } = this.#ports
    const periodMs = this.#timings.leaseDurationMs / 4
    const nowMs = clock.now().getTime()
    if (!saysReady(node, this.#bootId)) await this.#writeStatus(ready, signal)
    if (nowMs - this.#renewedMs >= periodMs) {
      await this.#renewLease(node, signal)
      // The first renewals of a fleet come together; from then on they are spread.
      const spread = this.#renewedMs === Number.NEGATIVE_INFINITY ? random() * periodMs : 0
      this.#renewedMs = nowMs - spread
    }
    return new Date(this.#renewedMs + periodMs)
  }

  async #register(): Promise<void> {
    const { labels = {}, taints = [] } = this.#spec
    const node: Node = {
      metadata: {
        name: this.name,
        labels: { 'kubernetes.io/hostname': this.name, 'kubernetes.io/os': 'linux', ...labels },
      },
      spec: taints.length > 0 ? { taints } : {},
    }
    try {
      await this.#ports.kube.create(Node, node, { signal: this.#ports.signal })
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }

  /** After a restart of our process the machine has not rebooted, unless its own boot id says so. */
  #resume({ metadata, status }: Node): void {
    const reported = status?.nodeInfo?.bootID ?? ''
    const own = this.#spec.nodeInfo?.bootID
    if (reported === '' || (own !== undefined && own !== reported)) return
    this.#bootId = reported
    this.#bootedAt = new Date(metadata.creationTimestamp ?? 0)
  }

  async #report(condition: ReadyCondition): Promise<void> {
    await this.#persistently(() => this.#writeStatus(condition, this.#ports.signal))
  }

  async #writeStatus(condition: ReadyCondition, signal: AbortSignal): Promise<void> {
    const { kube, clock } = this.#ports
    const identity = { name: this.name, bootId: this.#bootId, hostIp: this.hostIp }
    const status = reportedStatus(this.#spec, identity, condition, clock.now())
    try {
      await kube.patch(
        Node,
        { name: this.name },
        { type: 'strategic', body: { status } },
        { subresource: 'status', signal },
      )
    } catch (error) {
      // Somebody removed the node: like a real kubelet, we do not bring it back.
      if (!isNotFound(error)) throw error
    }
  }

  async #renewLease(node: Node, signal: AbortSignal): Promise<void> {
    const { kube, clock } = this.#ports
    const key = { name: this.name, namespace: leaseNamespace }
    const spec = {
      holderIdentity: this.name,
      leaseDurationSeconds: Math.ceil(this.#timings.leaseDurationMs / 1000),
      renewTime: microTime(clock.now()),
    }
    try {
      await kube.patch(Lease, key, { type: 'merge', body: { spec } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      const { uid = '' } = node.metadata
      const owner = { apiVersion: 'v1', kind: 'Node', name: this.name, uid }
      await kube.create(Lease, { metadata: { ...key, ownerReferences: [owner] }, spec }, { signal })
    }
  }

  /** A machine that boots does not give up because the API server is away. */
  async #persistently(act: () => Promise<void>): Promise<void> {
    const { clock, random, signal, log = silentLog } = this.#ports
    for (let attempt = 1; ; attempt++) {
      try {
        return await act()
      } catch (error) {
        if (signal.aborted || !(error instanceof Retryable || error instanceof ApiError)) throw error
        if (attempt === persistentAfter) {
          log.warn('a kubelet cannot report its node', { node: this.name, error: messageOf(error) })
        }
        await clock.sleep(backOffMs(attempt, { baseMs: 200, capMs: 10_000 }, random), signal)
      }
    }
  }
}

const persistentAfter = 5

function saysReady({ status }: Node, bootId: string): boolean {
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
  return isReady === true && status?.nodeInfo?.bootID === bootId
}

async function absentIfNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
