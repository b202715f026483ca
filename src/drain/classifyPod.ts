import type { Pod } from '../api/core.ts'
import { type LabelQuery, matchesLabels } from '../api/selectors.ts'

/** What a drain does with one pod of the node (the rules of `kubectl drain --force --delete-emptydir-data`). */
export type PodVerdict =
  | { readonly kind: 'evict'; readonly note?: string }
  /** It is on its way out: waited for, also when a finalizer holds it. */
  | { readonly kind: 'terminating' }
  | { readonly kind: 'skip'; readonly reason: 'DaemonSet' | 'MirrorPod' | 'SkipSelector'; readonly message: string }

const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** `skip` selects pods that the pool's owner wants left alone: neither evicted nor waited for. */
export function classifyPod(
  pod: Pod,
  daemonSetExists: (namespace: string, name: string) => boolean,
  skip?: LabelQuery,
): PodVerdict {
  const { metadata, spec, status } = pod
  if (metadata.annotations?.[mirrorAnnotation] !== undefined) {
    return {
      kind: 'skip',
      reason: 'MirrorPod',
      message: 'a static pod of the node itself; the kubelet would restart it',
    }
  }
  const controller = metadata.ownerReferences?.find((owner) => owner.controller)
  const isFinished = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  if (controller?.kind === 'DaemonSet' && !isFinished && daemonSetExists(metadata.namespace ?? '', controller.name)) {
    const message = `DaemonSet ${controller.name} would put it back; DaemonSet pods stay`
    return { kind: 'skip', reason: 'DaemonSet', message }
  }
  if (skip && matchesLabels(skip, metadata.labels)) {
    return { kind: 'skip', reason: 'SkipSelector', message: "the pool's drain-skip-selector leaves it alone" }
  }
  if (metadata.deletionTimestamp) return { kind: 'terminating' }
  if (!controller && !isFinished) return { kind: 'evict', note: 'no controller will create it again' }
  if (spec?.volumes?.some(({ emptyDir }) => emptyDir)) return { kind: 'evict', note: 'its emptyDir data is lost' }
  return { kind: 'evict' }
}
