import type { Lease } from '../../api/coordination.ts'
import type { Node, NodeCondition, Taint } from '../../api/core.ts'
import { nodeTaint } from '../../api/names.ts'
import { secondsOf } from './podConditions.ts'

export interface NodeHealth {
  /** Conditions that must change, because the kubelet no longer speaks for itself. */
  readonly conditions: readonly NodeCondition[]
  /** The taints that the node should have; undefined when it has them. */
  readonly taints: readonly Taint[] | undefined
  readonly isReady: boolean
  /** When the lease will have expired. */
  readonly lookAgainAt: Date | undefined
}

/** Conditions that a kubelet speaks for; others on the node belong to others. */
const kubeletTypes = new Set(['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'])
const silent = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }

/** Whether a node may still be counted on (Kubernetes documentation, "Node controller", "Taint based Evictions"). */
export function nodeHealth(node: Node, lease: Lease | undefined, graceMs: number, now: Date): NodeHealth {
  const conditions = node.status?.conditions ?? []
  // A node that never reported is not judged yet.
  const heardAt = Date.parse(lease?.spec?.renewTime ?? '')
  const expiresAt = Number.isNaN(heardAt) ? undefined : new Date(heardAt + graceMs)
  const isSilent = expiresAt !== undefined && expiresAt <= now
  const unknown = isSilent
    ? conditions.filter(({ type, status }) => kubeletTypes.has(type) && status !== 'Unknown')
    : []
  const status = isSilent ? 'Unknown' : conditions.find(({ type }) => type === 'Ready')?.status
  return {
    conditions: unknown.map((each) => ({ ...each, ...silent, status: 'Unknown', lastTransitionTime: secondsOf(now) })),
    taints: taintsFor(node, status, now),
    isReady: status === 'True',
    lookAgainAt: isSilent ? undefined : expiresAt,
  }
}

function taintsFor(
  { spec }: Node,
  status: NodeCondition['status'] | undefined,
  now: Date,
): readonly Taint[] | undefined {
  const wantedKey = status === 'True' ? undefined : status === 'Unknown' ? nodeTaint.unreachable : nodeTaint.notReady
  const present = spec?.taints ?? []
  const isOurs = ({ key, effect }: Taint) =>
    (key === nodeTaint.unreachable || key === nodeTaint.notReady) && effect !== 'PreferNoSchedule'
  const kept = present.filter((taint) => !isOurs(taint) || taint.key === wantedKey)
  const missing = (['NoSchedule', 'NoExecute'] as const).filter(
    (effect) => wantedKey !== undefined && !kept.some((taint) => taint.key === wantedKey && taint.effect === effect),
  )
  if (kept.length === present.length && missing.length === 0) return undefined
  return [...kept, ...missing.map((effect) => ({ key: wantedKey ?? '', effect, timeAdded: secondsOf(now) }))]
}
