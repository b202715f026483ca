import type { Batch, RevisionStore, StoredState } from './revisionStore.ts'

/** Keeps nothing beyond the process: for `--data :memory:` and tests. */
export function memoryStore(): RevisionStore {
  const objects = new Map<string, Uint8Array>()
  let revision = 0
  let closed = false
  return {
    async load(): Promise<StoredState> {
      return { revision, objects: [...objects].map(([path, value]) => ({ path, value })) }
    },
    async commit(batch: Batch): Promise<void> {
      if (closed) throw new Error(`the store is closed; batch ${batch.revision} was not written`)
      for (const { path, value } of batch.writes) {
        if (value === undefined) objects.delete(path)
        else objects.set(path, value)
      }
      revision = batch.revision
    },
    async close(): Promise<void> {
      closed = true
    },
  }
}
