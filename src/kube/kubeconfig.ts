import { dirname, isAbsolute, resolve } from 'node:path'
import { parseDocuments } from '../ignition/document.ts'
import { Terminal } from './errors.ts'

/** The kubeconfig format (client authentication, kubernetes.io): only what a client needs. */
export interface Kubeconfig {
  readonly currentContext: string
  readonly contexts: ReadonlyMap<string, ContextEntry>
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
}

interface ContextEntry {
  readonly cluster: string
  readonly user: string
  readonly namespace?: string
}

export interface ClusterEntry {
  readonly server: string
  readonly certificateAuthority?: FileOrData
  readonly insecureSkipTlsVerify: boolean
  readonly tlsServerName?: string
  readonly proxyUrl?: string
}

interface UserEntry {
  readonly clientCertificate?: FileOrData
  readonly clientKey?: FileOrData
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly exec?: ExecPlugin
  /** Name of a provider that was removed from Kubernetes; only there to be refused by name. */
  readonly authProvider?: string
}

/** Paths are absolute; data is decoded. */
export type FileOrData =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'data'; readonly text: string }

export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly interactiveMode: string
  readonly provideClusterInfo: boolean
  readonly installHint?: string
}

/** A context with what it points to. */
export interface ChosenContext {
  readonly name: string
  readonly namespace: string
  readonly cluster: ClusterEntry
  readonly user: UserEntry
}

/** Reads one file's text. Relative paths in it are relative to the file. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const root = members(parseYaml(text, file), file, '$')
  const folder = dirname(file)
  return {
    currentContext: stringOf(root['current-context'], file, '$.current-context') ?? '',
    contexts: entries(root.contexts, 'context', file, (context, path) => ({
      cluster: stringOf(context.cluster, file, `${path}.cluster`) ?? '',
      user: stringOf(context.user, file, `${path}.user`) ?? '',
      ...optional('namespace', stringOf(context.namespace, file, `${path}.namespace`)),
    })),
    clusters: entries(root.clusters, 'cluster', file, (cluster, path) => ({
      server: stringOf(cluster.server, file, `${path}.server`) ?? '',
      insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
      ...optional('certificateAuthority', fileOrData(cluster, 'certificate-authority', { file, folder, path })),
      ...optional('tlsServerName', stringOf(cluster['tls-server-name'], file, `${path}.tls-server-name`)),
      ...optional('proxyUrl', stringOf(cluster['proxy-url'], file, `${path}.proxy-url`)),
    })),
    users: entries(root.users, 'user', file, (user, path) => userEntry(user, { file, folder, path })),
  }
}

/** Several files of a KUBECONFIG list: the first that names something wins, and nothing is mixed within an entry. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(maps: readonly ReadonlyMap<string, T>[]) => new Map(maps.toReversed().flatMap((map) => [...map]))
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    contexts: first(configs.map(({ contexts }) => contexts)),
    clusters: first(configs.map(({ clusters }) => clusters)),
    users: first(configs.map(({ users }) => users)),
  }
}

export function chooseContext(config: Kubeconfig, wanted: string | undefined): ChosenContext {
  const name = wanted ?? config.currentContext
  if (name === '')
    throw invalid('no context is chosen', `set current-context or name one of: ${namesOf(config.contexts)}`)
  const context = config.contexts.get(name)
  if (!context) throw invalid(`no context "${name}"`, `known are: ${namesOf(config.contexts)}`)
  const cluster = config.clusters.get(context.cluster)
  if (!cluster?.server) {
    const found = cluster ? 'without a server' : 'that does not exist'
    throw invalid(
      `context "${name}" names cluster "${context.cluster}" ${found}`,
      `known are: ${namesOf(config.clusters)}`,
    )
  }
  const user = context.user === '' ? {} : config.users.get(context.user)
  if (!user)
    throw invalid(
      `context "${name}" names user "${context.user}" that does not exist`,
      `known are: ${namesOf(config.users)}`,
    )
  return { name, namespace: context.namespace ?? 'default', cluster, user }
}

const reason = 'InvalidKubeconfig'

/** Which document is meant, what is wrong and what to do. Values stay out of it: they may be secrets. */
export function invalid(found: string, remedy: string): Terminal {
  return new Terminal(reason, `kubeconfig: ${found}; ${remedy}`)
}

type Members = Readonly<Record<string, unknown>>

