import type { Clock } from './clock.ts'
import type { Controller, Watch } from './controller.ts'
import { Invalid, messageOf, Retryable, Terminal, Waiting } from './errors.ts'
import type { Informers } from './informers.ts'
import { ApiError, isConflict } from './kubeApi.ts'
import { linkedAbort } from './linkedAbort.ts'
import { type Log, silentLog } from './log.ts'
import { type KubeMetrics, noMetrics, type ReconcileResult } from './metrics.ts'
import { sharedSignal } from './sharedSignal.ts'
import { WorkQueue } from './workQueue.ts'

export interface RunControllerPorts {
  readonly informers: Informers
  readonly clock: Clock
  readonly log?: Log
  readonly metrics?: KubeMetrics
  /** How long reconciles in progress may go on after the stop before their signal aborts. */
  readonly drainMs?: number
}

/**
 * Runs a controller until the signal aborts: waits for the caches of its watches, turns changes into keys, reconciles
 * each key by one worker at a time, and turns the outcome into what happens next. Then lets the work in progress end.
 */
export async function runController(
  controller: Controller,
  ports: RunControllerPorts,
  signal: AbortSignal,
): Promise<void> {
  const { informers, clock, drainMs = 10_000 } = ports
  const run = new ControllerRun(controller, ports)
  const unsubscribe = controller.watches.map((watch) => run.subscribe(watch))
  const work = new AbortController()
  const stopDraining = new AbortController()
  const onStop = () => {
    run.queue.close()
    clock.sleep(drainMs, stopDraining.signal).then(
      () => work.abort(signal.reason),
      () => undefined, // drained in time
    )
  }
  try {
    await informers.synced(
      signal,
      controller.watches.map(({ kind }) => kind),
    )
    sharedSignal(signal).addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    await Promise.all(Array.from({ length: controller.workers ?? 1 }, () => run.work(work.signal)))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', onStop)
    stopDraining.abort()
    run.queue.close()
    for (const end of unsubscribe) end()
  }
}

/** Errors that last this many times in a row are worth a warning; fewer are daily life. */
const persistentAfter = 5

const leastPauseMs = 100

class ControllerRun {
  readonly queue: WorkQueue
  readonly #controller: Controller
  readonly #informers: Informers
  readonly #clock: Clock
  readonly #log: Log
  readonly #metrics: KubeMetrics

  constructor(controller: Controller, { informers, clock, log = silentLog, metrics = noMetrics }: RunControllerPorts) {
    this.#controller = controller
    this.#informers = informers
    this.#clock = clock
    this.#log = log
    this.#metrics = metrics
    this.queue = new WorkQueue({ clock })
  }

  // biome-ignore lint/suspicious/noExplicitAny: a controller's watches are over different kinds
  subscribe(watch: Watch<any>): () => void {
    const coalesceMs = watch.coalesceMs ?? this.#controller.coalesceMs ?? 0
    return this.#informers.subscribe(watch.kind, (change) => {
      for (const key of watch.keysOf(change)) {
        if (coalesceMs > 0) this.queue.addAfter(key, coalesceMs)
        else this.queue.add(key)
      }
      this.#measure()
    })
  }

  /** One worker: ends when the queue is closed. */
  async work(signal: AbortSignal): Promise<void> {
    for (let key = await this.queue.take(); key !== undefined; key = await this.queue.take()) {
      this.#measure()
      const startMs = this.#clock.now().getTime()
      const result = await this.#reconcile(key, signal)
      this.#metrics.reconciled(this.#controller.name, result, this.#clock.now().getTime() - startMs)
      this.queue.done(key)
      this.#measure()
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const call = linkedAbort(signal)
    try {
      const outcome = await this.#controller.reconcile(key, call.signal)
      this.queue.forget(key)
      if (outcome.kind === 'again') this.#lookAgain(key, outcome.at)
      return outcome.kind
    } catch (error) {
      // Cut off at the end of the drain: the next process finds the object as it is now.
      return signal.aborted ? 'retryable' : this.#afterError(key, error)
    } finally {
      call.release()
    }
  }

  #afterError(key: string, error: unknown): ReconcileResult {
    const result = classify(error)
    const fields = { controller: this.#controller.name, key, error: messageOf(error) }
    switch (result) {
      case 'waiting':
        this.queue.forget(key)
        if (error instanceof Waiting) this.#lookAgain(key, error.at)
        this.#log.debug('a reconcile waits', fields)
        return result
      case 'terminal':
      case 'invalid':
        this.queue.forget(key)
        this.#log.error('a reconcile needs a person', fields)
        return result
      case 'conflict':
        this.queue.addBackedOff(key)
        return result
      case 'retryable': {
        const delayMs = this.queue.addBackedOff(key, retryAfterMs(error))
        if (this.queue.failuresOf(key) === persistentAfter) {
          this.#log.warn('a reconcile keeps failing', { ...fields, delayMs })
        }
        return result
      }
      case 'bug':
        this.queue.addBackedOff(key)
        this.#log.error('a reconcile failed by a bug', { ...fields, stack: error instanceof Error ? error.stack : '' })
        return result
      default:
        return result satisfies never
    }
  }

  /** A time in the past would turn one key into a loop that lets nothing else run. */
  #lookAgain(key: string, at: Date): void {
    this.queue.addAt(key, new Date(Math.max(at.getTime(), this.#clock.now().getTime() + leastPauseMs)))
  }

  #measure(): void {
    this.#metrics.queue(this.#controller.name, this.queue.depth, this.queue.oldestAgeMs)
  }
}

type FailedResult = Exclude<ReconcileResult, 'settled' | 'again'>

/** By class and status, never by message. Every answer of the API server passes or is somebody else's to fix. */
function classify(error: unknown): FailedResult {
  if (error instanceof Waiting) return 'waiting'
  if (error instanceof Terminal) return 'terminal'
  if (error instanceof Invalid) return 'invalid'
  if (isConflict(error)) return 'conflict'
  if (error instanceof Retryable || error instanceof ApiError) return 'retryable'
  return 'bug'
}

function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.details?.retryAfterSeconds ?? 0) * 1000 : 0
}
