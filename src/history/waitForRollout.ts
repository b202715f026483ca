import { PoolRollout } from '../api/poolRollout.ts'
import { systemClock } from '../kube/clock.ts'
import { createInformers } from '../kube/informers.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { isSettledPhase } from './rolloutStatus.ts'

export interface RolloutWaitOptions {
  readonly signal: AbortSignal
  /** Called with the rollout whenever it says something else. */
  readonly onProgress?: (rollout: PoolRollout) => void
  /** Ends the wait before the rollout has settled. */
  readonly isEnough?: (rollout: PoolRollout) => boolean
}

/**
 * Resolves with a rollout once it is over, whether complete or replaced; undefined when it does not exist, or is deleted
 * while it is waited for. Rejects when the signal aborts.
 */
export async function waitForRollout(
  kube: KubeApi,
  name: string,
  { signal, onProgress, isEnough = () => false }: RolloutWaitOptions,
): Promise<PoolRollout | undefined> {
  const isOver = (rollout: PoolRollout) => isSettledPhase(rollout.status?.phase) || isEnough(rollout)
  const present = await kube.get(PoolRollout, { name }, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (!present || isOver(present)) return present
  const stop = new AbortController()
  const informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
  let told = ''
  try {
    return await new Promise<PoolRollout | undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal.aborted) reject(signal.reason)
      informers.subscribe(PoolRollout, ({ old, now }) => {
        if ((now ?? old)?.metadata.name !== name) return
        if (!now || isOver(now)) return resolve(now)
        const text = JSON.stringify([now.status?.phase, now.status?.conditions, now.status?.blockers])
        if (text !== told) onProgress?.(now)
        told = text
      })
    })
  } finally {
    stop.abort()
    await informers.stopped()
  }
}
