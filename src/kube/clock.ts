import { sharedSignal } from './sharedSignal.ts'

/** Time as a port: the real one is built in `main`, tests and the simulator hand in their own. */
export interface Clock {
  now(): Date
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      if (signal) sharedSignal(signal).addEventListener('abort', onAbort, { once: true })
    }),
}
