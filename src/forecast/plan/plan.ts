import type { Held, HoldReason } from '../../rollout/decideRollout.ts'
import type { ChangeEffect } from '../changeEffect.ts'
import type { ChangeLine } from '../describeChange.ts'
import type { PauseRecord } from '../pauseRecord.ts'
import type { Contribution } from '../provenance.ts'
import type { NotPlanned } from './applyChange.ts'
import type { ForeseenDrain } from './foreseenDrain.ts'

/** What a change will do to a cluster, before anything is written. */
export interface Plan {
  /** Every pool of the cluster, in the order of their names. */
  readonly pools: readonly PoolPlan[]
  readonly notPlanned: readonly NotPlanned[]
  /** Kinds that could not be read, with the reason: what follows from them is not in the plan. */
  readonly unreadable: Readonly<Record<string, string>>
}

/**
 * `changes`: nodes get another config, or other nodes get one; `refused`: the render refuses the change and the pool keeps
 * its target, or no pool's nodes are known any more; `waits`: something must settle before the pool is rendered; `ignored`: an empty selector; `removed`: the pool
 * is deleted.
 */
export type PoolOutcome = 'unchanged' | 'changes' | 'refused' | 'waits' | 'ignored' | 'removed'

export interface PoolPlan {
  readonly pool: string
  readonly outcome: PoolOutcome
  /** Why it is refused, waits, or is ignored. */
  readonly message?: string
  /** The rendered config that is the target before and after the change. */
  readonly from?: string
  readonly to?: string
  /** How the merged config differs. */
  readonly changes: readonly PlannedLine[]
  /** What happens to nodes, those with the same change together. */
  readonly effects: readonly PlannedEffect[]
  /** What keeps the whole pool where it is; batches are then what follows when it is gone. */
  readonly held?: { readonly reason: HoldReason; readonly message: string }
  readonly pause?: PauseRecord
  readonly machines: number
  readonly maxUnavailable?: number
  /** Nodes in the order in which they start, those that start together in one batch. */
  readonly batches: readonly PlannedBatch[]
  /** Nodes that were on their way before the change. */
  readonly underWay: readonly string[]
  /** Nodes that are sent to the target and are not expected to arrive: they do not answer, or refuse the change. */
  readonly silent: readonly string[]
  /** Nodes that wait when nothing moves any more, each with the reason. */
  readonly stays: readonly Held[]
  /** What the drains will meet, as far as it can be seen today. */
  readonly drains: readonly ForeseenDrain[]
  readonly estimate?: PlannedEstimate
}

export interface PlannedLine extends ChangeLine {
  readonly setBy: readonly Contribution[]
  readonly overridden: readonly string[]
  /** Of a removal: the fragments that said it before. */
  readonly removedFrom: readonly string[]
}

export interface PlannedEffect extends Omit<ChangeEffect, 'changes' | 'views'> {
  readonly nodes: readonly string[]
  /** The config that they run when they are sent. */
  readonly from: string
}

interface PlannedBatch {
  readonly number: number
  readonly nodes: readonly string[]
  /** Seconds after the change, by the estimate. */
  readonly atSeconds: number
}

interface PlannedEstimate {
  /** From the first node's start until the last has arrived. */
  readonly seconds: number
  readonly secondsPerNode: number
  /** Where the time per node comes from. */
  readonly basis: string
}
