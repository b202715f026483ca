import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { nodeAnnotation, notYetSet, singletonName } from '../api/names.ts'
import {
  type EffectivePolicies,
  effectivePolicies,
  policyGlobsAnnotation,
  poolPoliciesAnnotation,
} from '../forecast/effectivePolicies.ts'
import { runtimeOf } from '../forecast/runtimePolicies.ts'
import type { Informers } from '../kube/informers.ts'
import type { IrreconcilableOverrides } from '../render/reconcilable.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { ownershipOf } from '../rollout/primaryPool.ts'
import { type ClusterCertificates, certificatesOf, certificatesText } from './clusterCertificates.ts'
import { driftModeAnnotation } from './driftMode.ts'

/**
 * What daemons read of the cluster besides rendered configs. One view may serve every daemon of a process: a daemon is
 * woken only by a change of its own node that concerns it, not by heartbeats.
 */
export interface ClusterView {
  node(name: string): Node | undefined
  machineConfigNode(name: string): MachineConfigNode | undefined
  poolOf(node: Node): PoolOfNode
  policies(node: Node): EffectivePolicies
  /** Undefined while there is no ControllerConfig. */
  certificates(): ClusterCertificates | undefined
  overrides(): IrreconcilableOverrides
  /** Calls back on a change that concerns the daemon of this node. Returns the unsubscription. */
  subscribe(name: string, onChange: () => void): () => void
  ready(signal: AbortSignal): Promise<void>
}

interface PoolOfNode {
  readonly name: string
  readonly pool?: MachineConfigPool
  readonly target: string | undefined
  /** The pool's annotation, as it is. */
  readonly driftMode: string | undefined
}

/** Whether one process has a view of one node or of all is decided by the scope of its informers. */
export function informerClusterView(informers: Informers): ClusterView {
  const { cache } = informers
  const listeners = new Map<string, Set<() => void>>()
  const wake = (name: string): void => {
    for (const listener of listeners.get(name) ?? []) listener()
  }
  informers.subscribe(Node, ({ old, now }) => {
    if (!old || !now || concerns(old) !== concerns(now)) wake((now ?? old)?.metadata.name ?? '')
  })
  // Policies, overrides and a pool's first rendered config matter to nodes that wait for them.
  const wakeAll = (): void => {
    for (const name of listeners.keys()) wake(name)
  }
  informers.subscribe(MachineConfiguration, ({ old, now }) => {
    if (old?.metadata.generation !== now?.metadata.generation || globsOf(old) !== globsOf(now)) wakeAll()
  })
  informers.subscribe(MachineConfigPool, ({ old, now }) => {
    if (!targetOf(old) !== !targetOf(now) || settingsOf(old) !== settingsOf(now)) wakeAll()
  })
  // One that was deleted comes back without its status, which only its daemon can tell.
  informers.subscribe(MachineConfigNode, ({ now }) => {
    if (now && (now.status?.conditions ?? []).length === 0) wake(now.metadata.name ?? '')
  })
  informers.subscribe(ControllerConfig, ({ old, now }) => {
    if (certificatesText(old) !== certificatesText(now)) wakeAll()
  })
  const settings = (): MachineConfiguration | undefined =>
    cache.get(MachineConfiguration, { name: singletonName.machineConfiguration })
  const ownerOf = (node: Node): MachineConfigPool | undefined => {
    const owner = ownershipOf(nodeToView(node), cache.list(MachineConfigPool).filter(hasSpec))
    return owner.kind === 'owned' ? owner.primary : undefined
  }
  return {
    node: (name) => cache.get(Node, { name }),
    machineConfigNode: (name) => cache.get(MachineConfigNode, { name }),
    poolOf(node) {
      const primary = ownerOf(node)
      if (!primary) return { name: notYetSet, target: undefined, driftMode: undefined }
      const name = primary.metadata.name ?? notYetSet
      return { name, pool: primary, target: targetOf(primary), driftMode: annotatedDriftMode(primary) }
    },
    policies(node) {
      const owner = ownerOf(node)
      return effectivePolicies({
        settings: settings(),
        ...(owner && { poolName: owner.metadata.name ?? '', poolAnnotations: owner.metadata.annotations }),
        runtime: runtimeOf(node.status?.nodeInfo?.containerRuntimeVersion),
      })
    },
    certificates: () => certificatesOf(cache.get(ControllerConfig, { name: singletonName.controllerConfig })),
    overrides: () => ({ storage: settings()?.spec.irreconcilableValidationOverrides?.storage ?? [] }),
    subscribe(name, onChange) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(onChange))
      return () => {
        known.delete(onChange)
        if (known.size === 0) listeners.delete(name)
      }
    },
    ready: (signal) =>
      informers.synced(signal, [Node, MachineConfigNode, MachineConfigPool, MachineConfiguration, ControllerConfig]),
  }
}

const watchedAnnotations = [
  nodeAnnotation.currentConfig,
  nodeAnnotation.desiredConfig,
  nodeAnnotation.currentImage,
  nodeAnnotation.desiredImage,
  nodeAnnotation.state,
  nodeAnnotation.desiredDrain,
  nodeAnnotation.lastAppliedDrain,
  nodeAnnotation.postConfigAction,
  nodeAnnotation.controlPlaneTopology,
] as const

/** Everything of a Node that a daemon decides by, as one comparable text. */
function concerns({ metadata }: Node): string {
  const { uid, deletionTimestamp, annotations = {} } = metadata
  return JSON.stringify([uid, deletionTimestamp, ...watchedAnnotations.map((key) => annotations[key])])
}

const hasSpec = (
  pool: MachineConfigPool,
): pool is MachineConfigPool & { spec: NonNullable<MachineConfigPool['spec']> } => pool.spec !== undefined

/** What a pool's owner sets by annotations, as one comparable text. */
const settingsOf = (pool: MachineConfigPool | undefined): string =>
  JSON.stringify([annotatedDriftMode(pool), pool?.metadata.annotations?.[poolPoliciesAnnotation]])

const globsOf = (settings: MachineConfiguration | undefined): string | undefined =>
  settings?.metadata.annotations?.[policyGlobsAnnotation]

const annotatedDriftMode = (pool: MachineConfigPool | undefined): string | undefined =>
  pool?.metadata.annotations?.[driftModeAnnotation]

const targetOf = (pool: MachineConfigPool | undefined): string | undefined =>
  pool?.spec?.configuration?.name || pool?.status?.configuration?.name || undefined
