import type { PodSpec, Taint, Toleration } from '../api/core.ts'
import { nodeTaint } from '../api/names.ts'
import { parseQuantity } from '../schema/quantity.ts'

/** A node as the question "could this pod run there?" needs it. */
export interface HostView {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly unschedulable: boolean
  readonly ready: boolean
  readonly beingDrained: boolean
  /** What is left of allocatable by resource, in 10^-9 of its unit. Absent: unknown. */
  readonly free?: Readonly<Record<string, bigint>>
}

type NowhereReason =
  | 'being drained'
  | 'unschedulable'
  | 'not ready'
  | 'selector does not match'
  | 'taint not tolerated'
  | 'no room'

export interface Placement {
  readonly total: number
  /** Nodes on which a replacement could start. */
  readonly fits: number
  /** The others by the first reason that rules them out, the most frequent reason first. */
  readonly reasons: readonly { readonly reason: NowhereReason; readonly count: number }[]
}

/**
 * Why no node can take a replacement of this pod: what the scheduler will find. It knows cordons, readiness, selectors,
 * required node affinity, taints and room, and not the affinity between pods or the topology of volumes.
 */
export function whyNowhere(spec: PodSpec | undefined, hosts: readonly HostView[]): Placement {
  const counts = new Map<NowhereReason, number>()
  for (const host of hosts) {
    const reason = ruledOut(spec, host)
    if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
  const excluded = reasons.reduce((sum, { count }) => sum + count, 0)
  return { total: hosts.length, fits: hosts.length - excluded, reasons }
}

/** `3 of 4 nodes: unschedulable; 1 node: being drained`, or that there is a place. */
export function describePlacement({ total, fits, reasons }: Placement): string {
  if (fits > 0) return `a replacement could run on ${fits} of ${plural(total)}`
  const parts = reasons.map(({ reason, count }, index) =>
    index === 0 ? `${count} of ${plural(total)}: ${reason}` : `${plural(count)}: ${reason}`,
  )
  return parts.length > 0 ? parts.join('; ') : 'there is no node'
}

const plural = (count: number): string => `${count} node${count === 1 ? '' : 's'}`

function ruledOut(spec: PodSpec | undefined, host: HostView): NowhereReason | undefined {
  if (host.beingDrained) return 'being drained'
  if (host.unschedulable && !tolerates(spec?.tolerations, cordonTaint)) return 'unschedulable'
  if (!host.ready) return 'not ready'
  if (!isSelected(spec, host)) return 'selector does not match'
  const strict = host.taints.filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
  // The cordon's own taint is judged above, with the cordon.
  const refused = strict.filter((taint) => taint.key !== cordonTaint.key && !tolerates(spec?.tolerations, taint))
  // Control plane nodes that take no ordinary pods are called unschedulable, as the cluster's settings call them.
  if (refused.length > 0) return refused.every(isRoleTaint) ? 'unschedulable' : 'taint not tolerated'
  return hasRoom(spec, host) ? undefined : 'no room'
}

const isRoleTaint = ({ key }: Taint): boolean => key === nodeTaint.master || key === nodeTaint.controlPlane

const cordonTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(({ key, operator = 'Equal', value = '', effect }) => {
    if (effect && effect !== taint.effect) return false
    if (!key) return operator === 'Exists'
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
  })
}

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}
interface Term {
  readonly matchExpressions?: readonly Requirement[]
  readonly matchFields?: readonly Requirement[]
}

export function isSelected(spec: PodSpec | undefined, { name, labels }: Pick<HostView, 'name' | 'labels'>): boolean {
  if (Object.entries(spec?.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false
  const terms = requiredTerms(spec)
  if (!terms) return true
  const fields = { 'metadata.name': name }
  return terms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((requirement) => meets(requirement, labels)) &&
      matchFields.every((requirement) => meets(requirement, fields)),
  )
}

/** `affinity` is not typed in the API: only this path of it is read. */
function requiredTerms(spec: PodSpec | undefined): readonly Term[] | undefined {
  const affinity = spec?.affinity as
    | { nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: readonly Term[] } } }
    | undefined
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
}

function meets({ key, operator, values = [] }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}

function hasRoom(spec: PodSpec | undefined, { free }: HostView): boolean {
  if (!free) return true
  const needs = podRequests(spec)
  return Object.entries(needs).every(([resource, amount]) => amount === 0n || amount <= (free[resource] ?? amount))
}

/** What the scheduler reserves for a pod: the sum of its containers, or the largest init container; and one pod. */
export function podRequests(spec: PodSpec | undefined): Readonly<Record<string, bigint>> {
  const total: Record<string, bigint> = { pods: 1_000_000_000n }
  for (const { resources } of spec?.containers ?? []) {
    for (const [resource, amount] of Object.entries(resources?.requests ?? {})) {
      total[resource] = (total[resource] ?? 0n) + nanos(amount)
    }
  }
  for (const { resources } of spec?.initContainers ?? []) {
    for (const [resource, amount] of Object.entries(resources?.requests ?? {})) {
      const wanted = nanos(amount)
      if (wanted > (total[resource] ?? 0n)) total[resource] = wanted
    }
  }
  return total
}

/** All amounts are counted in 10^-9 of their unit, exactly. */
export const nanos = (amount: string): bigint => parseQuantity(amount)?.nanos ?? 0n
