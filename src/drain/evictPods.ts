import { Pod } from '../api/core.ts'
import { messageOf } from '../kube/errors.ts'
import { ApiError, isNotFound, isTooManyRequests, type KubeApi } from '../kube/kubeApi.ts'
import { refusalRetryMs } from './attemptSchedule.ts'
import { uidOf } from './decideDrain.ts'
import type { Refusal } from './drainBlockers.ts'

const parallelEvictions = 25

export interface Removal {
  readonly nowMs: number
  readonly signal: AbortSignal
  /** Instead of each pod's own. */
  readonly gracePeriodSeconds?: number
}

/** Evicts all pods side by side; the answer names, by uid, those that were refused. */
export async function evictPods(
  pods: readonly Pod[],
  kube: KubeApi,
  removal: Removal,
): Promise<ReadonlyMap<string, Refusal>> {
  return refusalsOf(pods, removal, async (pod) => {
    const key = keyOf(pod)
    try {
      await kube.evict(key, deleteOptions(pod, removal))
    } catch (error) {
      // A server without the eviction subresource: a plain delete is all that there is.
      if (!isMissingSubresource(error, key.name)) throw error
      await kube.delete(Pod, key, deleteOptions(pod, removal))
    }
  })
}

/** Deletes pods without asking their budget. Only for a pool whose owner asked for it. */
export async function deletePods(
  pods: readonly Pod[],
  kube: KubeApi,
  removal: Removal,
): Promise<ReadonlyMap<string, Refusal>> {
  return refusalsOf(pods, removal, (pod) => kube.delete(Pod, keyOf(pod), deleteOptions(pod, removal)))
}

async function refusalsOf(
  pods: readonly Pod[],
  { nowMs, signal }: Removal,
  remove: (pod: Pod) => Promise<void>,
): Promise<ReadonlyMap<string, Refusal>> {
  const refusals = new Map<string, Refusal>()
  const queue = pods.values()
  const worker = async () => {
    for (const pod of queue) {
      try {
        await remove(pod)
      } catch (error) {
        if (signal.aborted) throw error
        if (!isGone(error)) refusals.set(uidOf(pod), toRefusal(error, nowMs))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallelEvictions, pods.length) }, worker))
  return refusals
}

/** Gone, or another pod has taken the name: either way this one is off the node. */
const isGone = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.status === 409 && error.reason === 'Conflict')

function toRefusal(error: unknown, nowMs: number): Refusal {
  const seconds = error instanceof ApiError ? (error.details?.retryAfterSeconds ?? 0) : 0
  return {
    retryAtMs: nowMs + Math.max(refusalRetryMs, seconds * 1000),
    error: messageOf(error),
    isBudget: isTooManyRequests(error),
  }
}

/** The 404 of a missing pod names the pod; that of a missing subresource does not. */
const isMissingSubresource = (error: unknown, pod: string): boolean =>
  error instanceof ApiError &&
  (error.status === 405 || (error.status === 404 && error.details?.name !== undefined && error.details.name !== pod))

const keyOf = ({ metadata }: Pod) => ({ name: metadata.name ?? '', namespace: metadata.namespace ?? '' })

/** A StatefulSet gives its next pod the same name: that one is not ours to evict. */
const deleteOptions = ({ metadata }: Pod, { signal, gracePeriodSeconds }: Removal) => ({
  preconditions: metadata.uid ? { uid: metadata.uid } : {},
  signal,
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
})
