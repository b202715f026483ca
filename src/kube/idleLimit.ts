import type { Clock } from './clock.ts'
import { Retryable } from './errors.ts'
import { linkedAbort } from './linkedAbort.ts'

/** Ends `work` when it shows no sign of life for `limitMs`: a half-open connection is silent for ever. */
export async function withIdleLimit<T>(
  { limitMs, clock, signal }: { readonly limitMs: number; readonly clock: Clock; readonly signal: AbortSignal },
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const exchange = linkedAbort(signal)
  let lastMs = clock.now().getTime()
  const guard = linkedAbort(signal)

  async function watchSilence(): Promise<void> {
    for (let leftMs = limitMs; leftMs > 0; leftMs = lastMs + limitMs - clock.now().getTime()) {
      await clock.sleep(leftMs, guard.signal)
    }
    exchange.abort(new Retryable(`the peer was silent for ${limitMs} ms`))
  }

  const silence = watchSilence().catch((error: unknown) => {
    if (!guard.signal.aborted) exchange.abort(error)
  })
  try {
    return await work(exchange.signal, () => {
      lastMs = clock.now().getTime()
    })
  } finally {
    guard.abort(new Error('the exchange has ended'))
    guard.release()
    exchange.release()
    await silence
  }
}
