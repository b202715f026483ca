import { Event } from '../api/core.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { operatorNamespace } from '../api/names.ts'
import { backOffMs, type Random } from './backOff.ts'
import type { Clock } from './clock.ts'
import { messageOf, Retryable } from './errors.ts'
import { defaultEventLimits, EventCorrelator, type EventLimits, type EventRecord } from './eventCorrelator.ts'
import type { EventRecorder, EventType } from './events.ts'
import { ApiError, isAlreadyExists, isNotFound, type KubeApi } from './kubeApi.ts'
import { linkedAbort } from './linkedAbort.ts'
import { type Log, silentLog } from './log.ts'
import { type KubeMetrics, noMetrics } from './metrics.ts'

export interface EventRecorderOptions {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  /** Who speaks: `source.component` and `reportingComponent`. */
  readonly component: string
  readonly host?: string
  /** Where events about cluster-scoped objects go. */
  readonly namespace?: string
  readonly log?: Log
  readonly metrics?: KubeMetrics
  readonly limits?: EventLimits
}

export interface RunningEventRecorder extends EventRecorder {
  /** Writes what is still waiting, for at most this long, and stops. */
  close(withinMs?: number): Promise<void>
}

/** Writes events in the background, one after the other, so that a burst never competes with the controllers' writes. */
export function startEventRecorder(options: EventRecorderOptions): RunningEventRecorder {
  return new BackgroundRecorder(options)
}

/** Different events that may wait; more than that and the API server has been away for long. */
const outboxLimit = 1000
const writeAttempts = 5
const backOff = { baseMs: 1000, capMs: 10_000 }
const longestMessage = 1024
const longestName = 230

class BackgroundRecorder implements RunningEventRecorder {
  readonly #options: EventRecorderOptions
  readonly #log: Log
  readonly #metrics: KubeMetrics
  readonly #correlator: EventCorrelator
  /** Latest record per event: what is counted while an event waits costs no write of its own. */
  readonly #outbox = new Map<string, EventRecord>()
  /** Names on the server, per event. */
  readonly #written = new Map<string, string>()
  readonly #stop = new AbortController()
  #wake: () => void = () => undefined
  #isClosing = false
  #sequence = 0
  readonly #done: Promise<void>

  constructor(options: EventRecorderOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#metrics = options.metrics ?? noMetrics
    this.#correlator = new EventCorrelator(options.limits ?? defaultEventLimits)
    this.#done = this.#run()
  }

  event(object: KubernetesObject, type: EventType, reason: string, message: string): void {
    const { apiVersion, kind, metadata } = object
    if (!apiVersion || !kind || !metadata.name) {
      this.#log.error('an event about an object without apiVersion, kind or name', {
        kind,
        name: metadata.name,
        reason,
      })
      return
    }
    const { name, uid, resourceVersion } = metadata
    const about = {
      apiVersion,
      kind,
      name,
      // An API server wants an event in the namespace of what it is about: cluster-scoped objects borrow one.
      namespace: metadata.namespace ?? this.#options.namespace ?? operatorNamespace,
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    }
    const saying = { about, type, reason, message: message.slice(0, longestMessage) }
    const record = this.#correlator.observe(saying, this.#options.clock.now())
    if (!record || this.#isClosing || (this.#outbox.size >= outboxLimit && !this.#outbox.has(record.key))) {
      this.#metrics.eventDropped('limit')
      return
    }
    this.#outbox.set(record.key, record)
    this.#wake()
  }

  async close(withinMs = 5_000): Promise<void> {
    this.#isClosing = true
    this.#wake()
    const timer = new AbortController()
    const limit = this.#options.clock.sleep(withinMs, timer.signal).then(
      () => this.#stop.abort(new Error('the event recorder is closed')),
      () => undefined, // everything was written in time
    )
    await this.#done
    timer.abort()
    await limit
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const [record] = this.#outbox.values()
      if (record) {
        this.#outbox.delete(record.key)
        await this.#deliver(record)
      } else if (this.#isClosing) {
        return
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }

  async #deliver(record: EventRecord): Promise<void> {
    const call = linkedAbort(this.#stop.signal)
    try {
      await this.#writeUntilDone(record, call.signal)
    } catch (error) {
      this.#metrics.eventDropped('failure')
      const { reason, about } = record.saying
      this.#log.warn('an event was not written', {
        reason,
        kind: about.kind,
        name: about.name,
        error: messageOf(error),
      })
    } finally {
      call.release()
    }
  }

  async #writeUntilDone(record: EventRecord, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#write(record, signal)
      } catch (error) {
        if (!isPassing(error) || attempt === writeAttempts) throw error
        await this.#options.clock.sleep(backOffMs(attempt, backOff, this.#options.random), signal)
      }
    }
  }

  async #write(record: EventRecord, signal: AbortSignal): Promise<void> {
    const name = this.#written.get(record.key)
    if (name === undefined) return await this.#create(record, signal)
    const { count, lastAt, saying } = record
    const body = { count, lastTimestamp: secondsOf(lastAt), message: saying.message }
    try {
      await this.#options.kube.patch(
        Event,
        { name, namespace: this.#namespaceOf(record) },
        { type: 'merge', body },
        { signal },
      )
    } catch (error) {
      // Events live for an hour; the count goes on in a new one.
      if (!isNotFound(error)) throw error
      await this.#create(record, signal)
    }
  }

  async #create(record: EventRecord, signal: AbortSignal): Promise<void> {
    const { component, host, clock, kube } = this.#options
    const { about, type, reason, message } = record.saying
    const nanoseconds = BigInt(clock.now().getTime()) * 1_000_000n + BigInt(this.#sequence++)
    const name = `${(about.name ?? '').slice(0, longestName)}.${nanoseconds.toString(16)}`
    const event: Event = {
      metadata: { name, namespace: this.#namespaceOf(record) },
      involvedObject: about,
      type,
      reason,
      message,
      source: host === undefined ? { component } : { component, host },
      reportingComponent: component,
      ...(host !== undefined && { reportingInstance: host }),
      firstTimestamp: secondsOf(record.firstAt),
      lastTimestamp: secondsOf(record.lastAt),
      count: record.count,
    }
    try {
      await kube.create(Event, event, { signal })
    } catch (error) {
      // Our own name: an earlier attempt arrived, only its answer was lost.
      if (!isAlreadyExists(error)) throw error
    }
    this.#rememberName(record.key, name)
  }

  #rememberName(key: string, name: string): void {
    this.#written.set(key, name)
    if (this.#written.size <= (this.#options.limits ?? defaultEventLimits).memory) return
    const [oldest] = this.#written.keys()
    if (oldest !== undefined) this.#written.delete(oldest)
  }

  #namespaceOf({ saying }: EventRecord): string {
    return saying.about.namespace ?? operatorNamespace
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Retryable || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
}

function secondsOf(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}
