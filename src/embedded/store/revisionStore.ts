/** One object's new bytes under its path; absent bytes remove it. */
interface StoredWrite {
  readonly path: string
  readonly value: Uint8Array | undefined
}

/** Writes that become durable together, and the revision of the last of them. */
export interface Batch {
  readonly revision: number
  readonly writes: readonly StoredWrite[]
}

export interface StoredState {
  /** Revision of the last committed batch; 0 when nothing was ever written. */
  readonly revision: number
  readonly objects: readonly { readonly path: string; readonly value: Uint8Array }[]
}

/**
 * Where the cluster's objects outlive the process. Not a database: the objects are few and live in memory, the store
 * only has to give them back.
 *
 * - `commit` resolves when the batch would survive a power cut. It is all or nothing.
 * - The caller commits one batch at a time, with rising revisions. A failed commit leaves the state before it.
 * - After a crash at any point, `load` returns every acknowledged batch, and at most the one that was under way.
 */
export interface RevisionStore {
  load(): Promise<StoredState>
  commit(batch: Batch): Promise<void>
  close(): Promise<void>
}
