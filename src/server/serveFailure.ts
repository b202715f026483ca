/**
 * Why a config cannot be served. Ignition tries again after a 5xx and gives up after a 4xx. The reason is a stable word: header,
 * metric label and log field; the message goes to the log only, because the client has not proven who it is.
 */
export interface ServeFailure {
  readonly kind: 'failed'
  readonly status: 404 | 500 | 503
  readonly reason: FailureReason
  readonly message: string
}

export type FailureReason =
  | 'pool-not-found'
  | 'pool-not-served'
  | 'pool-without-config'
  | 'config-not-found'
  | 'config-unusable'
  | 'version-cannot-express-config'
  | 'cluster-facts-missing'
  | 'join-credentials-missing'
  | 'not-synchronised'
  | 'secrets-in-open-mode'

export const failure = (
  reason: FailureReason,
  message: string,
  status: ServeFailure['status'] = 500,
): ServeFailure => ({ kind: 'failed', status, reason, message })
