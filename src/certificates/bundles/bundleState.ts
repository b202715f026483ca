import { type BundleName, bundleNames, parseJson } from './bundleCatalogue.ts'
import type { BundleProblem } from './judgeBundle.ts'

/** On the ControllerConfig: where each bundle comes from, since when it is as it is, and what is wrong with its source. */
export const bundleStateAnnotation = 'machineconfig.io/certificate-bundles'

export interface BundleRecord {
  /** `ConfigMap kube-system/extension-apiserver-authentication client-ca-file`. */
  readonly source?: string
  readonly certificates: number
  /** RFC 3339: when its set of certificates changed last. */
  readonly since?: string
  readonly problem?: BundleProblem & { readonly since: string }
}

export type BundleState = Readonly<Partial<Record<BundleName, BundleRecord>>>

/** What the controller wrote; what somebody made of it by hand counts as far as it can be read. */
export function readBundleState(annotations: Readonly<Record<string, string>> | undefined): BundleState {
  const value = parseJson(annotations?.[bundleStateAnnotation])
  return Object.fromEntries(
    bundleNames.flatMap((name) => {
      const record = value[name]
      return typeof record === 'object' && record !== null ? [[name, readRecord({ ...record })]] : []
    }),
  )
}

function readRecord(value: Readonly<Record<string, unknown>>): BundleRecord {
  const { source, certificates, since, problem } = value
  const { reason, message, since: problemSince }: Readonly<Record<string, unknown>> = { ...(problem ?? {}) }
  const isProblem = typeof reason === 'string' && typeof message === 'string' && typeof problemSince === 'string'
  return {
    certificates: typeof certificates === 'number' ? certificates : 0,
    ...(typeof source === 'string' && { source }),
    ...(typeof since === 'string' && { since }),
    // A word that an earlier release wrote is shown as it is.
    ...(isProblem && { problem: { reason: reason as BundleProblem['reason'], message, since: problemSince } }),
  }
}
