import { apiVersionOf, type Kind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import type { Random } from './backOff.ts'
import type { Clock } from './clock.ts'
import type { Cache } from './controller.ts'
import { messageOf, Retryable } from './errors.ts'
import { ApiError, isNotFound, type KubeApi } from './kubeApi.ts'
import { type Log, silentLog } from './log.ts'
import { type KubeMetrics, noMetrics } from './metrics.ts'
import { reflect, type Scope } from './reflector.ts'
import { sharedSignal } from './sharedSignal.ts'
import { type ChangeHandler, type IndexValues, Store, storeKey } from './store.ts'
import { transformOf } from './transforms.ts'

/**
 * One reflector per kind, started the first time that somebody asks for the kind, shared by all controllers of the
 * process.
 */
export interface Informers {
  readonly cache: Cache
  /** Starts the kind's reflector, if it does not run yet. */
  use(kind: Kind<KubernetesObject>): void
  /** The handler hears of every known object as an add, and then of every change. Returns its unsubscription. */
  subscribe<T extends KubernetesObject>(kind: Kind<T>, handler: ChangeHandler<T>): () => void
  /** Registers an index for `cache.byIndex`; may come before or after the kind is in use. */
  addIndex<T extends KubernetesObject>(kind: Kind<T>, name: string, valuesOf: IndexValues<T>): void
  hasSynced(kind: Kind<KubernetesObject>): boolean
  /** Resolves when every kind in use, or every kind given, is complete. */
  synced(signal: AbortSignal, kinds?: readonly Kind<KubernetesObject>[]): Promise<void>
  /** Resolves when all reflectors have ended, after the signal aborted. */
  stopped(): Promise<void>
}

export interface InformersOptions {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  /** Ends all reflectors. */
  readonly signal: AbortSignal
  readonly log?: Log
  readonly metrics?: KubeMetrics
  /** The part of a kind that this process sees; all of it when undefined. */
  readonly scopeOf?: (kind: Kind<KubernetesObject>) => Scope | undefined
  /**
   * Kinds that a cluster need not have (config.openshift.io outside OpenShift): they count as empty and complete while
   * the API server does not know them, and appear when they are installed.
   */
  readonly isOptional?: (kind: Kind<KubernetesObject>) => boolean
}

export function createInformers(options: InformersOptions): Informers {
  return new SharedInformers(options)
}

interface Progress {
  readonly kind: Kind<KubernetesObject>
  isRunning: boolean
  isSynced: boolean
}

interface Entry<T extends KubernetesObject> extends Progress {
  readonly kind: Kind<T>
  readonly store: Store<T>
}

class SharedInformers implements Informers {
  readonly cache: Cache
  readonly #options: InformersOptions
  readonly #log: Log
  readonly #metrics: KubeMetrics
  // biome-ignore lint/suspicious/noExplicitAny: the map holds stores of many kinds; #entry gives each back under its own
  readonly #entries = new Map<string, Entry<any>>()
  readonly #running = new Set<Promise<void>>()
  readonly #syncWaiters = new Set<() => void>()

  constructor(options: InformersOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#metrics = options.metrics ?? noMetrics
    this.cache = {
      get: (kind, { name, namespace }) => this.#complete(kind).get(storeKey(name, namespace)),
      list: (kind) => this.#complete(kind).list(),
      byIndex: (kind, index, value) => this.#complete(kind).byIndex(index, value),
    }
  }

  use(kind: Kind<KubernetesObject>): void {
    this.#start(this.#entry(kind))
  }

  subscribe<T extends KubernetesObject>(kind: Kind<T>, handler: ChangeHandler<T>): () => void {
    const entry = this.#entry(kind)
    const unsubscribe = entry.store.subscribe(handler)
    this.#start(entry)
    return unsubscribe
  }

  addIndex<T extends KubernetesObject>(kind: Kind<T>, name: string, valuesOf: IndexValues<T>): void {
    this.#entry(kind).store.addIndex(name, valuesOf)
  }

  hasSynced(kind: Kind<KubernetesObject>): boolean {
    return this.#entry(kind).isSynced
  }

  async synced(signal: AbortSignal, kinds?: readonly Kind<KubernetesObject>[]): Promise<void> {
    const isDone = () => (kinds ? kinds.every((kind) => this.hasSynced(kind)) : this.#isAllSynced())
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => finish(() => reject(signal.reason))
      const check = () => isDone() && finish(resolve)
      const finish = (end: () => void) => {
        this.#syncWaiters.delete(check)
        signal.removeEventListener('abort', onAbort)
        end()
      }
      if (signal.aborted) return onAbort()
      sharedSignal(signal).addEventListener('abort', onAbort, { once: true })
      this.#syncWaiters.add(check)
      check()
    })
  }

  async stopped(): Promise<void> {
    await Promise.all(this.#running)
  }

  #isAllSynced(): boolean {
    return [...this.#entries.values()].every(({ isRunning, isSynced }) => isSynced || !isRunning)
  }

  #entry<T extends KubernetesObject>(kind: Kind<T>): Entry<T> {
    const name = nameOf(kind)
    const known = this.#entries.get(name)
    if (known) return known
    const entry: Entry<T> = {
      kind,
      store: new Store((error) => this.#log.error('a handler of a change failed', { kind: kind.kind, error })),
      isRunning: false,
      isSynced: false,
    }
    this.#entries.set(name, entry)
    return entry
  }

  /** A cache that is not complete is never read: "not there" would be a lie. */
  #complete<T extends KubernetesObject>(kind: Kind<T>): Store<T> {
    const entry = this.#entry(kind)
    this.#start(entry)
    if (!entry.isSynced) throw new Retryable(`the cache of ${kind.plural} is not complete yet`)
    return entry.store
  }

  #start<T extends KubernetesObject>(entry: Entry<T>): void {
    if (entry.isRunning) return
    entry.isRunning = true
    const { kube, clock, random, signal, scopeOf } = this.#options
    const { kind, store } = entry
    const scope = scopeOf?.(kind)
    const running = reflect<T>(
      {
        kube,
        kind,
        sink: store,
        clock,
        random,
        transform: transformOf(kind),
        ...(scope && { scope }),
        onSynced: () => this.#markSynced(entry),
        onAlive: () => this.#metrics.cacheAlive(kind.kind, clock.now()),
        onFailure: (error, wait) => this.#onFailure(entry, error, wait),
      },
      signal,
    )
    this.#running.add(running)
    running.catch((error: unknown) => this.#log.error('a reflector ended by a bug', { kind: kind.kind, error }))
  }

  #markSynced(entry: Progress): void {
    entry.isSynced = true
    this.#metrics.cacheAlive(entry.kind.kind, this.#options.clock.now())
    for (const check of [...this.#syncWaiters]) check()
  }

  #onFailure(entry: Progress, error: unknown, wait: { attempt: number; delayMs: number }): void {
    const { kind } = entry
    if (isNotFound(error) && this.#options.isOptional?.(kind)) {
      // Once objects were seen, a 404 is an API server on its way up or down, not proof that they are gone.
      if (!entry.isSynced) this.#markSynced(entry)
      return
    }
    this.#metrics.watchFailed(kind.kind, error instanceof ApiError ? String(error.status) : 'connection')
    // The first failure is daily life (a server restarts); one that lasts is worth a line.
    const say = wait.attempt === 3 ? this.#log.warn : this.#log.debug
    say.call(this.#log, 'watching a kind failed', { ...wait, kind: kind.kind, error: messageOf(error) })
  }
}

const nameOf = (kind: Kind<KubernetesObject>): string => `${apiVersionOf(kind)}/${kind.kind}`
