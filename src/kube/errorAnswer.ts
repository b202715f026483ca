import type { Status } from '../api/meta.ts'
import { ApiError } from './kubeApi.ts'
import type { TransportResponse } from './transport.ts'

/**
 * The error that an answer other than 2xx stands for: the server's own Status with the verb and the object before its
 * message, or the status code when something between us and the server answered.
 */
export function errorAnswer(
  what: string,
  response: Pick<TransportResponse, 'status' | 'headers'>,
  text: string,
): ApiError {
  const status = statusOf(text) ?? plainStatus(response.status)
  const retryAfterSeconds = status.details?.retryAfterSeconds ?? secondsOf(response.headers['retry-after'])
  return new ApiError({
    ...status,
    code: response.status,
    message: `${what}: ${status.message ?? status.reason ?? `the server answered ${response.status}`}`,
    ...(retryAfterSeconds !== undefined && { details: { ...status.details, retryAfterSeconds } }),
  })
}

function statusOf(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined
  const parsed = parseQuietly(text)
  return typeof parsed === 'object' && parsed !== null && 'kind' in parsed && parsed.kind === 'Status'
    ? (parsed as Status)
    : undefined
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a proxy's own error page: the status code says enough
  }
}

function plainStatus(code: number): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    message: `the server answered ${code}`,
  }
}

function secondsOf(header: string | undefined): number | undefined {
  const seconds = Number(header)
  return header !== undefined && Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined
}
