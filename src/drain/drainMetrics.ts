/** What drains count, as a port; the process that exposes metrics builds the series. */
export interface DrainMetrics {
  /** `mcc_drain_err`: true once a drain has exceeded its timeout; false ends the node's series. */
  drainFailed(node: string, isFailed: boolean): void
  /** A node was drained after this long. */
  drained(node: string, durationMs: number): void
  evictions(granted: number, refused: number): void
}

export const noDrainMetrics: DrainMetrics = {
  drainFailed: () => undefined,
  drained: () => undefined,
  evictions: () => undefined,
}
