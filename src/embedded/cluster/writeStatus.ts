import { isDeepStrictEqual } from 'node:util'
import type { Kind } from '../../api/kind.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { isNotFound, type KubeApi } from '../../kube/kubeApi.ts'

type WithStatus = KubernetesObject & { readonly status?: object }

/** Writes the members of `status` that differ; nothing when none does. */
export async function writeStatus<T extends WithStatus>(
  kube: KubeApi,
  kind: Kind<T>,
  object: T,
  status: NonNullable<T['status']>,
  signal: AbortSignal,
): Promise<void> {
  if (isDeepStrictEqual({ ...object.status, ...status }, object.status)) return
  const { name = '', namespace } = object.metadata
  const key = namespace === undefined ? { name } : { name, namespace }
  try {
    await kube.patch(kind, key, { type: 'merge', body: { status } }, { subresource: 'status', signal })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
