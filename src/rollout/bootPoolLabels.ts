import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { LabelSelector } from '../api/meta.ts'
import { nodeAnnotation, poolName } from '../api/names.ts'
import type { NodeView } from './nodeView.ts'

/**
 * The labels that make a freshly booted node a member of the custom pool whose config it booted with; undefined when it
 * booted with another config, or has them already. Without them it would be sent back to the worker config.
 */
export function bootPoolLabels(
  { annotations }: NodeView,
  machineConfig: (name: string) => MachineConfig | undefined,
  pool: (name: string) => MachineConfigPool | undefined,
): Readonly<Record<string, string>> | undefined {
  const booted = annotations[nodeAnnotation.firstPivotConfig]
  if (!booted || annotations[nodeAnnotation.customPoolLabelsApplied] !== undefined) return undefined
  const owner = machineConfig(booted)?.metadata.ownerReferences?.find(({ controller }) => controller)?.name
  if (!owner || owner === poolName.master || owner === poolName.worker) return undefined
  const selector = pool(owner)?.spec.nodeSelector
  const labels = selector ? selectorToLabels(selector) : {}
  return Object.keys(labels).length > 0 ? labels : undefined
}

/** The labels that a selector asks for, as far as it names one value. */
function selectorToLabels({ matchLabels, matchExpressions }: LabelSelector): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const { key, operator, values = [] } of matchExpressions ?? []) {
    const [only] = values
    if (operator === 'Exists') labels[key] = ''
    else if (operator === 'In' && values.length === 1 && only !== undefined) labels[key] = only
  }
  return { ...labels, ...matchLabels }
}
