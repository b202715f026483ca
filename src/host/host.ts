/**
 * Everything the daemon may do to a machine. Paths are absolute host paths (`/etc/hosts`), whatever the directory is that
 * serves as the host's root; no operation ever reaches outside that root. A capability either works or says why it cannot:
 * the daemon refuses a change that needs it before anything is touched.
 */
export interface Host {
  /** For messages: `directory /srv/node-1`, `this machine`. */
  readonly description: string
  readonly files: HostFiles
  readonly services: ServiceManager
  readonly accounts: Accounts
  /** Below a user's home: the key file that this host's sshd reads and nobody else writes, where there is one. */
  readonly authorizedKeysFile: string
  readonly vendorFiles: VendorFiles
  readonly kernelArguments: Capability<KernelArguments>
  readonly osImage: Capability<OsImage>
  readonly kernelType: Capability<KernelType>
  readonly packages: Capability<Packages>
  readonly trustStore: Capability<TrustStore>
  readonly power: Power
  identity(): Promise<OsIdentity>
}

export type Capability<T> =
  | { readonly kind: 'supported'; readonly use: T }
  | { readonly kind: 'unsupported'; readonly reason: string }

export const supported = <T>(use: T): Capability<T> => ({ kind: 'supported', use })
export const unsupported = <T>(reason: string): Capability<T> => ({ kind: 'unsupported', reason })

export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other'
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly sizeBytes: number
}

export interface FileAttributes {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/**
 * Symlinks among the directories of a path are followed inside the root; the last component is never followed.
 * "Durable" means: after the call a power loss does not lose it.
 */
export interface HostFiles {
  /** Undefined when nothing is there, also when a parent is missing. */
  status(path: string): Promise<FileStatus | undefined>
  /** With the size that it had a moment ago it is read in one go. */
  read(path: string, expectedBytes?: number): Promise<Buffer>
  readLink(path: string): Promise<string>
  /** Names, sorted. */
  list(path: string): Promise<readonly string[]>
  /** Writes a new file and makes its content durable; fails when the path exists. */
  create(path: string, content: Uint8Array, attributes: FileAttributes): Promise<void>
  createSymlink(path: string, target: string): Promise<void>
  createHardLink(path: string, existing: string): Promise<void>
  /** One directory; its parent must exist. */
  createDirectory(path: string, attributes: FileAttributes): Promise<void>
  /** Adds to the end of a file (created with mode 0600 when missing) and makes it durable. */
  append(path: string, content: Uint8Array): Promise<void>
  /** Replaces `to` atomically; durable. */
  rename(from: string, to: string): Promise<void>
  /** A file or a symlink; durable. Nothing there is fine. */
  remove(path: string): Promise<void>
  /** Only an empty directory. Answers false when it is not empty or not there. */
  removeDirectory(path: string): Promise<boolean>
  /** A directory with everything below it, following no symlink. Nothing there is fine. */
  removeTree(path: string): Promise<void>
  setAttributes(path: string, attributes: FileAttributes): Promise<void>
  /**
   * What `work` does with the files it is given is durable when this resolves, all of it, and not before: one flush in
   * place of many. Directories are looked up once: it fails with ESTALE when somebody else moved one in which `work` changed
   * something, and what it reads is what was there when it first looked. When `work` fails nothing is flushed.
   */
  together<T>(work: (files: HostFiles) => Promise<T>): Promise<T>
  /** Calls back with the directory in which something changed. Directories that do not exist are left out. */
  watch(directories: readonly string[], onChange: (directory: string) => void): Promise<FileWatch>
}

export interface FileWatch {
  /** The directories that are really watched. */
  readonly directories: readonly string[]
  close(): void
}

/** The words of `systemctl is-enabled` that matter here. */
export type UnitFileState =
  | 'enabled'
  | 'enabled-runtime'
  | 'disabled'
  | 'static'
  | 'masked'
  | 'masked-runtime'
  | 'not-found'

export interface ServiceManager {
  unitFileState(unit: string): Promise<UnitFileState>
  /** What a preset file says in so many words; `none` when no rule names the unit. */
  presetRule(unit: string): Promise<'enable' | 'disable' | 'none'>
  enable(units: readonly string[]): Promise<void>
  disable(units: readonly string[]): Promise<void>
  daemonReload(): Promise<void>
  reload(service: string, options?: ServiceActionOptions): Promise<void>
  restart(service: string, options?: ServiceActionOptions): Promise<void>
}

export interface ServiceActionOptions {
  /**
   * The change that asks for this may have taken the unit away, or masked it: then what still runs of it is ended, and
   * nothing to end is fine. Or it has just brought the unit, and what was never started has nothing to reload. Otherwise
   * a unit that is not there is an error, its name is wrong; so is a reload of one that does not run.
   */
  readonly mayBeGone?: boolean
}

export interface UserAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

export interface Accounts {
  user(name: string): Promise<UserAccount | undefined>
  /** The group's id, undefined when there is no such group. */
  group(name: string): Promise<number | undefined>
  /** The second field of the shadow entry; undefined when the user has none. */
  passwordHash(user: string): Promise<string | undefined>
  setPasswordHash(user: string, hash: string): Promise<void>
}

/** Who brought a file: the distribution (kept and put back later) or someone else. `unknown` without a package database. */
export interface VendorFiles {
  ownership(path: string): Promise<'vendor' | 'not-vendor' | 'unknown'>
}

export interface KernelArguments {
  /** What the next boot will use, as single arguments. */
  pending(): Promise<readonly string[]>
  /** What the running kernel was started with. */
  booted(): Promise<readonly string[]>
  setPending(kernelArguments: readonly string[]): Promise<void>
  /** Why these cannot be set on this host, known without touching it; absent where everything can. */
  readonly refusal?: (kernelArguments: readonly string[]) => string | undefined
}

export interface OsImage {
  booted(): Promise<string>
  pending(): Promise<string>
  /** Takes effect with the next boot. */
  setPending(image: string): Promise<void>
}

export interface KernelType {
  pending(): Promise<string>
  setPending(kernelType: string): Promise<void>
}

export interface Packages {
  /** Names of extensions, not of packages: the mapping is the host's. */
  pending(): Promise<readonly string[]>
  setPending(extensions: readonly string[]): Promise<void>
  /** Names of packages on the running system that somebody added by hand: neither the image's nor an extension's. */
  foreign(): Promise<readonly string[]>
}

export interface TrustStore {
  update(): Promise<void>
}

export interface Power {
  /** A different value after each boot. */
  bootId(): Promise<string>
  /** Asks for a reboot and returns when it is under way; the process is expected to be ended by it. */
  reboot(why: string): Promise<void>
  /** Holds off reboots and shutdowns that others ask for, until released; where nobody keeps such locks, nothing. */
  holdOff(why: string): Promise<RebootHold>
}

interface RebootHold {
  release(): Promise<void>
}

export interface OsIdentity {
  readonly id: string
  readonly variantId: string
  readonly versionId: string
  /** The systems that this one descends from, the nearest first. */
  readonly like: readonly string[]
  /** Updated by whole images (ostree, bootc) rather than by packages. */
  readonly imageBased: boolean
}

/** Why an operation on the host failed; `code` is the system's word (`ENOENT`, `ELOOP`) or one of ours. */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: string
  readonly path: string
  constructor(code: string, path: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.path = path
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof HostError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
