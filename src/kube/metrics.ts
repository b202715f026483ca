/** What the machinery counts, as a port; the series and their labels belong to the process that exposes them. */
export interface KubeMetrics {
  /** One reconcile ended. `result` comes from a closed set, fit for a label. */
  reconciled(controller: string, result: ReconcileResult, durationMs: number): void
  /** Keys waiting in a controller's queue, and how long the oldest of them has been waiting. */
  queue(controller: string, depth: number, oldestAgeMs: number): void
  /** A kind's cache changed state or received something: `at` is its last proof of life. */
  cacheAlive(kind: string, at: Date): void
  /** A watch or list of a kind failed and is tried again. */
  watchFailed(kind: string, reason: string): void
  leader(lease: string, isLeader: boolean): void
  /** An event was not written: the API server refused it, or the recorder's limits did. */
  eventDropped(cause: 'limit' | 'failure'): void
}

export type ReconcileResult =
  | 'settled'
  | 'again'
  | 'conflict'
  | 'retryable'
  | 'waiting'
  | 'terminal'
  | 'invalid'
  | 'bug'

export const noMetrics: KubeMetrics = {
  reconciled: () => undefined,
  queue: () => undefined,
  cacheAlive: () => undefined,
  watchFailed: () => undefined,
  leader: () => undefined,
  eventDropped: () => undefined,
}
