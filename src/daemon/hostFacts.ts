import { hash } from 'node:crypto'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import type { Capability, Host, HostFiles, UnitFileState, UserAccount } from '../host/host.ts'
import { currentConfigPath, currentImagePath, noOriginalPath, originalPath, parentOf, unitPath } from './hostPaths.ts'
import { isSharedKeyFile } from './keyBlock.ts'
import { managedPaths } from './managedPaths.ts'

/** What the plan must know about the host, read once before anything is decided. */
export interface HostFacts {
  readonly paths: ReadonlyMap<string, PathFact>
  /** For paths that are absent: what stands above them and is no directory. */
  readonly obstacles: ReadonlyMap<string, string>
  readonly originals: ReadonlyMap<string, OriginalFact>
  readonly units: ReadonlyMap<string, UnitFact>
  readonly users: ReadonlyMap<string, UserAccount>
  readonly groups: ReadonlyMap<string, number>
  readonly sshUser: UserAccount | undefined
  /** Content of the key file where others write to it too; undefined where it is ours alone, or no file. */
  readonly sharedKeys: Buffer | undefined
  readonly passwordHash: string | undefined
  readonly kernelArguments: Fact<readonly string[]>
  readonly osImage: Fact<{ readonly booted: string; readonly pending: string }>
  readonly kernelType: Fact<string>
  readonly extensions: Fact<readonly string[]>
}

/** What a capability says now, or why the host does not have it. */
type Fact<T> = { readonly kind: 'known'; readonly value: T } | { readonly kind: 'unsupported'; readonly reason: string }

export type PathFact =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file'
      readonly mode: number
      readonly uid: number
      readonly gid: number
      readonly sha256: string
    }
  | { readonly kind: 'directory'; readonly mode: number; readonly uid: number; readonly gid: number }
  | { readonly kind: 'symlink'; readonly target: string; readonly uid: number; readonly gid: number }
  | { readonly kind: 'other' }

interface OriginalFact {
  readonly kept: boolean
  readonly stamped: boolean
  readonly ownership: 'vendor' | 'not-vendor' | 'unknown'
  /** The image's own copy below /usr exists. */
  readonly usrCopy: boolean
}

export interface UnitFact {
  readonly state: UnitFileState
  readonly preset: 'enable' | 'disable' | 'none'
  /** A unit of this name comes with the system, whatever is in the administrator's directory. */
  readonly vendorUnit: boolean
}

export interface FactOptions {
  readonly sshUser: string
  /** Below the user's home. */
  readonly authorizedKeysFile: string
  readonly scope?: FactScope
}

/** The part that is looked at; everything when absent. An update of one file does not read the other hundred. */
interface FactScope {
  readonly paths?: ReadonlySet<string>
  readonly units?: ReadonlySet<string>
  readonly originals?: boolean
}

/** Nothing is changed by it; many paths share a directory, which is then looked up once. */
export function gatherFacts(
  host: Host,
  old: MachineConfigView,
  next: MachineConfigView,
  options: FactOptions,
): Promise<HostFacts> {
  return host.files.together((files) => readFacts({ ...host, files }, old, next, options))
}

async function readFacts(
  host: Host,
  old: MachineConfigView,
  next: MachineConfigView,
  { sshUser, authorizedKeysFile, scope = {} }: FactOptions,
): Promise<HostFacts> {
  const { originals: wantsOriginals = true, paths: onlyPaths, units: onlyUnits } = scope
  const user = await host.accounts.user(sshUser)
  const managed = new Set([...managedPaths(old), ...managedPaths(next)].filter((path) => onlyPaths?.has(path) ?? true))
  const paths = new Map<string, PathFact>()
  const originals = new Map<string, OriginalFact>()
  const obstacles = new Map<string, string>()
  const isListed = listings(host.files)
  for (const path of managed) {
    const fact = await pathFact(host.files, path)
    paths.set(path, fact)
    const obstacle = fact.kind === 'absent' && (await obstacleAbove(host.files, path))
    if (obstacle) obstacles.set(path, obstacle)
    if (!wantsOriginals) continue
    const kept = await isListed(originalPath(path))
    const stamped = await isListed(noOriginalPath(path))
    originals.set(path, {
      kept,
      stamped,
      ownership: await host.vendorFiles.ownership(path),
      usrCopy: path.startsWith('/etc/') && (await host.files.status(`/usr${path}`)) !== undefined,
    })
  }
  for (const path of [currentConfigPath, currentImagePath, ...keyPaths(user, authorizedKeysFile)])
    paths.set(path, await pathFact(host.files, path))
  return {
    paths,
    obstacles,
    originals,
    units: await unitFacts(host, [old, next], onlyUnits),
    ...(await ownerFacts(host, next)),
    sshUser: user,
    sharedKeys: await readSharedKeys(host.files, paths, keyPaths(user, authorizedKeysFile).at(-1)),
    passwordHash: user && (await host.accounts.passwordHash(sshUser)),
    kernelArguments: await kernelArgumentsFact(host, next),
    osImage: await factOf(host.osImage, async (use) => ({ booted: await use.booted(), pending: await use.pending() })),
    kernelType: await factOf(host.kernelType, (use) => use.pending()),
    extensions: await factOf(host.packages, (use) => use.pending()),
  }
}

