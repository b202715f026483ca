import type { Scheduler } from '../api/config.ts'
import { nodeLabel, nodeTaint } from '../api/names.ts'
import type { NodeView, Taint } from './nodeView.ts'

export interface ControlPlaneChange {
  readonly labels?: Readonly<Record<string, string | null>>
  readonly taints?: readonly Taint[]
}

/**
 * What a control plane node lacks: the label `control-plane` beside `master`, and, where the cluster has a Scheduler
 * object, the worker label and the taints that say whether workload may run here. Without that object nothing about
 * schedulability is ours to decide. Undefined when all is right.
 */
export function controlPlaneChange(node: NodeView, scheduler: Scheduler | undefined): ControlPlaneChange | undefined {
  const isMaster = node.labels[nodeLabel.master] !== undefined
  if (!isMaster && node.labels[nodeLabel.controlPlane] === undefined) return undefined
  const labels: Record<string, string | null> = {}
  if (isMaster && node.labels[nodeLabel.controlPlane] === undefined) labels[nodeLabel.controlPlane] = ''
  const taints = scheduler ? schedulability(node, scheduler.spec?.mastersSchedulable ?? false, labels) : undefined
  if (Object.keys(labels).length === 0 && !taints) return undefined
  return { ...(Object.keys(labels).length > 0 && { labels }), ...(taints && { taints }) }
}

function schedulability(
  node: NodeView,
  isSchedulable: boolean,
  labels: Record<string, string | null>,
): readonly Taint[] | undefined {
  const isWorker = node.labels[nodeLabel.worker] !== undefined
  if (isSchedulable) {
    if (!isWorker) labels[nodeLabel.worker] = ''
    const others = node.taints.filter((taint) => !isControlPlaneTaint(taint))
    return others.length < node.taints.length ? others : undefined
  }
  if (isWorker) labels[nodeLabel.worker] = null
  const hasTaint = node.taints.some(({ key, effect }) => key === nodeTaint.master && effect === 'NoSchedule')
  return hasTaint ? undefined : [...node.taints, { key: nodeTaint.master, effect: 'NoSchedule' }]
}

const isControlPlaneTaint = ({ key, effect }: Taint): boolean =>
  (key === nodeTaint.master || key === nodeTaint.controlPlane) && effect === 'NoSchedule'
