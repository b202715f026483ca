/** What the rollout counts, as a port; the process that exposes metrics builds the series. */
export interface RolloutMetrics {
  /** `mco_machine_count` and its three companions. */
  pool(pool: string, counts: PoolCounts): void
  /** A pool is gone: its series end. */
  poolGone(pool: string): void
  /** `mcc_pool_alert`: 1 while a control plane node matches a custom pool, which it ignores. */
  customPoolIgnored(node: string, isIgnored: boolean): void
}

interface PoolCounts {
  readonly machines: number
  readonly updated: number
  readonly degraded: number
  readonly unavailable: number
  readonly isPaused: boolean
}

export const noRolloutMetrics: RolloutMetrics = {
  pool: () => undefined,
  poolGone: () => undefined,
  customPoolIgnored: () => undefined,
}
