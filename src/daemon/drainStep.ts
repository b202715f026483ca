import { nodeAnnotation } from '../api/names.ts'

/** When the open request was made: the limits below hold across restarts. RFC 3339. */
export const drainRequestedAnnotation = 'machineconfig.io/drain-requested'

export const drainTimeoutMs = 60 * 60_000
export const uncordonTimeoutMs = 10 * 60_000

export type DrainStep =
  | { readonly kind: 'granted' }
  | { readonly kind: 'request'; readonly value: string }
  | { readonly kind: 'wait'; readonly until: Date }
  /** The limit has passed; the request stays, and is honoured whenever it is granted. */
  | { readonly kind: 'overdue' }

/** Where a request to the drain controller (`drain-…` or `uncordon-…`) stands; pure. */
export function drainStep(
  annotations: Readonly<Record<string, string>>,
  value: string,
  timeoutMs: number,
  now: Date,
): DrainStep {
  const wanted = annotations[nodeAnnotation.desiredDrain] ?? ''
  // An earlier attempt may have been granted after we gave up waiting: that grant still holds.
  if (annotations[nodeAnnotation.lastAppliedDrain] === value && (wanted === value || wanted === ''))
    return { kind: 'granted' }
  if (wanted !== value) return { kind: 'request', value }
  const requested = Date.parse(annotations[drainRequestedAnnotation] ?? '')
  if (Number.isNaN(requested)) return { kind: 'request', value }
  const until = new Date(requested + timeoutMs)
  return now < until ? { kind: 'wait', until } : { kind: 'overdue' }
}
