import type { Kind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'

type Address = Pick<Kind<KubernetesObject>, 'group' | 'version' | 'plural' | 'namespaced' | 'kind'>

/** URL path of a kind's collection; over all namespaces when none is given. */
export function collectionPath(kind: Address, namespace?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  if (namespace === undefined || namespace === '') return `${root}/${kind.plural}`
  if (!kind.namespaced)
    throw new Error(`${kind.kind} is cluster-scoped, but namespace "${namespace}" was given; leave it out`)
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`
}

/** URL path of one object, or of its subresource. */
export function objectPath(
  kind: Address,
  key: { readonly name: string; readonly namespace?: string },
  subresource?: string,
): string {
  if (key.name === '') throw new Error(`${kind.kind} without a name; an empty name would address the whole collection`)
  if (kind.namespaced && !key.namespace) throw new Error(`${kind.kind} "${key.name}" needs a namespace, none was given`)
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}
