import type { PoolRolloutSpec, PoolRolloutStatus } from './generated/poolRollout.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  ChangedFragment,
  NodeProgress,
  PoolRolloutSpec,
  PoolRolloutStatus,
  RolloutBlocker,
  RolloutEstimate,
  RolloutFragment,
} from './generated/poolRollout.ts'

/** One target of one pool: what changed, and how far its nodes are. The newest of a pool is the rollout in progress. */
export interface PoolRollout extends KubernetesObject {
  readonly spec: PoolRolloutSpec
  readonly status?: PoolRolloutStatus
}
export const PoolRollout = defineKind<PoolRollout>('machineconfig.io', 'v1alpha1', 'PoolRollout', 'poolrollouts')

/** On every PoolRollout: its pool, so that `kubectl get poolrollouts -l machineconfig.io/pool=worker` lists a history. */
export const rolloutPoolLabel = 'machineconfig.io/pool'

/** On a MachineConfigPool: how many PoolRollouts, and rendered configs beyond those in use, are kept; ten without it. */
export const historyLimitAnnotation = 'machineconfig.io/history-limit'
