import { ContainerRuntimeConfig } from '../../api/containerRuntimeConfig.ts'
import { KubeletConfig } from '../../api/kubeletConfig.ts'
import { MachineConfig } from '../../api/machineConfig.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { MachineConfiguration } from '../../api/machineConfiguration.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { singletonName } from '../../api/names.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'

/** Objects to be applied as `kubectl apply` would, and objects to be deleted. */
export interface Change {
  readonly put: readonly KubernetesObject[]
  readonly remove: readonly ObjectName[]
}

interface ObjectName {
  readonly kind: 'mc' | 'mcp'
  readonly name: string
}

/** A part of a change that the plan leaves out, with the reason. */
export interface NotPlanned {
  readonly object: string
  readonly why: string
}

export interface AppliedChange {
  readonly after: ClusterSnapshot
  readonly notPlanned: readonly NotPlanned[]
}

/** The cluster as it would be right after the change, before any controller has looked at it. */
export function applyChange(before: ClusterSnapshot, { put, remove }: Change): AppliedChange {
  const notPlanned: NotPlanned[] = []
  let after = before
  for (const object of put) {
    const next = applyObject(after, object)
    if ('why' in next) notPlanned.push(next)
    else after = next
  }
  for (const { kind, name } of remove) {
    const next = removeObject(after, kind, name)
    if ('why' in next) notPlanned.push(next)
    else after = next
  }
  return { after, notPlanned }
}

function applyObject(snapshot: ClusterSnapshot, object: KubernetesObject): ClusterSnapshot | NotPlanned {
  const { kind = '', metadata } = object
  switch (kind) {
    case MachineConfig.kind:
      return { ...snapshot, machineConfigs: replaced(snapshot.machineConfigs, object as MachineConfig) }
    case MachineConfigPool.kind:
      return { ...snapshot, pools: replaced(snapshot.pools, poolOver(snapshot, object as MachineConfigPool)) }
    case MachineConfiguration.kind: {
      if (metadata.name !== singletonName.machineConfiguration) {
        const why = `only the one named ${singletonName.machineConfiguration} is read`
        return { object: nameOf(object), why }
      }
      // Its status would belong to the present spec: policies are merged from the new one.
      const { status: _former, ...given } = object as MachineConfiguration
      return { ...snapshot, machineConfiguration: given }
    }
    case KubeletConfig.kind:
    case ContainerRuntimeConfig.kind:
      return {
        object: nameOf(object),
        why: 'a controller makes a MachineConfig from it, which is known when that exists; plan again then',
      }
    default:
      return { object: nameOf(object), why: 'plans know MachineConfigs, MachineConfigPools and MachineConfiguration' }
  }
}

/** What controllers own stays: a manifest names neither the target nor the status of a pool. */
function poolOver({ pools }: ClusterSnapshot, given: MachineConfigPool): MachineConfigPool {
  const present = pools.find(({ metadata }) => metadata.name === given.metadata.name)
  if (!present)
    return { ...given, spec: { ...given.spec }, metadata: { uid: `planned-${given.metadata.name}`, ...given.metadata } }
  const { configuration } = present.spec
  return {
    ...present,
    metadata: {
      ...present.metadata,
      labels: { ...present.metadata.labels, ...given.metadata.labels },
      annotations: { ...present.metadata.annotations, ...given.metadata.annotations },
    },
    spec: { ...present.spec, ...given.spec, ...(configuration && { configuration }) },
  }
}

function removeObject(snapshot: ClusterSnapshot, kind: ObjectName['kind'], name: string): ClusterSnapshot | NotPlanned {
  const others = <T extends KubernetesObject>(objects: readonly T[]): T[] =>
    objects.filter(({ metadata }) => metadata.name !== name)
  const present = kind === 'mc' ? snapshot.machineConfigs : snapshot.pools
  if (!present.some(({ metadata }) => metadata.name === name)) {
    return { object: `${kind}/${name}`, why: 'it is not there: deleting it changes nothing' }
  }
  return kind === 'mc'
    ? { ...snapshot, machineConfigs: others(snapshot.machineConfigs) }
    : { ...snapshot, pools: others(snapshot.pools) }
}

function replaced<T extends KubernetesObject>(objects: readonly T[], object: T): T[] {
  const isSame = ({ metadata }: T) => metadata.name === object.metadata.name
  return objects.some(isSame) ? objects.map((present) => (isSame(present) ? object : present)) : [...objects, object]
}

const nameOf = ({ kind = 'object', metadata }: KubernetesObject): string => `${kind}/${metadata.name ?? '(no name)'}`
