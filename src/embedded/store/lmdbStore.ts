import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { lockDirectory } from './directoryLock.ts'
import { damaged, requireSoundFile } from './lmdbFile.ts'
import type { Batch, RevisionStore, StoredState } from './revisionStore.ts'
import { UnusableDataError } from './unusableData.ts'

const formatVersion = 1

/**
 * One lmdb environment per cluster, in `directory`. Two databases: `objects` (path -> JSON bytes) and `meta`
 * (`revision`, `format`). Every commit is one synced transaction.
 */
export function lmdbStore(directory: string): RevisionStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const release = lockDirectory(directory)
  try {
    return openStore(directory, release)
  } catch (error) {
    release()
    throw error
  }
}

function openStore(directory: string, release: () => void): RevisionStore {
  const path = join(directory, 'objects.lmdb')
  requireSoundFile(path)
  // Overlapping sync would acknowledge before the disk has the data; here a resolved commit means synced.
  // Batching by turns of the event loop would make promises of its own, whose rejection nobody can hear: we batch.
  const root = open({ path, overlappingSync: false, eventTurnBatching: false, maxDbs: 4, noMemInit: true })
  const objects = root.openDB<Uint8Array, string>({ name: 'objects', encoding: 'binary' })
  const meta = root.openDB<number, string>({ name: 'meta', encoding: 'json' })
  checkFormat(meta.get('format'), directory)

  return {
    async load(): Promise<StoredState> {
      try {
        const loaded: { path: string; value: Uint8Array }[] = []
        for (const { key, value } of objects.getRange({})) loaded.push({ path: key, value })
        return { revision: meta.get('revision') ?? 0, objects: loaded }
      } catch (cause) {
        throw damaged(path, cause instanceof Error ? cause.message : String(cause), { cause })
      }
    },

    async commit(batch: Batch): Promise<void> {
      try {
        await root.batch(() => {
          for (const { path: key, value } of batch.writes) {
            queued(value === undefined ? objects.remove(key) : objects.put(key, value))
          }
          queued(meta.put('revision', batch.revision))
          queued(meta.put('format', formatVersion))
        })
      } catch (error) {
        throw await reasonOf(error)
      }
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

/** The reason of a failed commit is a promise inside the error; unheard, its rejection would end the process. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  const unknown = new Promise<unknown>((resolve) => setImmediate(() => resolve(error)))
  return Promise.race([Promise.resolve(error.commitError).catch((reason: unknown) => reason), unknown])
}

function checkFormat(found: number | undefined, directory: string): void {
  if (found === undefined || found === formatVersion) return
  throw new UnusableDataError(
    `the data in ${directory} has format ${found}, this version reads ${formatVersion}; use the version that wrote it or another directory`,
  )
}
