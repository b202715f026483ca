export interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * Who owns a path, for a process that may not change owners: written down instead of applied. Paths
 * that are not written down belong to root.
 */
export interface OwnerRecord {
  get(path: string): Owner | undefined
  set(path: string, owner: Owner): void
  move(from: string, to: string): void
  delete(path: string): void
}

export interface OwnerStore {
  load(): string | undefined
  save(text: string): void
}

export function ownerRecord(store: OwnerStore): OwnerRecord {
  const owners = new Map<string, Owner>(parseOwners(store.load()))
  const save = (): void => {
    store.save(JSON.stringify(Object.fromEntries([...owners].sort(([a], [b]) => (a < b ? -1 : 1)))))
  }
  const forget = (path: string): boolean => {
    let changed = owners.delete(path)
    for (const key of owners.keys()) if (key.startsWith(`${path}/`)) changed = owners.delete(key) || changed
    return changed
  }
  return {
    get: (path) => owners.get(path),
    set(path, { uid, gid }) {
      const known = owners.get(path)
      if (uid === 0 && gid === 0) {
        if (owners.delete(path)) save()
      } else if (known?.uid !== uid || known.gid !== gid) {
        owners.set(path, { uid, gid })
        save()
      }
    },
    move(from, to) {
      const moved = [...owners].filter(([path]) => path === from || path.startsWith(`${from}/`))
      const changed = forget(to)
      for (const [path, owner] of moved) {
        owners.delete(path)
        owners.set(to + path.slice(from.length), owner)
      }
      if (changed || moved.length > 0) save()
    },
    delete(path) {
      if (forget(path)) save()
    },
  }
}

function parseOwners(text: string | undefined): [string, Owner][] {
  if (text === undefined) return []
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(parsed).filter((entry): entry is [string, Owner] => isOwner(entry[1]))
}

const isOwner = (value: unknown): value is Owner =>
  typeof value === 'object' &&
  value !== null &&
  'uid' in value &&
  'gid' in value &&
  typeof value.uid === 'number' &&
  typeof value.gid === 'number'
