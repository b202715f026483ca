import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { machineConfigNodeCondition as condition, nodeAnnotation, nodeState } from '../api/names.ts'
import { readDuration } from './durationAnnotation.ts'
import type { NodeView } from './nodeView.ts'

/** On a Node: the sentence that tells that it is not back from its reboot; absent when all is well. */
export const overdueRebootAnnotation = 'machineconfig.io/reboot-overdue'

/** On a MachineConfigPool: how long a reboot of its nodes may take, such as `20m`. */
export const rebootLimitAnnotation = 'machineconfig.io/reboot-limit'

const defaultLimitMs = 10 * 60_000

export interface RebootLimit {
  readonly ms: number
  /** Why the value cannot be read; the default holds then. */
  readonly problem?: string
}

/** Ten minutes, unless the pool says otherwise: large machines take longer to start. */
export function rebootLimitOf(poolAnnotations: Readonly<Record<string, string>> | undefined): RebootLimit {
  const { ms = defaultLimitMs, problem } = readDuration(poolAnnotations, rebootLimitAnnotation)
  return { ms, ...(problem !== undefined && { problem }) }
}

export type RebootVerdict =
  | { readonly kind: 'none' }
  /** It has until then. */
  | { readonly kind: 'underWay'; readonly until: Date }
  | { readonly kind: 'overdue'; readonly message: string }

/**
 * Whether a node is back from its reboot in time. Its daemon withdraws the announcement as soon as it has seen another
 * boot; when the reboot began stands on the MachineConfigNode, so a controller that restarts counts on.
 */
export function judgeReboot(
  node: NodeView,
  report: MachineConfigNode | undefined,
  limit: RebootLimit,
  now: Date,
): RebootVerdict {
  if (node.annotations[nodeAnnotation.postConfigAction] !== nodeState.rebooting) return { kind: 'none' }
  const began = report?.status?.conditions?.find(({ type }) => type === condition.rebootedNode)
  const since = began?.status === 'Unknown' ? Date.parse(began.lastTransitionTime) : Number.NaN
  if (!began || Number.isNaN(since)) return { kind: 'none' }
  const until = new Date(since + limit.ms)
  if (now < until) return { kind: 'underWay', until }
  const ready = node.conditions.find(({ type }) => type === 'Ready')?.status === 'True'
  const found = ready
    ? 'its kubelet is ready, but its daemon has not reported another boot: see on the node whether it rebooted (journalctl --list-boots) and whether the daemon runs'
    : 'its kubelet is not ready: look at its console or at the machine itself'
  return {
    kind: 'overdue',
    message: `it is not back from the reboot that it began at ${began.lastTransitionTime}, after more than ${limit.ms / 60_000} minutes; ${found}${limit.problem ? `; ${limit.problem}` : ''}`,
  }
}
