import type { Collection } from '../store/collection.ts'
import { Entry } from '../store/entry.ts'
import type { Change } from '../store/history.ts'
import type { Filter } from './filter.ts'
import type { LineStream } from './lineStream.ts'
import type { ObjectWriter } from './outputForm.ts'
import type { ResourceDefinition, SelectableField } from './resource.ts'
import { served } from './served.ts'

/** One open watch, as the fan-out sees it. */
export interface Watcher {
  readonly resource: ResourceDefinition
  readonly filter: Filter
  readonly writer: ObjectWriter
  readonly stream: LineStream
  /** Whether something was already sent: the first table carries the columns. */
  started: boolean
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/**
 * Sends each change of a collection to the watches that it concerns. Watches that ask for one value of a field (one
 * node's pods, one object by name) are found by that value, and equal lines are made once and shared.
 */
export class Broadcast {
  readonly #all = new Set<Watcher>()
  readonly #byField = new Map<SelectableField, Map<string, Set<Watcher>>>()

  constructor(collection: Collection) {
    collection.listen((change) => this.#send(change))
  }

  add(watcher: Watcher): void {
    this.#setOf(watcher).add(watcher)
  }

  remove(watcher: Watcher): void {
    const set = this.#setOf(watcher)
    set.delete(watcher)
    const { required } = watcher.filter
    if (set.size > 0 || !required) return
    const byValue = this.#byField.get(required.field)
    byValue?.delete(required.value)
    if (byValue?.size === 0) this.#byField.delete(required.field)
  }

  /** Ends every watch: the server stops, or the kind is gone. */
  end(): void {
    const indexed = [...this.#byField.values()].flatMap((byValue) => [...byValue.values()])
    for (const watcher of [this.#all, ...indexed].flatMap((set) => [...set])) watcher.stream.end()
  }

  #setOf({ filter: { required } }: Watcher): Set<Watcher> {
    if (!required) return this.#all
    const byValue = getOrMake(this.#byField, required.field, () => new Map<string, Set<Watcher>>())
    return getOrMake(byValue, required.value, () => new Set<Watcher>())
  }

  #send(change: Change): void {
    const lines = new Map<string, Buffer>()
    for (const watcher of this.#all) sendChange(watcher, change, lines)
    for (const [field, byValue] of this.#byField) {
      for (const value of valuesOf(field, change, byValue)) {
        for (const watcher of byValue.get(value) ?? []) sendChange(watcher, change, lines)
      }
    }
  }
}

/** The values that the field has before and after the change. All watches of one field watch the same resource. */
function valuesOf(
  field: SelectableField,
  change: Change,
  byValue: ReadonlyMap<string, ReadonlySet<Watcher>>,
): Set<string> {
  const [anyWatcher] = byValue.values().next().value ?? []
  if (!anyWatcher) return new Set()
  const states = change.previous ? [change.entry, change.previous] : [change.entry]
  return new Set(states.map((entry) => field.value(served(anyWatcher.resource, entry).object)))
}

/** What one change is to one watch: entering or leaving its selection is ADDED or DELETED. */
function sendChange(watcher: Watcher, change: Change, lines: Map<string, Buffer>): void {
  const event = eventFor(watcher.filter, change)
  if (!event) return
  const first = !watcher.started
  const key = `${event.type} ${first} ${watcher.writer.key}`
  const line = getOrMake(lines, key, () => eventLine(event.type, watcher.writer.write(event.entry, first)))
  watcher.started = true
  watcher.stream.push(line)
}

export interface WatchEvent {
  readonly type: EventType
  readonly entry: Entry
}

export function eventFor(filter: Filter, change: Change): WatchEvent | undefined {
  const { entry, previous } = change
  const matches = change.type !== 'DELETED' && filter.matches(entry)
  const matched = previous !== undefined && filter.matches(previous)
  if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', entry }
  if (!matched) return undefined
  // A watch that loses sight of an object gets the last state it could see, with the version of the change.
  return { type: 'DELETED', entry: change.type === 'DELETED' ? entry : restamped(previous, entry.revision) }
}

function restamped(entry: Entry, revision: number): Entry {
  const { object } = entry
  const metadata = { ...object.metadata, resourceVersion: String(revision) }
  return new Entry(entry.path, revision, { ...object, metadata })
}

const opening: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const closing = Buffer.from('}\n')

export function eventLine(type: EventType, object: Buffer): Buffer {
  return Buffer.concat([opening[type], object, closing])
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
