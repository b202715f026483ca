import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Clock, systemClock } from './clock.ts'
import { anonymous, type Credentials, fixedCredentials } from './credentials.ts'
import { messageOf, Terminal } from './errors.ts'
import { execCredentials, type RunCommand } from './execCredentials.ts'
import { fileCredentials } from './fileCredentials.ts'
import type { ServerTrust } from './httpTransport.ts'
import {
  type ChosenContext,
  chooseContext,
  type FileOrData,
  invalid,
  mergeKubeconfigs,
  parseKubeconfig,
} from './kubeconfig.ts'

/** Everything that `httpTransport` needs to reach one cluster as one user. */
export interface ClusterConnection {
  readonly server: URL
  readonly tls: ServerTrust
  readonly credentials: Credentials
  /** The context's default namespace. */
  readonly namespace: string
  /** For people: the context, or `in-cluster`. */
  readonly name: string
}

export interface ConnectionChoice {
  /** Path of a kubeconfig; else the KUBECONFIG list, else `~/.kube/config`, else the pod's service account. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ConnectionPorts {
  readonly clock: Clock
  readonly readFile: (path: string) => Promise<string>
  readonly run: RunCommand
}

export const systemConnectionPorts: ConnectionPorts = {
  clock: systemClock,
  readFile: (path) => readFile(path, 'utf8'),
  run: (command, args, env) =>
    new Promise((resolve, reject) => {
      const child = execFile(command, args, { env, timeout: runTimeoutMs }, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') return reject(error)
        resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
      })
      child.stdin?.end()
    }),
}

const runTimeoutMs = 60_000

/** Finds the cluster like kubectl does. Throws `Terminal` with what is missing and what to do. */
export async function clusterConnection(
  choice: ConnectionChoice,
  ports: ConnectionPorts = systemConnectionPorts,
): Promise<ClusterConnection> {
  const { env } = choice
  const configs = await Promise.all(
    (await readableFiles(choice, ports)).map(async ({ path, text }) => parseKubeconfig(text, path)),
  )
  if (configs.length > 0)
    return await connectionOf(chooseContext(mergeKubeconfigs(configs), choice.context), env, ports)
  if (env.KUBERNETES_SERVICE_HOST) return await inClusterConnection(env, ports)
  throw invalid(
    `no file was found (KUBECONFIG is ${env.KUBECONFIG ? `"${env.KUBECONFIG}"` : 'not set'}) and this is not a pod`,
    'name a kubeconfig, set KUBECONFIG, or write ~/.kube/config',
  )
}

async function connectionOf(
  context: ChosenContext,
  env: ConnectionChoice['env'],
  ports: ConnectionPorts,
): Promise<ClusterConnection> {
  const { cluster, name, namespace } = context
  if (cluster.proxyUrl) {
    throw new Terminal(
      'ProxyUnsupported',
      `kubeconfig: context "${name}" wants proxy-url, which is not supported; reach the API server directly or through a tunnel`,
    )
  }
  const ca = cluster.certificateAuthority && (await textOf(cluster.certificateAuthority, ports))
  return {
    server: serverUrl(cluster.server, name),
    tls: {
      insecureSkipVerify: cluster.insecureSkipTlsVerify,
      ...(ca !== undefined && { ca }),
      ...(cluster.tlsServerName !== undefined && { serverName: cluster.tlsServerName }),
    },
    credentials: credentialsOf(context, env, ports),
    namespace,
    name,
  }
}

function credentialsOf(
  { name, user, cluster }: ChosenContext,
  env: ConnectionChoice['env'],
  ports: ConnectionPorts,
): Credentials {
  if (user.authProvider !== undefined) {
    throw new Terminal(
      'AuthProviderUnsupported',
      `kubeconfig: context "${name}" uses auth-provider "${user.authProvider}", which Kubernetes removed; use its exec plugin`,
    )
  }
  const { clientCertificate, clientKey, tokenFile, token, username, password, exec } = user
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw invalid(
      `the user of context "${name}" has only one of client-certificate and client-key`,
      'expected both or none',
    )
  }
  if (tokenFile !== undefined || clientCertificate?.kind === 'file' || clientKey?.kind === 'file') {
    return fileCredentials({ ...ports, ...user, tokenFile })
  }
  const certificate = clientCertificate && clientKey ? { cert: clientCertificate.text, key: clientKey.text } : {}
  if (token !== undefined && token !== '') return fixedCredentials({ ...certificate, authorization: `Bearer ${token}` })
  if (username !== undefined) {
    const pair = Buffer.from(`${username}:${password ?? ''}`).toString('base64')
    return fixedCredentials({ ...certificate, authorization: `Basic ${pair}` })
  }
  if (exec) return execCredentials({ exec, cluster, env, ...ports })
  return clientCertificate ? fixedCredentials(certificate) : anonymous
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A pod's service account: its token is rotated on disk by the kubelet. */
async function inClusterConnection(env: ConnectionChoice['env'], ports: ConnectionPorts): Promise<ClusterConnection> {
  const host = env.KUBERNETES_SERVICE_HOST ?? ''
  const port = env.KUBERNETES_SERVICE_PORT || '443'
  const [ca, namespace] = await Promise.all([
    readMounted(`${serviceAccount}/ca.crt`, ports),
    readMounted(`${serviceAccount}/namespace`, ports),
  ])
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: { ca },
    credentials: fileCredentials({ ...ports, tokenFile: `${serviceAccount}/token` }),
    namespace: namespace.trim(),
    name: 'in-cluster',
  }
}

async function readMounted(path: string, { readFile }: ConnectionPorts): Promise<string> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Terminal('NoServiceAccount', `${path} is not readable; mount the pod's service account token`, {
      cause: error,
    })
  }
}

interface ReadFile {
  readonly path: string
  readonly text: string
}

/** A file that was named by the caller must exist; of a KUBECONFIG list those that exist are taken. */
async function readableFiles(
  { kubeconfig, env }: ConnectionChoice,
  { readFile }: ConnectionPorts,
): Promise<readonly ReadFile[]> {
  if (kubeconfig !== undefined) return [{ path: kubeconfig, text: await readNamed(kubeconfig, readFile) }]
  const paths = env.KUBECONFIG
    ? env.KUBECONFIG.split(delimiter).filter(Boolean)
    : [join(env.HOME ?? '/', '.kube', 'config')]
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readIfPresent(path, readFile) })))
  return files.filter((file): file is ReadFile => file.text !== undefined)
}

async function readNamed(path: string, readFile: ConnectionPorts['readFile']): Promise<string> {
  const text = await readIfPresent(path, readFile)
  if (text === undefined) throw invalid(`${path} does not exist`, 'name an existing file')
  return text
}

async function readIfPresent(path: string, readFile: ConnectionPorts['readFile']): Promise<string | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw invalid(`${path} is not readable: ${messageOf(error)}`, 'check its permissions')
  }
}

async function textOf(from: FileOrData, { readFile }: ConnectionPorts): Promise<string> {
  return from.kind === 'data' ? from.text : await readNamed(from.path, readFile)
}

function serverUrl(text: string, context: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw invalid(
    `the server of context "${context}" is no http or https URL`,
    'expected e.g. https://api.example.com:6443',
  )
}
