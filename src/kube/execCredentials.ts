import type { Clock } from './clock.ts'
import type { Credentials, Identity } from './credentials.ts'
import { messageOf, Retryable, Terminal } from './errors.ts'
import type { ClusterEntry, ExecPlugin } from './kubeconfig.ts'

/** Runs a program without a terminal. Rejects only when it could not be started. */
export type RunCommand = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>

export interface ExecCredentialsOptions {
  readonly exec: ExecPlugin
  readonly cluster: ClusterEntry
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly run: RunCommand
}

interface Issued {
  readonly identity: Identity
  /** Absent: valid until the server says 401. */
  readonly expiresMs?: number
}

const supported = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** A credential must live at least as long as the request that carries it. */
const leewayMs = 10_000

/** Credentials printed by a program (client-go credential plugins, kubernetes.io), kept until they expire. */
export function execCredentials(options: ExecCredentialsOptions): Credentials {
  const { exec, clock } = options
  if (!supported.includes(exec.apiVersion)) {
    throw new Terminal(
      'ExecUnsupported',
      `exec plugin ${exec.command}: apiVersion "${exec.apiVersion}"; expected ${supported.join(' or ')}`,
    )
  }
  if (exec.interactiveMode === 'Always') {
    throw new Terminal(
      'ExecUnsupported',
      `exec plugin ${exec.command} needs a terminal (interactiveMode Always); log in beforehand and use a token`,
    )
  }
  let issued: Issued | undefined
  let issuing: Promise<Issued> | undefined

  return {
    current: async () => {
      if (issued && (issued.expiresMs === undefined || clock.now().getTime() < issued.expiresMs - leewayMs)) {
        return issued.identity
      }
      issuing ??= issue(options).finally(() => {
        issuing = undefined
      })
      issued = await issuing
      return issued.identity
    },
    reject: () => {
      issued = undefined
    },
  }
}

async function issue(options: ExecCredentialsOptions): Promise<Issued> {
  const { exec, env } = options
  const extra = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]))
  const { exitCode, stdout, stderr } = await start(options, {
    ...env,
    ...extra,
    KUBERNETES_EXEC_INFO: execInfo(options),
  })
  if (exitCode !== 0) {
    throw new Retryable(
      `exec plugin ${exec.command} ended with ${exitCode}: ${stderr.trim().slice(0, 300) || 'no message'}`,
    )
  }
  return issuedBy(exec, stdout)
}

async function start({ exec, run }: ExecCredentialsOptions, env: Readonly<Record<string, string | undefined>>) {
  try {
    return await run(exec.command, exec.args, env)
  } catch (error) {
    const hint = exec.installHint === undefined ? '' : `; ${exec.installHint}`
    throw new Terminal('ExecFailed', `exec plugin ${exec.command} did not start: ${messageOf(error)}${hint}`, {
      cause: error,
    })
  }
}

function execInfo({ exec, cluster }: ExecCredentialsOptions): string {
  const ca = cluster.certificateAuthority
  const clusterInfo = {
    server: cluster.server,
    'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
    ...(cluster.tlsServerName !== undefined && { 'tls-server-name': cluster.tlsServerName }),
    ...(ca?.kind === 'data' && { 'certificate-authority-data': Buffer.from(ca.text).toString('base64') }),
  }
  const spec = { interactive: false, ...(exec.provideClusterInfo && { cluster: clusterInfo }) }
  return JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', spec })
}

/** What was printed is never quoted: it is a credential. */
function issuedBy(exec: ExecPlugin, stdout: string): Issued {
  const unusable = (found: string, cause?: unknown) =>
    new Terminal(
      'ExecFailed',
      `exec plugin ${exec.command} printed ${found}; expected an ExecCredential with a status`,
      { cause },
    )
  const parsed = parseOutput(stdout, unusable)
  if (parsed.kind !== 'ExecCredential') throw unusable('no ExecCredential')
  if (parsed.apiVersion !== exec.apiVersion)
    throw unusable(`apiVersion ${String(parsed.apiVersion)} instead of ${exec.apiVersion}`)
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parsed.status ?? {}
  if (!token && !(cert && key)) throw unusable('neither a token nor a certificate with its key')
  const expiresMs = expirationTimestamp ? Date.parse(expirationTimestamp) : Number.NaN
  if (expirationTimestamp && Number.isNaN(expiresMs)) throw unusable('an expirationTimestamp that is no time')
  return {
    identity: { ...(token && { authorization: `Bearer ${token}` }), ...(cert && key && { cert, key }) },
    ...(expirationTimestamp && { expiresMs }),
  }
}

interface ExecCredential {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly status?: {
    readonly token?: string
    readonly clientCertificateData?: string
    readonly clientKeyData?: string
    readonly expirationTimestamp?: string
  }
}

function parseOutput(stdout: string, unusable: (found: string, cause?: unknown) => Terminal): ExecCredential {
  try {
    const parsed: unknown = JSON.parse(stdout)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch (error) {
    throw unusable(`${stdout.length} characters that are no JSON`, error)
  }
  throw unusable('JSON that is no object')
}
