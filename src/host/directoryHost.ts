import { randomUUID } from 'node:crypto'
import { closeSync, constants, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { directoryAccounts } from './directoryAccounts.ts'
import { directoryServices, type ServiceFault } from './directoryServices.ts'
import {
  type Capability,
  type Host,
  type HostFiles,
  isMissing,
  type KernelArguments,
  type OsImage,
  type Power,
  supported,
  unsupported,
  type VendorFiles,
} from './host.ts'
import { makeDirectories } from './makeDirectories.ts'
import { readOsIdentity } from './osRelease.ts'
import { type OwnerStore, ownerRecord } from './ownerRecord.ts'
import { rootFiles } from './rootFiles.ts'
import { asHostError, closeRoot, openRoot, type RootDirectory, withPlace } from './rootPath.ts'
import { keyDirectoryFile } from './sshKeyFile.ts'

export const pendingKernelArguments = '/boot/mco-kernel-arguments'
export const bootedKernelArguments = '/var/lib/mco/booted-kernel-arguments'
const bootIdFile = '/var/lib/mco/boot-id'
const pendingImage = '/boot/mco-os-image'
const bootedImage = '/var/lib/mco/booted-os-image'
const ownersFile = '/var/lib/mco/owners.json'
// Nothing that a config planted in the place of these files may be followed.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
const rootOwned = { mode: 0o755, uid: 0, gid: 0 }

export interface DirectoryHostOptions {
  /** False leaves out fsync (simulated fleets). */
  readonly durable?: boolean
  /** True when this process may give files away. Otherwise owners are written down in a file of the host. */
  readonly mayChown?: boolean
  /** A recorded stand-in for switching OS images; without it a change of the image is refused. */
  readonly osImage?: boolean
  readonly kernelArguments?: boolean
  readonly vendorFiles?: VendorFiles
  readonly now?: () => Date
  /** What a reboot does to whoever plays the machine; the boot id changes when it resolves. */
  readonly onReboot?: (why: string) => Promise<void>
  readonly checkpoint?: (point: string) => void
  readonly serviceFault?: ServiceFault
}

export interface DirectoryHost extends Host {
  /** What a boot does on a real machine: new boot id, pending kernel arguments and image become the running ones. */
  completeBoot(): Promise<void>
  close(): void
}

/**
 * A machine that is a directory. Files, units, accounts and links are real; what needs a running system (service
 * actions, kernel arguments, the OS image, a boot) is recorded in files of the directory.
 */
export function directoryHost(path: string, options: DirectoryHostOptions = {}): DirectoryHost {
  const { durable = true, mayChown = process.getuid?.() === 0, now = () => new Date() } = options
  mkdirSync(path, { recursive: true })
  const root = openRoot(path)
  const files = rootFiles(root, {
    durable,
    ...(mayChown ? {} : { owners: ownerRecord(ownerStore(root)) }),
    ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
  })
  return {
    description: `directory ${path}`,
    files,
    services: directoryServices(files, now, options.serviceFault),
    accounts: directoryAccounts(files),
    authorizedKeysFile: keyDirectoryFile,
    vendorFiles: options.vendorFiles ?? { ownership: async () => 'unknown' },
    kernelArguments: kernelArguments(files, options.kernelArguments ?? true),
    osImage: osImage(files, options.osImage ?? false),
    kernelType: unsupported('a directory has no kernel to exchange'),
    packages: unsupported('a directory has no package manager'),
    trustStore: unsupported('a directory has no trust store command'),
    power: power(files, options.onReboot),
    identity: () => readOsIdentity(files),
    completeBoot: () => completeBoot(files),
    close: () => closeRoot(root),
  }
}

function kernelArguments(files: HostFiles, enabled: boolean): Capability<KernelArguments> {
  if (!enabled) return unsupported('this host has no boot loader that kernel arguments could be written to')
  return supported({
    pending: async () => splitLines(await readText(files, pendingKernelArguments)),
    booted: async () => splitLines(await readText(files, bootedKernelArguments)),
    setPending: (list) => replaceText(files, pendingKernelArguments, list.map((argument) => `${argument}\n`).join('')),
  })
}

function osImage(files: HostFiles, enabled: boolean): Capability<OsImage> {
  if (!enabled) return unsupported('this host is not updated by images (no ostree, no bootc)')
  const booted = async (): Promise<string> => ((await readText(files, bootedImage)) ?? '').trim()
  return supported({
    booted,
    pending: async () => (await readText(files, pendingImage))?.trim() ?? (await booted()),
    setPending: (image) => replaceText(files, pendingImage, `${image}\n`),
  })
}

function power(files: HostFiles, onReboot?: (why: string) => Promise<void>): Power {
  return {
    async bootId() {
      const known = (await readText(files, bootIdFile))?.trim()
      if (known) return known
      await completeBoot(files)
      return ((await readText(files, bootIdFile)) ?? '').trim()
    },
    async reboot(why) {
      if (onReboot) await onReboot(why)
      else await completeBoot(files)
    },
    holdOff: async () => ({ release: async () => undefined }),
  }
}

async function completeBoot(files: HostFiles): Promise<void> {
  const pending = await readText(files, pendingKernelArguments)
  if (pending !== undefined) await replaceText(files, bootedKernelArguments, pending)
  const image = await readText(files, pendingImage)
  if (image !== undefined) await replaceText(files, bootedImage, image)
  await replaceText(files, bootIdFile, `${randomUUID()}\n`)
}

async function replaceText(files: HostFiles, path: string, text: string): Promise<void> {
  await makeDirectories(files, path.slice(0, path.lastIndexOf('/')), rootOwned)
  await files.remove(`${path}.mco-new`)
  await files.create(`${path}.mco-new`, Buffer.from(text), { mode: 0o644, uid: 0, gid: 0 })
  await files.rename(`${path}.mco-new`, path)
}

async function readText(files: HostFiles, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const splitLines = (text: string | undefined): readonly string[] =>
  (text ?? '').split('\n').filter((line) => line !== '')

/** Synchronous, because an owner is part of the operation that it belongs to. */
function ownerStore(root: RootDirectory): OwnerStore {
  return {
    load() {
      try {
        return withPlace(root, ownersFile, ({ access }) =>
          orHostError(ownersFile, () => withOpenFile(access, readFlags, (fd) => readFileSync(fd, 'utf8'))),
        )
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    save(text) {
      for (const directory of ['/var', '/var/lib', '/var/lib/mco'])
        withPlace(root, directory, ({ access }) => mkdirSync(access, { recursive: true }))
      withPlace(root, `${ownersFile}.mco-new`, ({ access: next }) => {
        withOpenFile(next, writeFlags, (fd) => writeFileSync(fd, text))
        withPlace(root, ownersFile, ({ access }) => renameSync(next, access))
      })
    },
  }
}

function orHostError<T>(path: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw asHostError(error, path)
  }
}

function withOpenFile<T>(access: string, flags: number, use: (fd: number) => T): T {
  const fd = openSync(access, flags, 0o600)
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}
