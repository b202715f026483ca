import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type LoadedConfig, loadConfig } from '../../src/daemon/loadConfig.ts'
import { type DirectoryHost, type DirectoryHostOptions, directoryHost } from '../../src/host/directoryHost.ts'
import type { IgnitionConfig, Unit } from '../../src/ignition/types.ts'

export interface ConfigInput {
  readonly name?: string
  /** Path to text, or to a file record with `text` for its content. */
  readonly files?: Readonly<
    Record<
      string,
      string | { readonly text: string; readonly mode?: number; readonly user?: object; readonly group?: object }
    >
  >
  readonly units?: readonly Unit[]
  readonly keys?: readonly string[]
  readonly passwordHash?: string
  readonly kernelArguments?: readonly string[]
  readonly osImageURL?: string
  readonly storage?: IgnitionConfig['storage']
  readonly spec?: Readonly<Record<string, unknown>>
}

export const machineConfig = (input: ConfigInput) => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name: input.name ?? 'rendered-test' },
  spec: {
    config: ignition(input),
    kernelArguments: [...(input.kernelArguments ?? [])],
    osImageURL: input.osImageURL ?? '',
    ...input.spec,
  },
})

export const config = (input: ConfigInput = {}): LoadedConfig => loadConfig(machineConfig(input))

function ignition({ files = {}, units, keys, passwordHash, storage }: ConfigInput): Record<string, unknown> {
  const user = {
    name: 'core',
    ...(keys && { sshAuthorizedKeys: keys }),
    ...(passwordHash !== undefined && { passwordHash }),
  }
  const list = Object.entries(files).map(([path, value]) => {
    const { text, ...rest } = typeof value === 'string' ? { text: value } : value
    return { path, contents: { source: `data:,${encodeURIComponent(text)}` }, ...rest }
  })
  return {
    ignition: { version: '3.5.0' },
    ...(keys || passwordHash !== undefined ? { passwd: { users: [user] } } : {}),
    storage: { ...storage, ...(list.length > 0 && { files: list }) },
    ...(units && { systemd: { units } }),
  }
}

/** A fresh machine: `core` exists, nothing else. Removed by `removeRoots`. */
export function newRoot(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'mco-daemon-'))
  roots.push(root)
  const base = {
    'etc/passwd': 'root:x:0:0::/root:/bin/sh\ncore:x:1000:1000::/home/core:/bin/sh\n',
    'etc/group': 'root:x:0:\ncore:x:1000:\nwheel:x:10:\n',
    'etc/shadow': 'root:*:1::::::\ncore:*:1::::::\n',
  }
  for (const [path, text] of Object.entries({ ...base, ...files })) put(root, path, text)
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
  mkdirSync(join(root, 'home/core'), { recursive: true })
  return root
}

const roots: string[] = []
export function removeRoots(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
}

export function put(root: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  rmSync(join(root, path), { force: true })
  writeFileSync(join(root, path), text, { mode })
}

export const text = (root: string, path: string): string => readFileSync(join(root, path), 'utf8')

/** Owners are written down, so that the tests run as any user. */
export const testHost = (root: string, options: DirectoryHostOptions = {}): DirectoryHost =>
  directoryHost(root, { durable: false, mayChown: false, now: () => new Date(0), ...options })

/** Every file and link below the root with mode and content; without directories, logs and the journal of the daemon. */
export function tree(root: string, directory = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, directory)).sort()) {
    const path = directory === '' ? name : `${directory}/${name}`
    if (path === 'var/lib/mco') continue
    const stats = lstatSync(join(root, path))
    if (stats.isDirectory()) Object.assign(found, tree(root, path))
    else if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`
    else found[path] = `${(stats.mode & 0o7777).toString(8)} ${readFileSync(join(root, path), 'utf8')}`
  }
  return found
}

/** Names that only an unfinished update may leave. */
export function leftovers(root: string, directory = ''): string[] {
  return readdirSync(join(root, directory)).flatMap((name) => {
    const path = directory === '' ? name : `${directory}/${name}`
    const below = lstatSync(join(root, path)).isDirectory() ? leftovers(root, path) : []
    return /^\.mco-|\.mco-new$/.test(name) || path === 'var/lib/mco/journal/current' ? [path, ...below] : below
  })
}
