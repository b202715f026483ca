/** What drains count, as a port; the process that exposes metrics builds the series. */
export interface DrainMetrics {
  /** A node was drained after this long. */
  drained(node: string, durationMs: number): void
  evictions(granted: number, refused: number): void
}

export const noDrainMetrics: DrainMetrics = {
  drained: () => undefined,
  evictions: () => undefined,
}
