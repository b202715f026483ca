import { request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { decodeContents } from '../ignition/contents.ts'
import { ignitionFromValue } from '../ignition/parseIgnition.ts'
import type { Resource } from '../ignition/types.ts'
import { backOffMs, type Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'

/** Where a pointer config leads, and what it takes along. */
export interface PointerTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** PEM; trusted besides what this machine trusts. */
  readonly authorities: readonly string[]
}

/** Reads a pointer of Ignition specification 2.2 or 3.x: the one config that it merges or is replaced by, over HTTPS. */
export function parsePointer(text: string): PointerTarget | { readonly message: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { message: `it is not JSON: ${messageOf(error)}` }
  }
  const { value: config, issues } = ignitionFromValue(value)
  if (!config) return { message: issues.map(({ path, message }) => `${path}: ${message}`).join('; ') }
  const { merge = [], replace } = config.ignition.config ?? {}
  const [target, ...others] = [...merge, ...(replace ? [replace] : [])]
  if (!target?.source || others.length > 0)
    return { message: 'expected exactly one config in ignition.config.merge or ignition.config.replace' }
  if (!URL.canParse(target.source) || new URL(target.source).protocol !== 'https:')
    return { message: 'the config that it names must be at an https URL' }
  const authorities = (config.ignition.security?.tls?.certificateAuthorities ?? []).map(pemOf)
  if (authorities.includes(undefined)) return { message: 'a certificate authority must be given inline, as a data URL' }
  return {
    url: new URL(target.source),
    headers: Object.fromEntries((target.httpHeaders ?? []).map(({ name, value: text = '' }) => [name, text])),
    authorities: authorities.filter((authority) => authority !== undefined),
  }
}

function pemOf(authority: Resource): string | undefined {
  const { value } = decodeContents(authority)
  return value && Buffer.from(value).toString()
}

/** The server will not give this config; to ask again is of no use. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused'
}

export interface FollowPorts {
  readonly clock: Clock
  readonly random: Random
  /** Hears why an attempt came to nothing; the next one follows. */
  readonly onRetry: (message: string) => void
}

const retry = { baseMs: 200, capMs: 5000 }
const answerTimeoutMs = 60_000
const maxBodyBytes = 64 << 20
const accept = 'application/vnd.coreos.ignition+json;version=3.5.0, */*;q=0.1'

/**
 * Fetches the config as Ignition does: asks again for as long as it takes on lost connections and 5xx, and gives up on any
 * other refusal.
 */
export async function followPointer(target: PointerTarget, ports: FollowPorts, signal?: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await fetchOnce(target)
    } catch (error) {
      if (error instanceof ConfigRefused) throw error
      ports.onRetry(`${target.url.origin}${target.url.pathname}: ${messageOf(error)}`)
    }
    await ports.clock.sleep(backOffMs(attempt, retry, ports.random), signal)
  }
}

function fetchOnce({ url, headers, authorities }: PointerTarget): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      headers: { accept, ...headers },
      ca: [...rootCertificates, ...authorities],
      timeout: answerTimeoutMs,
    }
    const sent = request(url, options, (answer) => {
      const { statusCode = 0 } = answer
      const reason = answer.headers['x-machine-config-error']
      const said = `the config server answered ${statusCode}${reason === undefined ? '' : ` (${String(reason)})`}`
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBodyBytes) sent.destroy(new ConfigRefused(`the config is larger than ${maxBodyBytes} bytes`))
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (statusCode === 200) resolve(Buffer.concat(chunks).toString())
        else reject(statusCode >= 500 ? new Error(said) : new ConfigRefused(said))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${answerTimeoutMs / 1000} s`)))
    sent.on('error', reject)
    sent.end()
  })
}
