import type { Kind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'

/**
 * What a cache does not keep of a kind, because no controller reads it: managedFields of nearly everything, and the list
 * of images on a Node. Together more than half of a Node's bytes. Pools keep theirs: they are few, and it is where a
 * pause says since when and by whom.
 */
export function transformOf<T extends KubernetesObject>(kind: Kind<T>): (object: T) => T {
  const drop = kind.group === '' && kind.kind === 'Node' ? withoutImages : undefined
  const { kind: name } = kind
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  const keepsManagers = kind.kind === 'MachineConfigPool'
  return (object) => {
    if (keepsManagers) return { ...object, apiVersion, kind: name }
    const { managedFields, ...metadata } = object.metadata
    const slim = { ...object, apiVersion, kind: name, metadata }
    return drop ? drop(slim) : slim
  }
}

function withoutImages<T extends KubernetesObject>(node: T & { status?: { images?: unknown } }): T {
  if (node.status?.images === undefined) return node
  const { images, ...status } = node.status
  return { ...node, status }
}
