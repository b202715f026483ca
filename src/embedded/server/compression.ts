import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { ApiRequest, ApiResponse } from './apiRequest.ts'

const compress = promisify(gzip)
/** As the API server: below it, compressing costs more than it saves. */
const thresholdBytes = 128 * 1024

/** A large answer to a reader that takes gzip, compressed at the fastest level; everything else as it is. */
export async function compressed(
  { method, headers }: Pick<ApiRequest, 'method' | 'headers'>,
  response: ApiResponse,
): Promise<ApiResponse> {
  const { body } = response
  if (method !== 'GET' || !(body instanceof Uint8Array) || body.length <= thresholdBytes) return response
  if (response.headers['content-encoding'] !== undefined || !takesGzip(headers['accept-encoding'] ?? ''))
    return response
  return {
    status: response.status,
    headers: { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
    body: await compress(body, { level: constants.Z_BEST_SPEED }),
  }
}

/** RFC 9110, 12.5.3; a weight of zero refuses. */
function takesGzip(accepted: string): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return (coding === 'gzip' || coding === '*') && !refused
  })
}
