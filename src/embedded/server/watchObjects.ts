import type { Status } from '../../api/meta.ts'
import type { Collection } from '../store/collection.ts'
import { eventFor, eventLine, type WatchEvent, type Watcher } from './broadcast.ts'
import type { ServerContext } from './context.ts'
import type { Filter } from './filter.ts'
import { LineStream } from './lineStream.ts'
import type { ObjectWriter } from './outputForm.ts'
import { collectionOf } from './registry.ts'
import type { ListOptions } from './requestOptions.ts'
import { type ResourceDefinition, resourceApiVersion } from './resource.ts'
import { expired } from './statusError.ts'

const bookmarkEveryMs = 60_000
/** Without timeoutSeconds a watch lasts between half an hour and an hour, as on the real server. */
const defaultTimeoutSeconds = 1800

/** An open watch: the present state or the missed changes first (by `resourceVersion`), then every change, until it ends. */
export function watchObjects(
  context: ServerContext,
  resource: ResourceDefinition,
  filter: Filter,
  writer: ObjectWriter,
  options: ListOptions,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  const collection = context.database.collection(collectionOf(resource))
  const broadcast = context.broadcastOf(collection)
  const start = startOf(options)
  const { revision } = context.database
  if (start.kind === 'changes') {
    const why = whyTooOld(start.revision, collection.history.horizon, revision)
    if (why) return ended(errorLine(why))
  }
  // Reading the state and subscribing happen in one step: nothing is lost or doubled in between.
  const missed = missedEvents(collection, filter, start)
  const bookmarked = options.sendInitialEvents === true && options.allowWatchBookmarks
  const over = new AbortController()
  const stream = new LineStream(
    () => {
      broadcast.remove(watcher)
      signal?.removeEventListener('abort', end)
      over.abort()
    },
    { opening: openingLines(missed, writer, bookmarked ? endOfState(resource, revision) : undefined) },
  )
  const end = () => stream.end()
  const watcher: Watcher = { resource, filter, writer, stream, started: missed.length > 0 }
  broadcast.add(watcher)
  if (signal?.aborted) stream.end()
  else signal?.addEventListener('abort', end, { once: true })
  keepTime(context, watcher, options, over.signal)
  return stream
}

type Start =
  | { readonly kind: 'state' }
  | { readonly kind: 'now' }
  | { readonly kind: 'changes'; readonly revision: number }

/** API concepts, "Semantics for watch". */
function startOf({ resourceVersion, sendInitialEvents }: ListOptions): Start {
  if (sendInitialEvents === true) return { kind: 'state' }
  if (resourceVersion === '' || resourceVersion === '0')
    return sendInitialEvents === false ? { kind: 'now' } : { kind: 'state' }
  return { kind: 'changes', revision: Number(resourceVersion) }
}

/**
 * A version above the present one was never given out by this store (its data is gone, or it is another cluster's):
 * waiting for it would hang the client for ever, so that it is told to list again.
 */
function whyTooOld(wanted: number, horizon: number, present: number): string | undefined {
  if (wanted < horizon) return `too old resource version: ${wanted} (${horizon})`
  if (wanted > present) return `unknown resource version: ${wanted} (the newest is ${present})`
  return undefined
}

function ended(line: Buffer): LineStream {
  const stream = new LineStream(() => undefined)
  stream.push(line)
  stream.end()
  return stream
}

/** What the watch begins with: the present state or the changes since. Few bytes: the lines are made when they are sent. */
function missedEvents(collection: Collection, filter: Filter, start: Start): readonly WatchEvent[] {
  switch (start.kind) {
    case 'now':
      return []
    case 'state': {
      const entries = collection.list(filter.namespace).filter((entry) => filter.matches(entry))
      return entries.map((entry) => ({ type: 'ADDED', entry }))
    }
    case 'changes':
      return collection.history.since(start.revision).flatMap((change) => eventFor(filter, change) ?? [])
    default:
      return start satisfies never
  }
}

function* openingLines(
  events: readonly WatchEvent[],
  writer: ObjectWriter,
  last: Buffer | undefined,
): Generator<Buffer, void, undefined> {
  for (const [index, { type, entry }] of events.entries()) yield eventLine(type, writer.write(entry, index === 0))
  if (last) yield last
}

const endOfState = (resource: ResourceDefinition, revision: number): Buffer =>
  bookmarkLine(resource, revision, { 'k8s.io/initial-events-end': 'true' })

/** Bookmarks once a minute and at the end, then the end. */
function keepTime(
  context: ServerContext,
  { stream, resource }: Watcher,
  options: ListOptions,
  ended: AbortSignal,
): void {
  // Zero is no time limit of the client's, as on the real server.
  const lifeMs = (options.timeoutSeconds || defaultTimeoutSeconds * (1 + context.random())) * 1000
  const bookmark = () => {
    if (options.allowWatchBookmarks) stream.push(bookmarkLine(resource, context.database.revision))
  }
  const run = async (): Promise<void> => {
    let leftMs = lifeMs
    while (leftMs > bookmarkEveryMs) {
      await context.clock.sleep(bookmarkEveryMs, ended)
      leftMs -= bookmarkEveryMs
      bookmark()
    }
    await context.clock.sleep(leftMs, ended)
    bookmark()
    stream.end()
  }
  // The only way to fail is the end of the watch, which is what the timer was for.
  run().catch(() => stream.end())
}

function bookmarkLine(
  resource: ResourceDefinition,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): Buffer {
  const object = {
    kind: resource.kind,
    apiVersion: resourceApiVersion(resource),
    metadata: { resourceVersion: String(revision), creationTimestamp: null, ...(annotations ? { annotations } : {}) },
  }
  return Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
}

function errorLine(message: string): Buffer {
  const object: Status = expired(message).status
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object })}\n`)
}
