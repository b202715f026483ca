import { configShape } from './configShape.ts'
import type { ListShape, Shape, StructShape } from './shape.ts'
import type { File, IgnitionConfig } from './types.ts'

/** `child` over `parent` by the rules of the Ignition specification's config merging (spec: render 5.4). */
export const mergeIgnition = (parent: IgnitionConfig, child: IgnitionConfig): IgnitionConfig =>
  mergeAll([parent, child])

/** Later configs win. Linear in the total size of the configs; nothing is copied that nobody changes. */
export function mergeAll(configs: Iterable<IgnitionConfig>): IgnitionConfig {
  const merger = new IgnitionMerger()
  for (const config of configs) merger.add(config)
  return merger.result()
}

/**
 * Accumulates configs one by one. A list that nobody touches stays the array that it was.
 *
 *     const merger = new IgnitionMerger()
 *     merger.add(first)
 *     for (const next of rest) merger.add(next, { mapFile: withoutCompressionDefault })
 *     merger.result({ mapFile: overwriteByDefault })
 */
export class IgnitionMerger {
  private slot: unknown

  /** `mapFile` rewrites each file of this config before it is merged. */
  add(config: IgnitionConfig, { mapFile }: FileMap = {}): void {
    this.slot = mergeSlot(configShape, this.slot, mapFiles(config, mapFile))
  }

  /** `mapFile` rewrites each file of the result. The merger can go on afterwards. */
  result({ mapFile }: FileMap = {}): IgnitionConfig {
    if (this.slot === undefined) return emptyConfig
    return mapFiles(finish(this.slot) as IgnitionConfig, mapFile)
  }
}

export interface FileMap {
  readonly mapFile?: ((file: File) => File) | undefined
}

export const emptyConfig: IgnitionConfig = { ignition: { version: '3.5.0' } }

function mapFiles(config: IgnitionConfig, mapFile: FileMap['mapFile']): IgnitionConfig {
  const files = config.storage?.files
  if (mapFile === undefined || files === undefined || files.length === 0) return config
  const mapped = files.map(mapFile)
  if (mapped.every((file, index) => file === files[index])) return config
  return { ...config, storage: { ...config.storage, files: mapped } }
}

/** What is known of one value so far: the value as it was given, or an accumulator once a second one came. */
type Slot = unknown

function mergeSlot(shape: Shape, slot: Slot, child: unknown): Slot {
  if (child === undefined) return slot
  if (slot === undefined) return child
  if (shape.kind === 'struct') {
    const open = slot instanceof StructSlot ? slot : new StructSlot(shape, slot as Members)
    open.add(child as Members)
    return open
  }
  if (shape.kind === 'list') {
    const open = slot instanceof ListSlot ? slot : new ListSlot(shape, slot as readonly unknown[])
    open.add(child as readonly unknown[])
    return open
  }
  return child
}

const finish = (slot: Slot): unknown => (slot instanceof StructSlot || slot instanceof ListSlot ? slot.finish() : slot)

type Members = Readonly<Record<string, unknown>>

class StructSlot {
  private readonly shape: StructShape
  private readonly base: Members
  private readonly slots = new Map<string, Slot>()

  constructor(shape: StructShape, base: Members) {
    this.shape = shape
    this.base = base
    for (const { name } of shape.members) if (base[name] !== undefined) this.slots.set(name, base[name])
  }

  add(child: Members): void {
    for (const { name, shape, plain } of this.shape.members) {
      // A number that is not nullable always comes from the child, and its zero is not kept as a member.
      if (plain === 'sparse' && child[name] === undefined) this.slots.delete(name)
      else this.slots.set(name, mergeSlot(shape, this.slots.get(name), child[name]))
    }
    if (this.shape.sharedKeys) this.moveBetween(this.shape.sharedKeys, child)
  }

  /** A key that the child has in one list of a shared namespace leaves the parent's other lists. */
  private moveBetween(names: readonly string[], child: Members): void {
    for (const name of names) {
      const shape = this.shape.byName.get(name)?.shape
      const given = child[name]
      if (shape?.kind !== 'list' || !Array.isArray(given) || shape.key === 'append') continue
      const keys = given.map(shape.key)
      for (const sibling of names) if (sibling !== name) this.removeFrom(sibling, keys, child[sibling])
    }
  }

  private removeFrom(name: string, keys: readonly string[], given: unknown): void {
    const shape = this.shape.byName.get(name)?.shape
    const slot = this.slots.get(name)
    if (shape?.kind !== 'list' || shape.key === 'append' || slot === undefined) return
    const open = slot instanceof ListSlot ? slot : new ListSlot(shape, slot as readonly unknown[])
    const own = new Set(Array.isArray(given) ? given.map(shape.key) : [])
    for (const key of keys) if (!own.has(key)) open.remove(key)
    this.slots.set(name, open)
  }

  finish(): Members {
    const result: Record<string, unknown> = {}
    let changed = false
    for (const { name } of this.shape.members) {
      const value = finish(this.slots.get(name))
      const kept = Array.isArray(value) && value.length === 0 && value !== this.base[name] ? undefined : value
      if (kept !== this.base[name]) changed = true
      if (kept !== undefined) result[name] = kept
    }
    return changed ? result : this.base
  }
}

class ListSlot {
  private readonly shape: ListShape
  private readonly base: readonly unknown[]
  /** Insertion order is the order of the result; merging in place keeps the position. */
  private readonly items = new Map<string | number, Slot>()

  constructor(shape: ListShape, base: readonly unknown[]) {
    this.shape = shape
    this.base = base
    this.append(base)
  }

  add(child: readonly unknown[]): void {
    const { key, item: itemShape, removedWithout } = this.shape
    if (key === 'append') {
      this.append(child)
      return
    }
    for (const item of child) {
      const name = key(item)
      if (!this.items.has(name)) this.items.set(name, item)
      else if (removedWithout !== undefined && (item as Members)[removedWithout] === undefined) this.items.delete(name)
      else this.items.set(name, mergeSlot(itemShape, this.items.get(name), item))
    }
  }

  remove(key: string): void {
    this.items.delete(key)
  }

  private append(items: readonly unknown[]): void {
    const { key } = this.shape
    for (const item of items) this.items.set(key === 'append' ? this.items.size : key(item), item)
  }

  finish(): readonly unknown[] {
    const items = [...this.items.values()].map(finish)
    const same = items.length === this.base.length && items.every((item, index) => item === this.base[index])
    return same ? this.base : items
  }
}
