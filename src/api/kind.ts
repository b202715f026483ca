import type { KubernetesObject } from './meta.ts'

/**
 * A kind's address on the API server. The type parameter is the object's shape, so that `client.get(Node, 'a')` is typed:
 * each kind is exported twice under one name, as an interface and as this descriptor.
 */
export interface Kind<T extends KubernetesObject> {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Phantom: carries the shape, never has a value. */
  readonly shape?: T
}

export function defineKind<T extends KubernetesObject>(
  group: string,
  version: string,
  kind: string,
  plural: string,
  { namespaced = false }: { namespaced?: boolean } = {},
): Kind<T> {
  return { group, version, kind, plural, namespaced }
}

/** `v1` or `group/version`, as written in an object's apiVersion. */
export function apiVersionOf(kind: Pick<Kind<KubernetesObject>, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
}
