import type { ReplicaSet } from '../../api/apps.ts'

/** Which template of its Deployment a ReplicaSet runs, and which one the Deployment is at: `kubectl rollout history`. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision'

export const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[revisionAnnotation] ?? 0)

/**
 * The number of the current template: one more than those of all others, so that a template that comes back (`kubectl
 * rollout undo`) is the newest again. `current` is absent while its ReplicaSet has to be made.
 */
export function currentRevision(sets: readonly ReplicaSet[], current: ReplicaSet | undefined): number {
  const others = sets.filter((set) => set !== current).map(revisionOf)
  return Math.max(current ? revisionOf(current) : 0, Math.max(0, ...others) + 1)
}
