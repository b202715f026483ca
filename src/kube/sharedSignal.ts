import { setMaxListeners } from 'node:events'

/** Says that many may listen to this signal: one that ends a whole process has more listeners than Node expects of a leak. */
export function sharedSignal(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
