import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { lockDirectory } from './directoryLock.ts'
import type { Batch, RevisionStore, StoredState } from './revisionStore.ts'

const formatVersion = 1

/**
 * One lmdb environment per cluster, in `directory`. Two databases: `objects` (path -> JSON bytes) and `meta`
 * (`revision`, `format`). Every commit is one synced transaction.
 */
export function lmdbStore(directory: string): RevisionStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const release = lockDirectory(directory)
  // Overlapping sync would acknowledge before the disk has the data; here a resolved commit means synced.
  const root = open({ path: join(directory, 'objects.lmdb'), overlappingSync: false, maxDbs: 4, noMemInit: true })
  const objects = root.openDB<Uint8Array, string>({ name: 'objects', encoding: 'binary' })
  const meta = root.openDB<number, string>({ name: 'meta', encoding: 'json' })
  checkFormat(meta.get('format'), directory)

  return {
    async load(): Promise<StoredState> {
      const loaded: { path: string; value: Uint8Array }[] = []
      for (const { key, value } of objects.getRange({})) loaded.push({ path: key, value })
      return { revision: meta.get('revision') ?? 0, objects: loaded }
    },

    async commit(batch: Batch): Promise<void> {
      await root.batch(() => {
        for (const { path, value } of batch.writes) {
          queued(value === undefined ? objects.remove(path) : objects.put(path, value))
        }
        queued(meta.put('revision', batch.revision))
        queued(meta.put('format', formatVersion))
      })
    },

    async close(): Promise<void> {
      await root.close()
      release()
    },
  }
}

/** The batch's own promise reports the failure of any write in it; the single writes' promises need no second handler. */
function queued(write: Promise<boolean>): void {
  write.catch(() => undefined)
}

function checkFormat(found: number | undefined, directory: string): void {
  if (found === undefined || found === formatVersion) return
  throw new Error(
    `the data in ${directory} has format ${found}, this version reads ${formatVersion}; use the version that wrote it or another directory`,
  )
}
