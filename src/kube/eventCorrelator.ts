import type { ObjectReference } from '../api/meta.ts'
import type { EventType } from './events.ts'

/** What somebody said about an object, before anything is decided about it. */
export interface Saying {
  readonly about: ObjectReference
  readonly type: EventType
  readonly reason: string
  readonly message: string
}

/** One Event object as it should be on the server. `count` sayings so far. */
export interface EventRecord {
  readonly key: string
  readonly saying: Saying
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}

export interface EventLimits {
  /** Writes about one object that may follow each other at once, and how long it takes to earn the next. */
  readonly burst: number
  readonly refillMs: number
  /** This many different messages with one reason about one object within the window are told as one. */
  readonly similarMax: number
  readonly similarWindowMs: number
  /** What is remembered, per kind of memory; the oldest is forgotten first. */
  readonly memory: number
}

/** The limits of the Kubernetes components' own recorder. */
export const defaultEventLimits: EventLimits = {
  burst: 25,
  refillMs: 300_000,
  similarMax: 10,
  similarWindowMs: 600_000,
  memory: 4096,
}

interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

interface Similar {
  readonly messages: ReadonlySet<string>
  readonly atMs: number
}

/**
 * Decides what becomes of a saying: a new Event, a higher count on one that exists, or nothing because too much was
 * said about the object. Sayings beyond the limit still count, so that the next write tells the true number.
 */
export class EventCorrelator {
  readonly #limits: EventLimits
  readonly #buckets = new Map<string, Bucket>()
  readonly #similar = new Map<string, Similar>()
  readonly #records = new Map<string, EventRecord>()

  constructor(limits: EventLimits = defaultEventLimits) {
    this.#limits = limits
  }

  /** The record to write, or undefined when the object's limit is reached. */
  observe(saying: Saying, now: Date): EventRecord | undefined {
    const record = this.#count(this.#combine(saying, now), now)
    return this.#isAllowed(objectKey(saying.about), now) ? record : undefined
  }

  #combine(saying: Saying, now: Date): { key: string; saying: Saying } {
    const { similarMax, similarWindowMs } = this.#limits
    const key = [objectKey(saying.about), saying.type, saying.reason].join('\n')
    const known = this.#similar.get(key)
    const isFresh = known !== undefined && now.getTime() - known.atMs <= similarWindowMs
    const messages = new Set(isFresh ? known.messages : [])
    if (messages.size < similarMax) messages.add(saying.message)
    this.#remember(this.#similar, key, { messages, atMs: now.getTime() })
    if (messages.size < similarMax) return { key: `${key}\n${saying.message}`, saying }
    return { key, saying: { ...saying, message: `(combined from similar events): ${saying.message}` } }
  }

  #count({ key, saying }: { key: string; saying: Saying }, now: Date): EventRecord {
    const known = this.#records.get(key)
    const record = { key, saying, count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? now, lastAt: now }
    this.#remember(this.#records, key, record)
    return record
  }

  #isAllowed(key: string, now: Date): boolean {
    const { burst, refillMs } = this.#limits
    const nowMs = now.getTime()
    const known = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    const tokens = Math.min(burst, known.tokens + (nowMs - known.atMs) / refillMs)
    const isAllowed = tokens >= 1
    this.#remember(this.#buckets, key, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs })
    return isAllowed
  }

  #remember<V>(memory: Map<string, V>, key: string, value: V): void {
    memory.delete(key)
    memory.set(key, value)
    if (memory.size <= this.#limits.memory) return
    for (const oldest of memory.keys()) {
      memory.delete(oldest)
      return
    }
  }
}

function objectKey({ kind, namespace, name, uid }: ObjectReference): string {
  return [kind, namespace, name, uid].join('/')
}
