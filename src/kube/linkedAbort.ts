import { sharedSignal } from './sharedSignal.ts'

/**
 * A signal of its own that also aborts with `parent`. Unlike AbortSignal.any it leaves nothing behind on a parent that
 * lives as long as the process, once it is released.
 */
export interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  release(): void
}

export function linkedAbort(parent: AbortSignal): LinkedAbort {
  const controller = new AbortController()
  const onAbort = () => controller.abort(parent.reason)
  if (parent.aborted) onAbort()
  else sharedSignal(parent).addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener('abort', onAbort),
  }
}
