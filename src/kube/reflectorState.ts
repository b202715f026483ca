import { backOffMs, type Random } from './backOff.ts'
import { ApiError } from './kubeApi.ts'

/**
 * How the present state is read: as a watch that starts with it (WatchList), as a list in pages, or as one list without
 * pages, when the history behind a page's continue token is gone before the last page.
 */
export type Read = 'stream' | 'pages' | 'whole'

/**
 * Where a reflector is. `attempt` counts failures since the last proof of life, which is an event or a bookmark of a
 * watch and nothing else: a server that accepts connections and says nothing must not be hammered.
 */
export type ReflectorState =
  | { readonly kind: 'reading'; readonly read: Read; readonly attempt: number }
  | {
      readonly kind: 'watching'
      readonly read: Read
      readonly attempt: number
      readonly version: string
      readonly alive: boolean
    }
  /** Then watching from `version`, or reading anew without one. */
  | {
      readonly kind: 'waiting'
      readonly read: Read
      readonly attempt: number
      readonly delayMs: number
      readonly version?: string
    }

export type ReflectorEvent =
  /** The present state is complete. */
  | { readonly kind: 'synced'; readonly version: string }
  /** An object or a bookmark arrived on a watch. */
  | { readonly kind: 'received'; readonly version: string }
  /** The server ended the stream in good order. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'elapsed' }

/**
 * The whole policy of a watch that must never stop. A lost history (410) means reading everything anew; any other
 * failure keeps the resourceVersion. resourceVersions are opaque: they are kept, never compared.
 */
export function nextReflectorState(state: ReflectorState, event: ReflectorEvent, random: Random): ReflectorState {
  switch (state.kind) {
    case 'reading':
      return afterReading(state, event, random)
    case 'watching':
      return afterWatching(state, event, random)
    case 'waiting':
      if (event.kind !== 'elapsed') return state
      return state.version === undefined
        ? { kind: 'reading', read: state.read, attempt: state.attempt }
        : { kind: 'watching', read: state.read, attempt: state.attempt, version: state.version, alive: false }
    default:
      return state satisfies never
  }
}

type Reading = Extract<ReflectorState, { kind: 'reading' }>
type Watching = Extract<ReflectorState, { kind: 'watching' }>

function afterReading(state: Reading, event: ReflectorEvent, random: Random): ReflectorState {
  switch (event.kind) {
    case 'synced': {
      const { read, attempt } = state
      // WatchList ends with a bookmark, which is proof of life; a list is not, because the watch behind it may still fail.
      if (read === 'stream') return { kind: 'watching', read, attempt: 0, version: event.version, alive: true }
      return { kind: 'watching', read: 'pages', attempt, version: event.version, alive: false }
    }
    case 'closed':
      return waiting(state.attempt + 1, { read: readAfterFailure(state.read, undefined), random })
    case 'failed':
      // Not knowing WatchList is an answer, no failure: most servers do not, and nobody should wait for that.
      if (state.read === 'stream' && isRefused(event.error)) return { ...state, read: 'pages' }
      return waiting(state.attempt + 1, {
        read: readAfterFailure(state.read, event.error),
        random,
        error: event.error,
      })
    case 'received':
    case 'elapsed':
      return state
    default:
      return event satisfies never
  }
}

function afterWatching(state: Watching, event: ReflectorEvent, random: Random): ReflectorState {
  const { read, version } = state
  switch (event.kind) {
    case 'received':
      return { ...state, attempt: 0, version: event.version, alive: true }
    case 'closed':
      if (state.alive)
        return { kind: 'waiting', read, attempt: 0, delayMs: Math.round(turnaroundMs * random()), version }
      return waiting(state.attempt + 1, { read, version, random })
    case 'failed':
      return isGone(event.error)
        ? waiting(state.attempt + 1, { read, random, error: event.error })
        : waiting(state.attempt + 1, { read, version, random, error: event.error })
    case 'synced':
    case 'elapsed':
      return state
    default:
      return event satisfies never
  }
}

/** Longest pause before a watch that ended in good order is opened again. */
const turnaroundMs = 500
const backOff = { baseMs: 800, capMs: 30_000 }

interface Wait {
  readonly read: Read
  readonly version?: string
  readonly random: Random
  readonly error?: unknown
}

function waiting(attempt: number, { read, version, random, error }: Wait): ReflectorState {
  const delayMs = Math.max(backOffMs(attempt, backOff, random), retryAfterMs(error))
  return { kind: 'waiting', read, attempt, delayMs, ...(version !== undefined && { version }) }
}

function readAfterFailure(read: Read, error: unknown): Read {
  // A WatchList that ends before its end mark will do so again; every server has lists.
  if (read === 'stream') return error === undefined ? 'pages' : 'stream'
  return isGone(error) ? 'whole' : read
}

/** The server no longer has the history after our resourceVersion. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 410 || error.reason === 'Expired' || error.reason === 'Gone')
}

/** How servers without WatchList answer `sendInitialEvents`. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422)
}

function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.details?.retryAfterSeconds ?? 0) * 1000 : 0
}
