import type { ConfigMap } from '../api/core.ts'
import { caBundleKey, certificateAnnotation } from '../api/names.ts'
import { readBundle } from './authorityBundle.ts'

/** An authority is replaced years before its end: one that is this close was not. */
const soonMs = 30 * 24 * 3_600_000

/** When the authority ends that lives longest; undefined when machines are told to trust none. */
export function authorityEndsAt(bundle: ConfigMap | undefined): Date | undefined {
  const ends = readBundle(bundle?.data?.[caBundleKey] ?? '').map(({ notAfter }) => notAfter.getTime())
  return ends.length === 0 ? undefined : new Date(Math.max(...ends))
}

/** What the last pass of the rotation failed with; undefined when it succeeded. */
export const rotationFault = (bundle: ConfigMap | undefined): string | undefined =>
  bundle?.metadata.annotations?.[certificateAnnotation.rotationFault]

/** What a person should know about the config server's certificates; nothing while all is well. */
export function certificateProblems(bundle: ConfigMap | undefined, now: Date): readonly string[] {
  const fault = rotationFault(bundle)
  const end = authorityEndsAt(bundle)
  const ending =
    end && end.getTime() - now.getTime() < soonMs
      ? `the authority that new machines trust ${end <= now ? 'ended' : 'ends'} at ${end.toISOString()}, and was not replaced in time: look at the log of the controllers`
      : undefined
  return [fault === undefined ? undefined : `the rotation fails and will be tried again: ${fault}`, ending].filter(
    (problem) => problem !== undefined,
  )
}
