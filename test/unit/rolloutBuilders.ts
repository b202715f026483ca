import type { Node, Pod } from '../../src/api/core.ts'
import type { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import type { PodDisruptionBudget } from '../../src/api/policy.ts'

/** Builders of the objects that rollout and drain tests speak about; every default is boring. */

export interface NodeOptions {
  readonly current?: string
  readonly desired?: string
  readonly state?: string
  readonly currentImage?: string
  readonly desiredImage?: string
  readonly reason?: string
  readonly ready?: string
  readonly unschedulable?: boolean
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly created?: string
  readonly conditions?: readonly { readonly type: string; readonly status: 'True' | 'False' | 'Unknown' }[]
  readonly taints?: NonNullable<Node['spec']>['taints']
}

/** A Ready worker that runs `current`; `desired` is the same and the state Done unless said otherwise. */
export function aNode(name: string, options: NodeOptions = {}): Node {
  const { current, desired = current, labels = { 'node-role.kubernetes.io/worker': '' } } = options
  const state = options.state ?? (current !== undefined && current === desired ? 'Done' : undefined)
  const annotations = Object.entries({
    [nodeAnnotation.currentConfig]: current,
    [nodeAnnotation.desiredConfig]: desired,
    [nodeAnnotation.state]: state,
    [nodeAnnotation.currentImage]: options.currentImage,
    [nodeAnnotation.desiredImage]: options.desiredImage,
    [nodeAnnotation.reason]: options.reason,
    ...options.annotations,
  }).filter(([, value]) => value !== undefined)
  const ready = { type: 'Ready', status: (options.ready ?? 'True') as 'True' | 'False' | 'Unknown' }
  return {
    metadata: {
      name,
      labels,
      annotations: Object.fromEntries(annotations) as Record<string, string>,
      creationTimestamp: options.created ?? '2025-01-01T00:00:00Z',
    },
    spec: {
      ...(options.unschedulable && { unschedulable: true }),
      ...(options.taints && { taints: options.taints }),
    },
    status: { conditions: options.conditions ?? [ready] },
  }
}

export interface PoolOptions {
  readonly config?: string
  readonly maxUnavailable?: number | string
  readonly paused?: boolean
  readonly status?: MachineConfigPool['status']
  readonly selector?: NonNullable<MachineConfigPool['spec']['nodeSelector']>
  readonly annotations?: Readonly<Record<string, string>>
}

export function aPool(name: string, options: PoolOptions = {}): MachineConfigPool {
  const { config = 'v1', selector = { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } } } = options
  return {
    metadata: { name, generation: 1, ...(options.annotations && { annotations: options.annotations }) },
    spec: {
      nodeSelector: selector,
      configuration: { name: config },
      ...(options.maxUnavailable !== undefined && { maxUnavailable: options.maxUnavailable }),
      ...(options.paused !== undefined && { paused: options.paused }),
    },
    ...(options.status && { status: options.status }),
  }
}

export interface PodOptions {
  readonly node?: string
  readonly owner?: { readonly kind: string; readonly name: string }
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly phase?: NonNullable<Pod['status']>['phase']
  readonly deletionTimestamp?: string
  readonly finalizers?: readonly string[]
  readonly spec?: Partial<NonNullable<Pod['spec']>>
}

/** A running pod of a ReplicaSet in namespace `default`. */
export function aPod(name: string, options: PodOptions = {}): Pod {
  const { node = 'n1', owner = { kind: 'ReplicaSet', name: 'web' } } = options
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-of-${name}`,
      labels: options.labels ?? { app: 'web' },
      ...(owner.kind !== '' && { ownerReferences: [{ apiVersion: 'apps/v1', ...owner, uid: 'o', controller: true }] }),
      ...(options.annotations && { annotations: options.annotations }),
      ...(options.deletionTimestamp && { deletionTimestamp: options.deletionTimestamp }),
      ...(options.finalizers && { finalizers: options.finalizers }),
    },
    spec: { containers: [], nodeName: node, ...options.spec },
    status: { phase: options.phase ?? 'Running' },
  }
}

export function aBudget(
  name: string,
  disruptionsAllowed: number,
  currentHealthy = 1,
  desiredHealthy = 1,
): PodDisruptionBudget {
  return {
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods: 1 },
  }
}
