import type { Clock } from '../kube/clock.ts'

export interface KubeletHealthPorts {
  readonly clock: Clock
  /** Resolves when the kubelet answered, whatever it said; rejects when nothing answers. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
  readonly onFailures: (consecutive: number) => void
}

const everyMs = 30_000
const limitMs = 30_000

/** Counts how often in a row the kubelet gave no answer, until the signal aborts. */
export async function watchKubelet(
  { clock, probe, onFailures }: KubeletHealthPorts,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await probe(AbortSignal.any([signal, AbortSignal.timeout(limitMs)]))
      failures = 0
    } catch {
      // Why it does not answer is the kubelet's own story; the number is what alerts are made of.
      if (signal.aborted) return
      failures += 1
    }
    onFailures(failures)
    try {
      await clock.sleep(everyMs, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
