import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate, type KeyPair } from '../../certificates/issueCertificate.ts'
import { builtinResources } from '../builtins/resources.ts'
import { lmdbStore } from '../store/lmdbStore.ts'
import { memoryStore } from '../store/memoryStore.ts'
import { type ApiRequest, type ApiResponse, administrator, type Identity } from './apiRequest.ts'
import { type ApiServerOptions, createApiServer } from './apiServer.ts'
import { type ClusterKeys, loadClusterKeys } from './clusterKeys.ts'
import type { ServerContext } from './context.ts'
import { listenHttps } from './httpFront.ts'
import { formatKubeconfig } from './kubeconfig.ts'

export interface StartOptions
  extends Pick<ApiServerOptions, 'clock' | 'ids' | 'admit' | 'random' | 'historyLimits' | 'onFault'> {
  /** A directory, or `:memory:` for a cluster that ends with the process. */
  readonly dataDir: string
  /** 0 picks a free one. */
  readonly port?: number
  readonly host?: string
  /** Further names and addresses that clients reach the server by. */
  readonly names?: readonly string[]
  /** Static bearer tokens. */
  readonly tokens?: ReadonlyMap<string, Identity>
}

/** A running cluster API. */
export interface RunningApiServer {
  readonly url: string
  readonly caPem: string
  /** The administrator's kubeconfig: where it was written, and its text. */
  readonly kubeconfigPath: string
  readonly adminKubeconfig: string
  readonly context: ServerContext
  /** Requests from the same process, without TLS, as the administrator unless the request says otherwise. */
  handle(request: ApiRequest): Promise<ApiResponse>
  /** A client certificate for a user and its groups, e.g. `system:node:a` in `system:nodes`. */
  issueClientCertificate(user: string, groups: readonly string[]): Promise<KeyPair>
  /** A kubeconfig with such a certificate. */
  issueKubeconfig(user: string, groups: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** Opens the data, makes keys and kubeconfig, and serves until closed. */
export async function startApiServer(options: StartOptions): Promise<RunningApiServer> {
  const { dataDir, port = 0, host = '127.0.0.1', names = [], tokens } = options
  const inMemory = dataDir === ':memory:'
  const directory = inMemory ? mkdtempSync(join(tmpdir(), 'mco-cluster-')) : dataDir
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const now = (options.clock?.now ?? (() => new Date()))()
  const keys = await loadClusterKeys(join(directory, 'pki'), serverNames(host, names), now)
  const server = await createApiServer({
    ...options,
    store: inMemory ? memoryStore() : lmdbStore(directory),
    builtins: builtinResources,
    authenticateToken: (token) => tokens?.get(token),
    serviceAccountKeyPem: keys.serviceAccountKeyPem,
  })
  const handle = (request: ApiRequest) =>
    server.handle(request.identity ? request : { identity: administrator, ...request })
  const front = await listenHttps({
    handle: server.handle,
    server: keys.server,
    clientAuthorityPem: keys.authority.certificatePem,
    host,
    port,
    onFault: (error) => options.onFault?.(error, { method: '', url: '' }),
  })
  const url = `https://${isIP(host) === 6 ? `[${host}]` : host}:${front.port}`
  const kubeconfigFor = (user: string, pair: KeyPair) =>
    formatKubeconfig({ url, caPem: keys.authority.certificatePem, user, credential: { kind: 'certificate', pair } })
  const adminKubeconfig = kubeconfigFor('kubernetes-admin', keys.admin)
  const kubeconfigPath = join(directory, 'kubeconfig')
  writeFileSync(kubeconfigPath, adminKubeconfig, { mode: 0o600 })
  const issueClientCertificate = (user: string, groups: readonly string[]) =>
    issueClient(keys, user, groups, new Date())

  return {
    url,
    caPem: keys.authority.certificatePem,
    kubeconfigPath,
    adminKubeconfig,
    context: server.context,
    handle,
    issueClientCertificate,
    issueKubeconfig: async (user, groups) => kubeconfigFor(user, await issueClientCertificate(user, groups)),
    async close() {
      await front.close()
      await server.close()
      if (inMemory) rmSync(directory, { recursive: true, force: true })
    },
  }
}

const issueClient = (
  keys: ClusterKeys,
  commonName: string,
  organizations: readonly string[],
  now: Date,
): Promise<KeyPair> => issueCertificate(keys.authority, { kind: 'client', commonName, organizations }, now)

/** What the server's certificate vouches for: loopback always, the listening address, and what the caller adds. */
function serverNames(host: string, names: readonly string[]) {
  const all = [...new Set(['localhost', '127.0.0.1', '::1', host, 'kubernetes.default.svc', ...names])]
  const wildcard = new Set(['0.0.0.0', '::'])
  return {
    dnsNames: all.filter((name) => isIP(name) === 0),
    ipAddresses: all.filter((name) => isIP(name) !== 0 && !wildcard.has(name)),
  }
}
