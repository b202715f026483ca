import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { type Agent, request } from 'node:https'
import { join } from 'node:path'
import process from 'node:process'
import { decodeContents } from '../../src/ignition/contents.ts'
import { type Kubectl, type RunningCluster, until } from '../e2e/harness.ts'

export const namespace = 'openshift-machine-config-operator'

interface PointerConfig {
  readonly ignition: {
    readonly config: {
      readonly merge: readonly [
        { readonly source: string; readonly httpHeaders?: readonly { readonly value: string }[] },
      ]
    }
    readonly security: { readonly tls: { readonly certificateAuthorities: readonly [{ readonly source: string }] } }
  }
}

/** How a new machine of a pool finds its config: as the pool's user data says. */
export interface JoinPlace {
  readonly url: string
  readonly token: string
  readonly authority: string
  /** The pointer, in the newest spec that Debian's Ignition reads. */
  readonly pointer: string
}

export async function joinPlace(secrets: ReadSecret, pool: string): Promise<JoinPlace> {
  const text = (await secrets(`${pool}-user-data-managed`, 'userData')).toString()
  const { ignition }: PointerConfig = JSON.parse(text)
  const [{ source, httpHeaders = [] }] = ignition.config.merge
  const authority = decodeContents(ignition.security.tls.certificateAuthorities[0]).value
  if (!authority) throw new Error(`the pointer of ${pool} has no readable authority`)
  return {
    url: source,
    token: (httpHeaders[0]?.value ?? '').replace(/^Bearer /, ''),
    authority: Buffer.from(authority).toString(),
    pointer: text.replace('"version":"3.5.0"', '"version":"3.3.0"'),
  }
}

/** One value of a Secret beside the config server. */
export type ReadSecret = (name: string, key: string) => Promise<Buffer>

export const secretsBy =
  (kubectl: Kubectl): ReadSecret =>
  async (name, key) => {
    const path = `-ojsonpath={.data.${key.replace('.', '\\.')}}`
    return Buffer.from(await kubectl.run(['-n', namespace, 'get', 'secret', name, path]), 'base64')
  }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** One request as Ignition makes it; `from` is the machine's address. */
export function fetchConfig(
  { url, authority, token }: Pick<JoinPlace, 'url' | 'authority' | 'token'>,
  version: string,
  { agent, from }: { readonly agent?: Agent; readonly from?: string } = {},
): Promise<Answer> {
  const accept = `application/vnd.coreos.ignition+json;version=${version}, */*;q=0.1`
  const headers = { accept, ...(token !== '' && { authorization: `Bearer ${token}` }) }
  return new Promise((resolve, reject) => {
    const connection = { ...(agent && { agent }), ...(from !== undefined && { localAddress: from }) }
    const sent = request(url, { ca: authority, headers, ...connection }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

export interface SeparateServer {
  readonly pid: number
  readonly url: string
  /** What it printed. */
  output(): string
  stop(): Promise<void>
}

/** What `mco server start` needs on its machine: the cluster's certificate, credentials for those who join, where to keep. */
export async function serverFolder(directory: string, secrets: ReadSecret): Promise<string> {
  const folder = join(directory, 'server')
  await mkdir(join(folder, 'credentials'), { recursive: true })
  for (const file of ['tls.crt', 'tls.key'])
    await writeFile(join(folder, file), await secrets('machine-config-server-tls', file), { mode: 0o600 })
  await writeFile(join(folder, 'credentials', 'token'), 'abcdef.0123456789abcdef')
  await writeFile(join(folder, 'credentials', 'ca.crt'), 'the authority of the API server')
  return folder
}

/** A process of its own. */
export async function startServer(
  folder: string,
  { kubeconfig }: Pick<RunningCluster, 'kubeconfig'>,
  {
    port,
    access,
    args = [],
  }: { readonly port: number; readonly access: 'token' | 'open'; readonly args?: readonly string[] },
): Promise<SeparateServer> {
  const child = spawn(
    process.execPath,
    [
      'dist/mco.mjs',
      'server',
      'start',
      ...['--bind-address', '127.0.0.1', '--secure-port', `${port}`, '--metrics-url', '127.0.0.1:0'],
      ...['--cert', join(folder, 'tls.crt'), '--key', join(folder, 'tls.key')],
      ...['--kubeconfig', kubeconfig, '--apiserver-url', 'https://127.0.0.1:6443'],
      ...['--join-credentials', join(folder, 'credentials'), '--keep', join(folder, 'kept'), '--access', access],
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until(() => {
    if (child.exitCode !== null) throw new Error(`mco server start ended with ${child.exitCode}:\n${output}`)
    return /"msg":"config server started"/.test(output)
  }, 'mco server to serve').catch((error: unknown) => {
    child.kill('SIGKILL')
    throw new Error(`${String(error)}\n${output}`)
  })
  return {
    url: `https://127.0.0.1:${port}/config`,
    pid: child.pid ?? 0,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
