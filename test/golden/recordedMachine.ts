import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unitPath } from '../../src/daemon/hostPaths.ts'
import { directoryHost } from '../../src/host/directoryHost.ts'
import { type Host, HostError, type HostFiles, type ServiceManager, type UnitFileState } from '../../src/host/host.ts'
import { makeDirectories } from '../../src/host/makeDirectories.ts'

/** A path as the recordings describe a disk. */
export interface DiskEntry {
  readonly path: string
  readonly content?: string
  readonly mode?: number
  readonly symlink?: string
  readonly dir?: boolean
  readonly uid?: number
  readonly gid?: number
}

export interface MachineInput {
  readonly disk: readonly DiskEntry[]
  readonly enabled: readonly string[]
  readonly systemUnits?: readonly string[]
  readonly unknownUnits?: readonly string[]
  readonly rpmOwned?: readonly string[]
  readonly hasCore?: boolean
  readonly passwordHashes?: Readonly<Record<string, string>>
}

export interface RecordedMachine {
  readonly host: Host
  readonly root: string
  readonly enabled: ReadonlySet<string>
  close(): void
}

/** The machine of a recording as a directory: users root and core, a package database, a systemd that knows its units. */
export async function recordedMachine(input: MachineInput): Promise<RecordedMachine> {
  const root = mkdtempSync(join(tmpdir(), 'mco-golden-'))
  const { hasCore = true, passwordHashes = { core: '*' } } = input
  const core = hasCore ? 'core:x:1000:1000::/home/core:/bin/bash\n' : ''
  const shadow = Object.entries(passwordHashes).map(([user, hash]) => `${user}:${hash}:1::::::\n`)
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/bash\n${core}`)
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nwheel:x:10:\ncore:x:1000:\n')
  writeFileSync(join(root, 'etc/shadow'), shadow.join(''))
  // Owners are written down, so that the recordings run as any user.
  const base = directoryHost(root, { durable: false, mayChown: false })
  const files: HostFiles = { ...base.files, read: (path) => readAsRoot(base.files, root, path) }
  await makeDirectories(files, '/home/core', { mode: 0o755, uid: 1000, gid: 1000 })
  for (const directory of ['/opt', '/srv', '/var', '/usr/local'])
    await makeDirectories(files, directory, { mode: 0o755, uid: 0, gid: 0 })
  for (const entry of input.disk) await place(files, entry)
  const enabled = new Set(input.enabled)
  return {
    root,
    enabled,
    host: {
      ...base,
      files,
      services: recordedServices(files, enabled, input),
      vendorFiles: { ownership: async (path) => (input.rpmOwned?.includes(path) ? 'vendor' : 'not-vendor') },
    },
    close() {
      base.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** The directories above belong to the owner of what they are made for. */
async function place(files: HostFiles, entry: DiskEntry): Promise<void> {
  const { path, content = '', mode = 0o644, symlink, dir, uid = 0, gid = 0 } = entry
  await makeDirectories(files, dirname(path), { mode: 0o755, uid, gid })
  if (dir) await files.createDirectory(path, { mode, uid, gid })
  else if (symlink !== undefined) await files.createSymlink(path, symlink)
  else await files.create(path, Buffer.from(content), { mode, uid, gid })
}

/** A daemon may read what nobody may read; a person who runs this may not. */
async function readAsRoot(files: HostFiles, root: string, path: string): Promise<Buffer> {
  const mode = (await files.status(path))?.kind === 'file' ? statSync(join(root, path)).mode : 0o400
  if ((mode & 0o400) !== 0) return files.read(path)
  chmodSync(join(root, path), mode | 0o400)
  try {
    return await files.read(path)
  } finally {
    chmodSync(join(root, path), mode)
  }
}

/** `is-enabled` answers from a list; on the recorded systems a preset disables what it does not name. */
function recordedServices(files: HostFiles, enabled: Set<string>, input: MachineInput): ServiceManager {
  const { systemUnits = [], unknownUnits = [], enabled: known } = input
  const refuseUnknown = (verb: string, units: readonly string[]): void => {
    const ghost = units.find((unit) => unknownUnits.includes(unit))
    if (ghost !== undefined)
      throw new HostError('ENOUNIT', ghost, `Failed to ${verb} unit: Unit file ${ghost} does not exist.`)
  }
  return {
    async unitFileState(unit): Promise<UnitFileState> {
      if (enabled.has(unit)) return 'enabled'
      const present = await files.status(unitPath(unit))
      if (present?.kind === 'symlink' && (await files.readLink(unitPath(unit))) === '/dev/null') return 'masked'
      return present || systemUnits.includes(unit) || known.includes(unit) ? 'disabled' : 'not-found'
    },
    presetRule: async () => 'disable',
    async enable(units) {
      refuseUnknown('enable', units)
      for (const unit of units) enabled.add(unit)
    },
    async disable(units) {
      refuseUnknown('disable', units)
      for (const unit of units) enabled.delete(unit)
    },
    daemonReload: () => Promise.resolve(),
    reload: () => Promise.resolve(),
    restart: () => Promise.resolve(),
  }
}
