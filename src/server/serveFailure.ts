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
  | 'PoolNotFound'
  | 'PoolNotServed'
  | 'PoolWithoutConfig'
  | 'ConfigNotFound'
  | 'ConfigUnusable'
  | 'VersionCannotExpressConfig'
  | 'ClusterFactsMissing'
  | 'JoinCredentialsMissing'
  | 'NotSynchronised'
  | 'SecretsInOpenMode'

export const failure = (
  reason: FailureReason,
  message: string,
  status: ServeFailure['status'] = 500,
): ServeFailure => ({ kind: 'failed', status, reason, message })
