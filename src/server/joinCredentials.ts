import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'

/** What a new machine shows to the API server, and how it knows that server. */
export interface JoinCredentials {
  /** Undefined until they could be read. */
  current(): JoinSecret | undefined
  onChange(listener: () => void): void
}

interface JoinSecret {
  readonly token: string
  /** From the same place as the token; a cluster's own bundle replaces it. */
  readonly caPem?: Buffer
  /** Tells one secret from another without showing it. */
  readonly stamp: string
}

export interface CredentialDirectory extends JoinCredentials {
  /** Reads the directory again every few seconds, until the signal. */
  follow(signal: AbortSignal): Promise<void>
}

/**
 * Credentials from a mounted Secret: `token`, or `token-id` and `token-secret` of a bootstrap token, and `ca.crt` where there is
 * one. They are read again and again, because whoever owns them renews them. Throws when they cannot be read at the start.
 */
export async function credentialDirectory(
  directory: string,
  { clock, log, intervalMs = 5000 }: { readonly clock: Clock; readonly log: Log; readonly intervalMs?: number },
): Promise<CredentialDirectory> {
  let current = await readSecret(directory)
  let fault = ''
  const listeners: (() => void)[] = []
  const look = async (): Promise<void> => {
    try {
      const found = await readSecret(directory)
      fault = ''
      if (found.stamp === current.stamp) return
      current = found
      log.info('join credentials replaced', { directory })
      for (const listener of listeners) listener()
    } catch (error) {
      const message = messageOf(error)
      if (message !== fault) log.warn('the join credentials cannot be read, the present ones stay', { error: message })
      fault = message
    }
  }
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    async follow(signal) {
      for (;;) {
        try {
          await clock.sleep(intervalMs, signal)
        } catch (error) {
          if (signal.aborted) return
          throw error
        }
        await look()
      }
    },
  }
}

async function readSecret(directory: string): Promise<JoinSecret> {
  const token = (await readOptional(join(directory, 'token'))) ?? (await readBootstrapToken(directory))
  const caPem = await readOptional(join(directory, 'ca.crt'))
  const stamp = createHash('sha256')
    .update(token)
    .update('\0')
    .update(caPem ?? '')
    .digest('hex')
  return { token: token.toString('utf8').trim(), stamp, ...(caPem && { caPem }) }
}

async function readBootstrapToken(directory: string): Promise<Buffer> {
  const [id, secret] = await Promise.all([
    readOptional(join(directory, 'token-id')),
    readOptional(join(directory, 'token-secret')),
  ])
  if (id && secret) return Buffer.from(`${id.toString('utf8').trim()}.${secret.toString('utf8').trim()}`)
  throw new Error(`failed to read ${join(directory, 'token')}: expected that file, or token-id and token-secret`)
}

async function readOptional(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
