import { Pod } from '../../src/api/core.ts'
import { apiVersionOf, type Kind } from '../../src/api/kind.ts'
import type { KubernetesObject } from '../../src/api/meta.ts'
import { PodDisruptionBudget } from '../../src/api/policy.ts'
import { labelSelectorToQuery, matchesLabels } from '../../src/api/selectors.ts'
import type { Clock } from '../../src/kube/clock.ts'
import type { Cache, Controller } from '../../src/kube/controller.ts'
import { Retryable, Terminal } from '../../src/kube/errors.ts'
import type { EventRecorder } from '../../src/kube/events.ts'
import { ApiError, type KubeApi, type ObjectKey, type Patch } from '../../src/kube/kubeApi.ts'

/** Objects are read and merged as plain data here: the kinds' own types are restored at the ports. */
// biome-ignore lint/suspicious/noExplicitAny: one store of many kinds
type Data = any

interface Index {
  readonly kind: Kind<Data>
  readonly name: string
  readonly valuesOf: (object: Data) => readonly string[]
}

export interface Write {
  readonly verb: 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'evict'
  readonly kind: string
  readonly name: string
  readonly body?: Data
}

/**
 * An API server, its caches and the controllers' queues in one object, without time or network: a test moves the clock
 * and says when watches deliver. Writes reach the caches only by `deliver`, as in a real cluster.
 */
export class FakeCluster {
  readonly writes: Write[] = []
  readonly told: string[] = []
  readonly terminal: string[] = []
  nowMs = Date.parse('2026-01-01T00:00:00Z')
  /** Set to make a call fail: return an error for it. */
  fault: ((write: Write) => Error | undefined) | undefined
  #version = 1
  #uid = 0
  readonly #objects = new Map<string, Map<string, Data>>()
  readonly #cached = new Map<string, Map<string, Data>>()
  readonly #changes: { kind: Kind<Data>; key: string; now: Data | undefined }[] = []
  readonly #controllers: { controller: Controller; queue: Set<string>; later: Map<string, number> }[] = []
  readonly #indices: Index[]
  readonly #kinds = new Map<string, Kind<Data>>()

  constructor(indices: readonly Index[] = []) {
    this.#indices = [...indices]
  }

  readonly clock: Clock = {
    now: () => new Date(this.nowMs),
    sleep: () => Promise.reject(new Error('a controller must not sleep')),
  }

  readonly events: EventRecorder = {
    event: (object, type, reason, message) =>
      void this.told.push(`${object.metadata.name}: ${type} ${reason} ${message}`),
  }

