import { parseDataUrl } from './dataUrl.ts'
import { gunzip } from './gunzip.ts'
import type { Checked } from './issues.ts'
import type { Resource } from './types.ts'

export interface DecodedContents extends Checked<Uint8Array> {
  /** The original's text; present exactly when `value` is absent. */
  readonly wireError?: string
}

/**
 * The bytes of an inline content (spec: render 10.4). Absent contents and an empty source are an empty file, as for the
 * reference that writes them on first boot. Remote sources are refused: nothing is fetched here.
 */
export function decodeContents(resource: Pick<Resource, 'source' | 'compression'> | undefined): DecodedContents {
  const { source, compression = '' } = resource ?? {}
  if (source === undefined || source === '') return { value: new Uint8Array(), issues: [] }
  const payload = parseDataUrl(source)
  if (!payload.ok) return refused('source', `could not decode file content string: ${payload.message}`)
  if (compression === '') return { value: payload.bytes, issues: [] }
  if (compression !== 'gzip')
    return refused('compression', `unsupported compression type ${JSON.stringify(compression)}`)
  const unpacked = gunzip(payload.bytes)
  if (unpacked.ok) return { value: unpacked.bytes, issues: [] }
  const step = unpacked.step === 'open' ? 'could not create gzip reader' : 'failed decompressing'
  return refused('source', `${step}: ${unpacked.message}`)
}

const refused = (member: string, wireError: string): DecodedContents => ({
  issues: [{ severity: 'error', path: `$.${member}`, message: wireError }],
  wireError,
})