interface Place {
  readonly file: string
  readonly folder: string
  readonly path: string
}

function userEntry(user: Members, place: Place): UserEntry {
  const text = (name: string) => stringOf(user[name], place.file, `${place.path}.${name}`)
  const tokenFile = text('tokenFile')
  const provider = user['auth-provider']
  return {
    ...optional('clientCertificate', fileOrData(user, 'client-certificate', place)),
    ...optional('clientKey', fileOrData(user, 'client-key', place)),
    ...optional('token', text('token')),
    ...optional('tokenFile', tokenFile === undefined ? undefined : resolve(place.folder, tokenFile)),
    ...optional('username', text('username')),
    ...optional('password', text('password')),
    ...optional('exec', user.exec === undefined || user.exec === null ? undefined : execPlugin(user.exec, place)),
    ...optional(
      'authProvider',
      provider === undefined || provider === null ? undefined : providerName(provider, place),
    ),
  }
}

function execPlugin(value: unknown, { file, folder, path }: Place): ExecPlugin {
  const exec = members(value, file, `${path}.exec`)
  const text = (name: string) => stringOf(exec[name], file, `${path}.exec.${name}`)
  const command = text('command') ?? ''
  if (command === '')
    throw invalid(`${file} ${path}.exec.command is empty`, 'expected the program that prints a credential')
  return {
    apiVersion: text('apiVersion') ?? '',
    // A path is relative to the kubeconfig; a bare name is looked up in PATH.
    command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
    args: list(exec.args, file, `${path}.exec.args`).map((arg) => String(arg)),
    env: list(exec.env, file, `${path}.exec.env`).map((each) => {
      const { name, value = '' } = members(each, file, `${path}.exec.env[]`)
      return { name: String(name), value: String(value) }
    }),
    interactiveMode: text('interactiveMode') ?? 'IfAvailable',
    provideClusterInfo: exec.provideClusterInfo === true,
    ...optional('installHint', text('installHint')),
  }
}

function providerName(value: unknown, { file, path }: Place): string {
  return stringOf(members(value, file, `${path}.auth-provider`).name, file, `${path}.auth-provider.name`) ?? ''
}

/** `NAME-data` (base64) has precedence over the file `NAME`. */
function fileOrData(from: Members, name: string, { file, folder, path }: Place): FileOrData | undefined {
  const data = stringOf(from[`${name}-data`], file, `${path}.${name}-data`)
  if (data !== undefined && data !== '') return { kind: 'data', text: Buffer.from(data, 'base64').toString('utf8') }
  const relative = stringOf(from[name], file, `${path}.${name}`)
  return relative === undefined || relative === '' ? undefined : { kind: 'file', path: resolve(folder, relative) }
}

function entries<T>(
  value: unknown,
  inner: string,
  file: string,
  read: (members: Members, path: string) => T,
): Map<string, T> {
  const found = new Map<string, T>()
  for (const [index, each] of list(value, file, `$.${inner}s`).entries()) {
    const path = `$.${inner}s[${index}]`
    const entry = members(each, file, path)
    const name = stringOf(entry.name, file, `${path}.name`)
    if (name === undefined) throw invalid(`${file} ${path} has no name`, 'expected a string')
    if (!found.has(name))
      found.set(name, read(members(entry[inner] ?? {}, file, `${path}.${inner}`), `${path}.${inner}`))
  }
  return found
}

/** Issues of the parser name the place, never the text: it may hold a secret. */
function parseYaml(text: string, file: string): unknown {
  const { documents, issues } = parseDocuments(text, { fileName: file })
  const [issue] = issues
  if (issue) {
    const place = issue.line === undefined ? '' : ` (line ${issue.line}, column ${issue.column})`
    throw invalid(`${file} is not YAML${place}`, 'check its indentation and quotes')
  }
  return documents[0]?.value ?? {}
}

function members(value: unknown, file: string, path: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw invalid(`${file} ${path} is not a mapping`, 'expected members')
}

function list(value: unknown, file: string, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw invalid(`${file} ${path} is not a list`, 'expected a list')
}

function stringOf(value: unknown, file: string, path: string): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw invalid(`${file} ${path} is a ${typeof value}`, 'expected a string, in quotes if it looks like a number')
}

function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: V }
}

function namesOf(map: ReadonlyMap<string, unknown>): string {
  return [...map.keys()].sort().join(', ') || 'none'
}
