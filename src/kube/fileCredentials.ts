import type { Clock } from './clock.ts'
import type { Credentials, Identity } from './credentials.ts'
import { messageOf, Retryable } from './errors.ts'
import type { FileOrData } from './kubeconfig.ts'

export interface FileCredentialsOptions {
  readonly clock: Clock
  readonly readFile: (path: string) => Promise<string>
  readonly tokenFile?: string | undefined
  /** Used while there is no token file. */
  readonly token?: string
  readonly clientCertificate?: FileOrData
  readonly clientKey?: FileOrData
}

/** Rotated files are picked up within this time, or at once when the server no longer accepts the old ones. */
const freshMs = 60_000

/** A token or a client certificate in files that somebody else rotates: a kubelet, a certificate manager. */
export function fileCredentials(options: FileCredentialsOptions): Credentials {
  let known: { readonly identity: Identity; readonly atMs: number } | undefined
  let reading: Promise<Identity> | undefined

  async function read(): Promise<Identity> {
    try {
      const identity = await readIdentity(options)
      known = { identity, atMs: options.clock.now().getTime() }
      return identity
    } finally {
      reading = undefined
    }
  }

  return {
    current: async () => {
      if (known && options.clock.now().getTime() - known.atMs < freshMs) return known.identity
      reading ??= read()
      return await reading
    },
    reject: () => {
      known = undefined
    },
  }
}

async function readIdentity(options: FileCredentialsOptions): Promise<Identity> {
  const { tokenFile, token, clientCertificate, clientKey } = options
  const [bearer, cert, key] = await Promise.all([
    tokenFile === undefined ? token : readText({ kind: 'file', path: tokenFile }, options),
    clientCertificate && readText(clientCertificate, options),
    clientKey && readText(clientKey, options),
  ])
  return {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer.trim()}` }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}

async function readText(from: FileOrData, { readFile }: FileCredentialsOptions): Promise<string> {
  if (from.kind === 'data') return from.text
  try {
    return await readFile(from.path)
  } catch (error) {
    // A rotation may be half done: the file is back in a moment.
    throw new Retryable(`credentials: ${messageOf(error)}`, { cause: error })
  }
}
