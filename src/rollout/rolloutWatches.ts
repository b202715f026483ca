import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node, Pod } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { buildLabel, eventReason, notYetSet, operatorNamespace, poolName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { type Cache, type Watch, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { nodeToView } from './nodeView.ts'
import { ownershipOf } from './primaryPool.ts'
import { annotationChanges, isRolloutChangeOfMachineConfigNode, isRolloutChangeOfNode } from './rolloutChanges.ts'

/** The one pod that runs the operator, found without reading every pod of the cluster. */
export const operatorPodsIndex = {
  kind: Pod,
  name: 'operatorPods',
  value: 'operator',
  valuesOf: ({ metadata }: Pod): readonly string[] =>
    metadata.namespace === operatorNamespace && metadata.labels?.['k8s-app'] === 'machine-config-operator'
      ? ['operator']
      : [],
} as const

/** To be registered with the cache before the controller runs. */
export const rolloutIndices = [operatorPodsIndex] as const

/** Which pools to look at after a change. */
export function rolloutWatches(
  cache: Cache,
  events: EventRecorder,
  onNodeGone: (name: string) => void,
  // biome-ignore lint/suspicious/noExplicitAny: watches over different kinds, as in Controller
): readonly Watch<any>[] {
  const allPools = () => known(() => cache.list(MachineConfigPool)).map(({ metadata }) => metadata.name ?? '')
  return [
    watching(
      MachineConfigPool,
      ({ old, now }) => {
        const name = (now ?? old)?.metadata.name ?? ''
        const isSelectorNew = JSON.stringify(old?.spec.nodeSelector) !== JSON.stringify(now?.spec.nodeSelector)
        // Another selector moves nodes between pools, so that the others' counts change too.
        return isSelectorNew ? [...new Set([name, ...allPools()])] : withMaster(name)
      },
      // Soon, so that who waits for a new target finds it in the status; the nodes follow when the target has settled.
      { coalesceMs: 10 },
    ),
    watching(Node, (change) => {
      const { old, now } = change
      if (!now) onNodeGone(old?.metadata.name ?? '')
      if (!isRolloutChangeOfNode(change)) return []
      const pools = known(() => cache.list(MachineConfigPool))
      const [before, after] = [old, now].map((node) => (node ? poolsOf(node, pools) : []))
      for (const pool of pools.filter(({ metadata }) => metadata.name === poolName.master)) {
        if (after?.[0] !== poolName.master) continue
        for (const message of annotationChanges(change)) {
          events.event(pool, 'Normal', eventReason.annotationChange, message)
        }
      }
      return [...new Set([...(before ?? []), ...(after ?? [])].flatMap(withMaster))]
    }),
    watching(MachineConfigNode, (change) => {
      if (!isRolloutChangeOfMachineConfigNode(change)) return []
      const names = [change.old?.spec.pool.name, change.now?.spec.pool.name]
      return [...new Set(names)].filter((name) => name !== undefined && name !== notYetSet).map(String)
    }),
    watching(MachineOSConfig, ({ old, now }) => [(now ?? old)?.spec.machineConfigPool.name ?? '']),
    watching(MachineOSBuild, ({ old, now }) => {
      const build = now ?? old
      const labelled = build?.metadata.labels?.[buildLabel.targetMachineConfigPool]
      if (labelled) return [labelled]
      const config = build?.spec.machineOSConfig.name ?? ''
      const pool = known(() => cache.list(MachineOSConfig)).find(({ metadata }) => metadata.name === config)
      return pool ? [pool.spec.machineConfigPool.name] : []
    }),
    watching(ControllerConfig, ({ old, now }) => (showsTheSame(old, now) ? [] : allPools())),
    watching(OSImageStream, allPools),
  ]
}

/** The arbiter's turn is the masters' turn: see controlPlanePass. */
const withMaster = (pool: string): string[] => (pool === poolName.arbiter ? [pool, poolName.master] : [pool])

function poolsOf(node: Node, pools: readonly MachineConfigPool[]): string[] {
  const ownership = ownershipOf(nodeToView(node), pools)
  switch (ownership.kind) {
    case 'owned':
    case 'conflict':
      return ownership.pools.map(({ metadata }) => metadata.name ?? '')
    case 'unmanaged':
      return []
    case 'invalid':
      return pools.map(({ metadata }) => metadata.name ?? '')
  }
}

/** Before a kind is known completely nothing is missed: its own first list brings every object as an add. */
function known<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Retryable) return []
    throw error
  }
}

function showsTheSame(old: ControllerConfig | undefined, now: ControllerConfig | undefined): boolean {
  const shown = (config: ControllerConfig | undefined) =>
    JSON.stringify([
      config?.spec.infra?.status?.controlPlaneTopology ?? '',
      config?.status?.controllerCertificates ?? [],
    ])
  return shown(old) === shown(now)
}
