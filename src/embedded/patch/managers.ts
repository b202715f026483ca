import type { ManagedFieldsEntry } from '../../api/meta.ts'
import { type FieldSet, isEmptySet, union } from './fieldSet.ts'
import { fieldsV1ToSet, setToFieldsV1 } from './fieldsV1.ts'

/** One manager with one way of writing; the decoded form of a managedFields entry. */
export interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly set: FieldSet
}

/** Managers by identity. */
export type Managers = ReadonlyMap<string, Manager>

/** Updates in another version are another manager; an applier stays the same through versions. */
export function identityOf({ name, operation, apiVersion, subresource }: Omit<Manager, 'set' | 'time'>): string {
  return JSON.stringify([name, operation, operation === 'Apply' ? '' : apiVersion, subresource])
}

/** The managers of lists that were read or written before: a stored list is never changed. */
const decoded = new WeakMap<readonly ManagedFieldsEntry[], Managers>()

/** Undefined when an entry cannot be understood: the whole list is then as good as absent. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[] = []): Managers | undefined {
  const known = decoded.get(entries)
  if (known) return known
  const managers = new Map<string, Manager>()
  for (const entry of entries) {
    const manager = decodeManager(entry)
    if (!manager) return undefined
    managers.set(identityOf(manager), manager)
  }
  decoded.set(entries, managers)
  return managers
}

function decodeManager(entry: ManagedFieldsEntry): Manager | undefined {
  const { manager = '', operation, apiVersion, fieldsType, fieldsV1, time, subresource = '' } = entry
  if ((operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1') return undefined
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined
  const set = fieldsV1ToSet(fieldsV1 ?? {})
  return set && { name: manager, operation, apiVersion, subresource, time: time ?? undefined, set }
}

/** Appliers first, then by time and name: the same managers always give the same bytes. */
export function encodeManagers(managers: Managers): readonly ManagedFieldsEntry[] {
  const entries: readonly ManagedFieldsEntry[] = [...managers.values()]
    .sort(compareManagers)
    .map(({ name, operation, apiVersion, subresource, time, set }) => ({
      apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: setToFieldsV1(set),
      manager: name,
      operation,
      ...(subresource === '' ? {} : { subresource }),
      ...(time === undefined ? {} : { time }),
    }))
  decoded.set(entries, managers)
  return entries
}

function compareManagers(a: Manager, b: Manager): number {
  const order = [
    compare(a.operation, b.operation),
    compare(a.time ?? '', b.time ?? ''),
    compare(a.name, b.name),
    compare(a.apiVersion, b.apiVersion),
    compare(a.subresource, b.subresource),
  ]
  return order.find((each) => each !== 0) ?? 0
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** With the sets changed; managers that own nothing any more are gone. */
export function changeSets(managers: Managers, change: (manager: Manager, identity: string) => FieldSet): Managers {
  const changed = [...managers].map(
    ([identity, manager]) => [identity, { ...manager, set: change(manager, identity) }] as const,
  )
  return new Map(changed.filter(([, { set }]) => !isEmptySet(set)))
}

const maxUpdaters = 10

/**
 * At most ten managers that update: the longest silent ones become `ancient-changes`, one for each version, so that
 * clients with ever new names cannot grow the object without end.
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update')
  if (updaters.length <= maxUpdaters) return managers
  const oldestFirst = updaters.sort(([, a], [, b]) => compareManagers(a, b))
  const capped = new Map(managers)
  let count = updaters.length
  for (const [identity, manager] of oldestFirst) {
    if (count <= maxUpdaters) break
    const ancient = { ...manager, name: 'ancient-changes', subresource: '' }
    const ancientIdentity = identityOf(ancient)
    if (identity === ancientIdentity) continue
    const known = capped.get(ancientIdentity)
    capped.delete(identity)
    capped.set(ancientIdentity, known ? { ...ancient, set: union(known.set, manager.set) } : ancient)
    if (known) count -= 1
  }
  return capped
}
