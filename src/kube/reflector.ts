import type { Kind } from '../api/kind.ts'
import type { KubernetesList, KubernetesObject } from '../api/meta.ts'
import type { Random } from './backOff.ts'
import type { Clock } from './clock.ts'
import { Retryable } from './errors.ts'
import { withIdleLimit } from './idleLimit.ts'
import { ApiError, type KubeApi, type WatchEvent } from './kubeApi.ts'
import { nextReflectorState, type Read, type ReflectorEvent, type ReflectorState } from './reflectorState.ts'
import { storeKey } from './store.ts'

/** Where a reflector puts what it sees. */
interface Sink<T extends KubernetesObject> {
  /** The complete present state. */
  replace(objects: readonly T[]): void
  upsert(object: T): void
  remove(object: T): void
}

/** Which part of a kind is reflected; everything when empty. */
export interface Scope {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly kube: KubeApi
  readonly kind: Kind<T>
  readonly sink: Sink<T>
  readonly clock: Clock
  readonly random: Random
  readonly scope?: Scope
  /** Drops what nobody reads before an object is kept. */
  readonly transform?: (object: T) => T
  readonly pageSize?: number
  /** Ask for the present state as a stream first; a server that refuses is asked for a list. */
  readonly watchList?: boolean
  /** The present state is complete: for the first time, or again after a lost history. */
  readonly onSynced?: () => void
  /** An event or a bookmark arrived. */
  readonly onAlive?: () => void
  /** Told of every failure before the wait; the reflector itself never gives up. */
  readonly onFailure?: (error: unknown, wait: { readonly attempt: number; readonly delayMs: number }) => void
}

/** Keeps `sink` equal to what the API server holds, whatever happens in between. Returns when the signal aborts. */
export async function reflect<T extends KubernetesObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  await new Reflector(options, signal).run()
}

/** Time that a server gets to end a watch at the timeout that we asked for. */
const graceMs = 5_000

/** The annotation on the bookmark that ends the present state in a WatchList stream. */
const initialEventsEnd = 'k8s.io/initial-events-end'

class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>
  readonly #signal: AbortSignal
  readonly #transform: (object: T) => T
  #state: ReflectorState

  constructor(options: ReflectorOptions<T>, signal: AbortSignal) {
    const { watchList = true, transform = (object) => object } = options
    this.#options = options
    this.#signal = signal
    this.#transform = transform
    this.#state = { kind: 'reading', read: watchList ? 'stream' : 'pages', attempt: 0 }
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        await this.#execute()
      } catch (error) {
        if (this.#signal.aborted) return
        this.#fail(error)
      }
    }
  }

  async #execute(): Promise<void> {
    const state = this.#state
    switch (state.kind) {
      case 'reading':
        return state.read === 'stream' ? await this.#watch(new Map()) : await this.#list(state.read)
      case 'watching':
        return await this.#watch(undefined)
      case 'waiting':
        await this.#options.clock.sleep(state.delayMs, this.#signal)
        return this.#on({ kind: 'elapsed' })
      default:
        return state satisfies never
    }
  }

  #on(event: ReflectorEvent): void {
    this.#state = nextReflectorState(this.#state, event, this.#options.random)
  }

  #fail(error: unknown): void {
    this.#on({ kind: 'failed', error })
    if (this.#state.kind === 'waiting') this.#options.onFailure?.(error, this.#state)
  }

  async #list(read: Exclude<Read, 'stream'>): Promise<void> {
    const { kube, kind, scope, pageSize = 500 } = this.#options
    const objects: T[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page: KubernetesList<T> = await kube.list(kind, {
        ...scope,
        signal: this.#signal,
        ...(read === 'pages' && { limit: pageSize }),
        ...(next !== '' && { continue: next }),
      })
      for (const object of page.items) objects.push(this.#transform(object))
      next = page.metadata.continue || undefined
      if (next === undefined) this.#complete(objects, page.metadata.resourceVersion)
    }
  }

  /** With `present`, the stream begins with the present state, which is collected there until its end mark. */
  async #watch(present: Map<string, T> | undefined): Promise<void> {
    const { kube, kind, scope, clock, random, onAlive } = this.#options
    // Spread, so that the watches of many clients do not end together.
    const timeoutSeconds = 300 + Math.floor(random() * 300)
    const version = this.#state.kind === 'watching' ? this.#state.version : undefined
    let collecting = present

    await withIdleLimit(
      { limitMs: timeoutSeconds * 1000 + graceMs, clock, signal: this.#signal },
      async (signal, alive) => {
        const stream = kube.watch(kind, {
          ...scope,
          signal,
          timeoutSeconds,
          ...(version === undefined ? { sendInitialEvents: true } : { resourceVersion: version }),
        })
        for await (const event of stream) {
          alive()
          const object = objectOf(event)
          if (!collecting) this.#receive(event)
          else if (event.type !== 'BOOKMARK') collect(collecting, event, this.#transform)
          else if (object.metadata.annotations?.[initialEventsEnd] === 'true') {
            this.#complete([...collecting.values()], object.metadata.resourceVersion)
            collecting = undefined
          }
          onAlive?.()
        }
      },
    )
    this.#on({ kind: 'closed' })
  }

  #complete(objects: readonly T[], version: string | undefined): void {
    if (version === undefined) throw new Retryable(`${this.#options.kind.plural}: a list without a resourceVersion`)
    this.#options.sink.replace(objects)
    this.#on({ kind: 'synced', version })
    this.#options.onSynced?.()
  }

  #receive(event: WatchEvent<T>): void {
    const { sink } = this.#options
    if (event.type === 'ADDED' || event.type === 'MODIFIED') sink.upsert(this.#transform(event.object))
    else if (event.type === 'DELETED') sink.remove(this.#transform(event.object))
    const version = objectOf(event).metadata.resourceVersion
    if (version !== undefined) this.#on({ kind: 'received', version })
  }
}

function collect<T extends KubernetesObject>(
  into: Map<string, T>,
  event: WatchEvent<T>,
  transform: (object: T) => T,
): void {
  if (event.type === 'ERROR' || event.type === 'BOOKMARK') return
  const { name = '', namespace } = event.object.metadata
  if (event.type === 'DELETED') into.delete(storeKey(name, namespace))
  else into.set(storeKey(name, namespace), transform(event.object))
}

/** The object of an event that has one; the peer's error, or our surprise, is thrown. */
function objectOf<T extends KubernetesObject>(event: WatchEvent<T>): KubernetesObject {
  if (event.type === 'ERROR') throw new ApiError(event.object)
  if (!knownTypes.has(event.type) || typeof event.object?.metadata !== 'object') {
    throw new Retryable(`expected a watch event with an object, found type "${String(event.type)}"`)
  }
  return event.object
}

const knownTypes = new Set<string>(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])