  readonly cache: Cache = {
    get: (kind, { name, namespace }) => this.#cachedOf(kind).get(keyOf(name, namespace)),
    list: (kind) => [...this.#cachedOf(kind).values()],
    byIndex: (kind, name, value) => {
      const index = this.#indices.find((known) => known.kind === (kind as unknown) && known.name === name)
      if (!index) throw new Error(`no index ${name}`)
      return [...this.#cachedOf(kind).values()].filter((object) => index.valuesOf(object).includes(value))
    },
  }

  readonly kube: KubeApi = {
    get: async (kind, key) => this.#found(kind, key),
    list: async (kind, { fieldSelector = '' } = {}) => {
      const node = /^spec\.nodeName=(.*)$/.exec(fieldSelector)?.[1]
      const items = [...this.#of(kind).values()].filter(
        (object) => node === undefined || object.spec?.nodeName === node,
      )
      return { metadata: {}, items }
    },
    watch: () => {
      throw new Error('the cache watches')
    },
    create: async (kind, object) => {
      const { name = '', namespace } = object.metadata
      this.#note({ verb: 'create', kind: kind.kind, name, body: object })
      if (this.#of(kind).has(keyOf(name, namespace))) throw apiError(409, 'AlreadyExists')
      // A status is only written by its subresource.
      return this.put(kind, { ...object, status: undefined })
    },
    update: async (kind, object) => {
      this.#note({ verb: 'update', kind: kind.kind, name: object.metadata.name ?? '', body: object })
      return this.#replace(kind, object, (present: Data) => ({ ...object, status: present.status }))
    },
    updateStatus: async (kind, object: Data) => {
      this.#note({ verb: 'updateStatus', kind: kind.kind, name: object.metadata.name, body: object.status })
      return this.#replace(kind, object, (present: Data) => ({ ...present, status: object.status }))
    },
    patch: async (kind, key, patch, options) => {
      const body = patch.type === 'json' ? patch.operations : patch.body
      this.#note({ verb: 'patch', kind: kind.kind, name: key.name, body })
      return this.#replace(kind, { metadata: { ...key, ...(body as Data).metadata } } as Data, (present: Data) =>
        patched(present, patch, options?.subresource),
      )
    },
    delete: async (kind, key) => {
      this.#note({ verb: 'delete', kind: kind.kind, name: key.name })
      this.#found(kind, key)
      this.remove(kind, key)
    },
    evict: async (key) => {
      this.#note({ verb: 'evict', kind: 'Pod', name: key.name })
      this.#evict(key)
    },
  }

  /** Creates or replaces an object as a user or another component would. */
  put<T extends KubernetesObject>(kind: Kind<T>, object: T): T {
    const key = keyOf(object.metadata.name ?? '', object.metadata.namespace)
    const present = this.#of(kind).get(key)
    const uid = object.metadata.uid ?? present?.metadata.uid ?? `uid-${++this.#uid}`
    const generation =
      (present?.metadata.generation ?? 0) +
      (JSON.stringify(present?.spec) === JSON.stringify((object as Data).spec) ? 0 : 1)
    const metadata = { ...object.metadata, uid, generation, resourceVersion: String(++this.#version) }
    const stored = { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata }
    this.#of(kind).set(key, stored)
    this.#kinds.set(`${kind.group}/${kind.kind}`, kind)
    this.#changes.push({ kind, key, now: stored })
    return stored
  }

  change<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, change: (object: Data) => Data): T {
    return this.put(kind, change(this.#found(kind, key)))
  }

  remove(kind: Kind<Data>, key: ObjectKey): void {
    const id = keyOf(key.name, key.namespace)
    this.#of(kind).delete(id)
    this.#changes.push({ kind, key: id, now: undefined })
  }

  read<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): T {
    return this.#found(kind, key)
  }

  all<T extends KubernetesObject>(kind: Kind<T>): T[] {
    return [...this.#of(kind).values()]
  }

  attach(controller: Controller): void {
    this.#controllers.push({ controller, queue: new Set(), later: new Map() })
  }

  /** The processes end; their queues with them. */
  detachAll(): void {
    this.#controllers.length = 0
  }

  /** What the first list of a new process brings: everything that exists, and nothing else. */
  replay(): void {
    this.#changes.length = 0
    this.#cached.clear()
    for (const [id, objects] of this.#objects) {
      const kind = this.#kinds.get(id)
      if (!kind) continue
      for (const [key, now] of objects) this.#changes.push({ kind, key, now })
    }
  }

  get undelivered(): number {
    return this.#changes.length
  }

  /** Lets the watches bring up to `count` changes. */
  deliver(count = Number.POSITIVE_INFINITY): void {
    this.#bring(this.#changes.splice(0, count))
  }

  /** Each kind has a watch of its own: one may be ahead of another. */
  deliverOnly(kind: Kind<Data>): void {
    const own = this.#changes.filter((change) => change.kind === kind)
    const others = this.#changes.filter((change) => change.kind !== kind)
    this.#changes.splice(0, this.#changes.length, ...others)
    this.#bring(own)
  }

  #bring(changes: readonly { kind: Kind<Data>; key: string; now: Data | undefined }[]): void {
    for (const { kind, key, now } of changes) {
      const cached = this.#cachedOf(kind)
      const old = cached.get(key)
      if (now === undefined) cached.delete(key)
      else cached.set(key, now)
      for (const { controller, queue } of this.#controllers) {
        for (const watch of controller.watches) {
          if (watch.kind !== kind) continue
          for (const name of watch.keysOf({ ...(old && { old }), ...(now && { now }) })) queue.add(name)
        }
      }
    }
  }

  /** One reconcile, whether the key is queued or not; errors come through. */
  async reconcile(controllerName: string, key: string): Promise<void> {
    const entry = this.#controllers.find(({ controller }) => controller.name === controllerName)
    await entry?.controller.reconcile(key, new AbortController().signal)
  }

  /** One reconcile of one controller; false when nothing is queued. */
  async step(choose: (count: number) => number = () => 0): Promise<boolean> {
    const ready = this.#controllers.flatMap((entry) => [...entry.queue].map((key) => ({ entry, key })))
    const picked = ready[choose(ready.length)]
    if (!picked) return false
    const { entry, key } = picked
    entry.queue.delete(key)
    entry.later.delete(key)
    try {
      const outcome = await entry.controller.reconcile(key, new AbortController().signal)
      if (outcome.kind === 'again') entry.later.set(key, outcome.at.getTime())
    } catch (error) {
      if (error instanceof Terminal) this.terminal.push(error.message)
      else if (error instanceof Retryable || error instanceof ApiError) entry.later.set(key, this.nowMs + 1_000)
      else throw error
    }
    return true
  }

  /** Delivers and reconciles until nothing is left to do at this time. */
  async settle(limit = 500): Promise<void> {
    for (let steps = 0; steps < limit; steps++) {
      this.deliver()
      if (!(await this.step()) && this.#changes.length === 0) return
    }
    throw new Error(`not settled after ${limit} steps: ${JSON.stringify(this.writes.slice(-6))}`)
  }

  /** Moves time on, with a settle at every time that a controller asked for. */
  async advance(ms: number): Promise<void> {
    const end = this.nowMs + ms
    await this.settle()
    for (;;) {
      const next = Math.min(...this.#controllers.flatMap(({ later }) => [...later.values()]))
      if (next > end) break
      this.nowMs = Math.max(this.nowMs, next)
      this.wakeDue()
      await this.settle()
    }
    this.nowMs = end
  }

  wakeDue(): void {
    for (const { queue, later } of this.#controllers) {
      for (const [key, at] of [...later]) {
        if (at > this.nowMs) continue
        later.delete(key)
        queue.add(key)
      }
    }
  }

  #of(kind: Kind<Data>): Map<string, Data> {
    return groupOf(this.#objects, kind)
  }

  #cachedOf(kind: Kind<Data>): Map<string, Data> {
    return groupOf(this.#cached, kind)
  }

  #found(kind: Kind<Data>, { name, namespace }: ObjectKey): Data {
    const object = this.#of(kind).get(keyOf(name, namespace))
    if (!object) throw apiError(404, 'NotFound')
    return object
  }

  #note(write: Write): void {
    const error = this.fault?.(write)
    if (error) throw error
    this.writes.push(write)
  }

  #replace(kind: Kind<Data>, sent: Data, change: (present: Data) => Data): Data {
    const present = this.#found(kind, sent.metadata)
    const version = sent.metadata.resourceVersion
    if (version !== undefined && version !== present.metadata.resourceVersion) throw apiError(409, 'Conflict')
    return this.put(kind, change(present))
  }

  #evict({ name, namespace }: ObjectKey): void {
    const pod: Pod = this.#found(Pod, { name, ...(namespace && { namespace }) })
    const budgets = this.all(PodDisruptionBudget).filter(({ metadata, spec }) => {
      const query = labelSelectorToQuery(spec?.selector)
      return metadata.namespace === namespace && 'value' in query && matchesLabels(query.value, pod.metadata.labels)
    })
    for (const { status } of budgets) {
      if ((status?.disruptionsAllowed ?? 0) <= 0) throw apiError(429, 'TooManyRequests')
    }
    for (const budget of budgets) {
      const key = { name: budget.metadata.name ?? '', ...(namespace && { namespace }) }
      this.change(PodDisruptionBudget, key, (object) => ({
        ...object,
        status: { ...object.status, disruptionsAllowed: object.status.disruptionsAllowed - 1 },
      }))
    }
    this.change(Pod, { name, ...(namespace && { namespace }) }, (object) => ({
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: new Date(this.nowMs + 30_000).toISOString() },
    }))
  }
}

const keyOf = (name: string, namespace: string | undefined): string => (namespace ? `${namespace}/${name}` : name)

function groupOf(all: Map<string, Map<string, Data>>, kind: Kind<Data>): Map<string, Data> {
  const id = `${kind.group}/${kind.kind}`
  const group = all.get(id) ?? new Map<string, Data>()
  all.set(id, group)
  return group
}

const apiError = (code: number, reason: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason })

function patched(present: Data, patch: Patch, subresource: 'status' | undefined): Data {
  if (patch.type === 'json') throw new Error('the fake knows no JSON patch')
  const body = patch.body as Data
  if (subresource === 'status') return { ...present, status: merged(present.status ?? {}, body.status) }
  const { resourceVersion: _precondition, ...metadata } = body.metadata ?? {}
  return merged(present, { ...body, metadata, status: undefined })
}

/** JSON merge patch; lists are replaced, which for the fields written here is what a strategic merge does. */
function merged(present: Data, change: Data): Data {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change
  const result = { ...(typeof present === 'object' && present !== null ? present : {}) }
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = merged(result[key], value)
  }
  return result
}
