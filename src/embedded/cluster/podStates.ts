import type { Pod } from '../../api/core.ts'
import type { KubernetesObject } from '../../api/meta.ts'

/** What the cluster's loops ask about a pod. */

export const isTerminating = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined

/** All containers have ended and will not be started again. */
export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Counts for the workload that owns it. */
export const isActive = (pod: Pod): boolean => !isTerminating(pod) && !isFinished(pod)

export const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True')

export const nodeOf = ({ spec }: Pod): string => spec?.nodeName ?? ''

export const namespacedKey = ({ metadata }: KubernetesObject): string => `${metadata.namespace}/${metadata.name}`

/** `namespace/name` as a key of the API. */
export function keyParts(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name }
}
