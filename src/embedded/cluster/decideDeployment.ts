import type { Deployment, ReplicaSet } from '../../api/apps.ts'
import { type IntOrString, scaledValue } from '../../api/intOrString.ts'

/** A ReplicaSet of a Deployment, with what the rolling update needs of it. */
export interface SetView {
  readonly name: string
  readonly isCurrent: boolean
  readonly replicas: number
  readonly available: number
}

export interface Scale {
  readonly name: string
  readonly replicas: number
}

/**
 * Next sizes of a Deployment's ReplicaSets (Kubernetes documentation, "Rolling Update Deployment"): never more pods
 * than maxSurge allows beyond the wish, never fewer available than maxUnavailable allows below it.
 */
export function scaleReplicaSets(deployment: Deployment, sets: readonly SetView[]): readonly Scale[] {
  const { replicas = 1, strategy } = deployment.spec ?? {}
  const current = sets.find(({ isCurrent }) => isCurrent)
  const old = sets.filter(({ isCurrent, replicas: size }) => !isCurrent && size > 0)
  if (!current) return []
  if (strategy?.type === 'Recreate') {
    return old.length > 0
      ? changed(
          sets,
          old.map(({ name }) => ({ name, replicas: 0 })),
        )
      : changed(sets, [{ name: current.name, replicas }])
  }
  if (old.length === 0) return changed(sets, [{ name: current.name, replicas }])
  const { surge, unavailable } = bounds(strategy?.rollingUpdate, replicas)
  const total = sum(sets.map(({ replicas: size }) => size))
  const grown = Math.min(replicas, current.replicas + Math.max(0, replicas + surge - total))
  const available = sum(sets.map((set) => set.available))
  const unhealthyOld = sum(old.map(({ replicas: size, available: up }) => Math.max(0, size - up)))
  // Pods that are down already cost nothing to remove; beyond them the minimum decides.
  let removable = Math.max(0, available - (replicas - unavailable)) + unhealthyOld
  const shrunk = old.map(({ name, replicas: size }) => {
    const taken = Math.min(size, removable)
    removable -= taken
    return { name, replicas: size - taken }
  })
  return changed(sets, [{ name: current.name, replicas: grown }, ...shrunk])
}

interface RollingUpdate {
  readonly maxUnavailable?: IntOrString
  readonly maxSurge?: IntOrString
}

function bounds(rolling: RollingUpdate | undefined, replicas: number): { surge: number; unavailable: number } {
  const surge = scaled(rolling?.maxSurge ?? '25%', replicas, true)
  const unavailable = scaled(rolling?.maxUnavailable ?? '25%', replicas, false)
  // Both zero would never move.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable }
}

function scaled(value: IntOrString, total: number, roundUp: boolean): number {
  const result = scaledValue(value, total, { roundUp })
  return 'value' in result ? Math.max(0, result.value) : 0
}

function changed(sets: readonly SetView[], wanted: readonly Scale[]): readonly Scale[] {
  return wanted.filter(({ name, replicas }) => sets.find((set) => set.name === name)?.replicas !== replicas)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export const viewOfSet = (set: ReplicaSet, isCurrent: boolean): SetView => ({
  name: set.metadata.name ?? '',
  isCurrent,
  replicas: set.spec?.replicas ?? 1,
  available: set.status?.availableReplicas ?? 0,
})
