// Generated from src/api/crds/poolrollouts.yaml by scripts/generate-types.ts. Do not edit.
import type { Condition } from '../meta.ts'

export interface PoolRolloutSpec {
  readonly pool: string
  /** Counts the targets of the pool. The object's name is POOL-REVISION. */
  readonly revision: number
  /** The rendered config that was the target before; absent for the first one. */
  readonly from?: string
  /** The rendered config that the nodes are to have. */
  readonly to: string
  /** The MachineConfigs that merge to it, in their order. */
  readonly fragments?: readonly RolloutFragment[]
  /** What is different from the revision before. */
  readonly change?: {
    readonly added?: readonly ChangedFragment[]
    readonly removed?: readonly ChangedFragment[]
    readonly modified?: readonly ChangedFragment[]
    /** OS image, kernel, kernel arguments, extensions and FIPS mode, where they change. */
    readonly system?: readonly string[]
  }
}

export interface RolloutFragment {
  readonly name: string
  /** SHA-256 of what the fragment says; its copy is kept under this name. */
  readonly digest: string
  readonly generation?: number
}

export interface ChangedFragment {
  readonly name: string
  readonly generation?: number
  readonly changedBy?: string
  readonly changedAt?: string
}

export interface PoolRolloutStatus {
  readonly phase?: 'Waiting' | 'Paused' | 'Progressing' | 'Blocked' | 'Complete' | 'Superseded' | 'Reverted'
  readonly observedGeneration?: number
  /** When the first node was sent to the target. */
  readonly startedAt?: string
  readonly completedAt?: string
  /** Nodes that have the target, of all, as 3/5. */
  readonly updated?: string
  readonly counts?: {
    readonly machines?: number
    readonly updated?: number
    readonly unavailable?: number
    readonly degraded?: number
    readonly waiting?: number
  }
  /** At most 1000, those that are not done first. */
  readonly nodes?: readonly NodeProgress[]
  readonly omittedNodes?: number
  /** Nodes that were sent to the target together; the newest hundred. */
  readonly batches?: readonly RolloutBatch[]
  /** Why it does not go on, most important first. */
  readonly blockers?: readonly RolloutBlocker[]
  /** When it will probably be over; absent while nothing was measured. */
  readonly estimate?: RolloutEstimate
  readonly conditions?: readonly Condition[]
}

export interface NodeProgress {
  readonly name: string
  readonly phase: 'Waiting' | 'Draining' | 'Updating' | 'Rebooting' | 'Uncordoning' | 'Degraded' | 'Unreconcilable' | 'Unmanaged' | 'Done'
  readonly phaseSince?: string
  readonly batch?: number
  readonly startedAt?: string
  readonly finishedAt?: string
  /** How long it was in each phase that has ended. */
  readonly seconds?: Readonly<Record<string, number>>
}

export interface RolloutBatch {
  readonly number: number
  readonly nodes: number
  readonly startedAt: string
}

export interface RolloutBlocker {
  readonly code: string
  readonly severity: 'info' | 'warning' | 'critical'
  /** As the command line names it, node/NAME or mcp/NAME or mc/NAME. */
  readonly subject: string
  readonly since?: string
  readonly what: string
  readonly why?: string
  readonly remedy?: string
}

/** When it will probably be over; absent while nothing was measured. */
export interface RolloutEstimate {
  readonly remainingSeconds: number
  readonly secondsPerNode: number
  readonly basis: string
}