/** A list that this host cannot set is as good as no way to set one: refused with the reason, before anything is touched. */
async function kernelArgumentsFact(
  { kernelArguments: capability }: Host,
  { kernelArguments, ignition }: MachineConfigView,
): Promise<Fact<readonly string[]>> {
  if (capability.kind === 'unsupported') return capability
  const wanted = splitKernelArguments([...kernelArguments, ...(ignition.kernelArguments?.shouldExist ?? [])])
  const reason = capability.use.refusal?.(wanted)
  return reason === undefined ? factOf(capability, (use) => use.pending()) : { kind: 'unsupported', reason }
}

/** Whether paths exist, by one listing for each of their directories: of those in which nearly all are asked for. */
function listings(files: HostFiles): (path: string) => Promise<boolean> {
  const known = new Map<string, ReadonlySet<string>>()
  return async (path) => {
    const parent = parentOf(path)
    const status = known.has(parent) ? undefined : await files.status(parent)
    // A link to one, say.
    if (status && status.kind !== 'directory') return (await files.status(path)) !== undefined
    const names = known.get(parent) ?? new Set(status ? await files.list(parent) : [])
    known.set(parent, names)
    return names.has(path.slice(path.lastIndexOf('/') + 1))
  }
}

export async function pathFact(files: HostFiles, path: string): Promise<PathFact> {
  const status = await files.status(path)
  if (!status) return { kind: 'absent' }
  const { mode, uid, gid } = status
  switch (status.kind) {
    case 'file':
      return { kind: 'file', mode, uid, gid, sha256: sha256(await files.read(path, status.sizeBytes)) }
    case 'directory':
      return { kind: 'directory', mode, uid, gid }
    case 'symlink':
      return { kind: 'symlink', target: await files.readLink(path), uid, gid }
    case 'other':
      return { kind: 'other' }
    default:
      return status.kind satisfies never
  }
}

async function obstacleAbove(files: HostFiles, path: string): Promise<string | undefined> {
  const parent = parentOf(path)
  if (parent === '/') return undefined
  const status = await files.status(parent)
  if (!status) return obstacleAbove(files, parent)
  return status.kind === 'directory' || status.kind === 'symlink' ? undefined : parent
}

export const sha256 = (content: Uint8Array): string => hash('sha256', content, 'hex')

/** The key file with the directories above it that belong to the user, the home first. */
export function keyPaths(user: UserAccount | undefined, authorizedKeysFile: string): readonly string[] {
  if (!user) return []
  const parts = authorizedKeysFile.split('/').filter((part) => part !== '')
  return [user.home, ...parts.map((_, index) => `${user.home}/${parts.slice(0, index + 1).join('/')}`)]
}

async function readSharedKeys(
  files: HostFiles,
  paths: ReadonlyMap<string, PathFact>,
  file: string | undefined,
): Promise<Buffer | undefined> {
  if (file === undefined || !isSharedKeyFile(file) || paths.get(file)?.kind !== 'file') return undefined
  return files.read(file)
}

async function unitFacts(
  host: Host,
  configs: readonly MachineConfigView[],
  only: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, UnitFact>> {
  const names = new Set(configs.flatMap((config) => (config.ignition.systemd?.units ?? []).map((unit) => unit.name)))
  const facts = new Map<string, UnitFact>()
  for (const name of names) {
    if (only && !only.has(name)) continue
    const state = await host.services.unitFileState(name)
    facts.set(name, {
      state,
      preset: await host.services.presetRule(name),
      vendorUnit: await hasVendorUnit(host, name, state),
    })
  }
  return facts
}

async function hasVendorUnit(host: Host, name: string, state: UnitFileState): Promise<boolean> {
  for (const directory of ['/usr/lib/systemd/system', '/lib/systemd/system', '/usr/local/lib/systemd/system'])
    if (await host.files.status(`${directory}/${name}`)) return true
  // Generated and transient units are known to the service manager only.
  return state !== 'not-found' && state !== 'masked' && (await host.files.status(unitPath(name))) === undefined
}

async function ownerFacts(
  host: Host,
  config: MachineConfigView,
): Promise<{ users: ReadonlyMap<string, UserAccount>; groups: ReadonlyMap<string, number> }> {
  const { files = [], directories = [], links = [] } = config.ignition.storage ?? {}
  const users = new Map<string, UserAccount>()
  const groups = new Map<string, number>()
  for (const { user, group } of [...files, ...directories, ...links]) {
    const account = user?.name === undefined ? undefined : await host.accounts.user(user.name)
    if (account) users.set(account.name, account)
    const gid = group?.name === undefined ? undefined : await host.accounts.group(group.name)
    if (group?.name !== undefined && gid !== undefined) groups.set(group.name, gid)
  }
  return { users, groups }
}

async function factOf<C, T>(capability: Capability<C>, read: (use: C) => Promise<T>): Promise<Fact<T>> {
  if (capability.kind === 'unsupported') return capability
  return { kind: 'known', value: await read(capability.use) }
}
