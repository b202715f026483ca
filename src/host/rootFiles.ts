import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync as fsyncCallback,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { appendWhole, readExactly, withOpenDirectory, writeAll } from './descriptors.ts'
import { flush } from './flush.ts'
import type { FileAttributes, FileStatus, HostFiles } from './host.ts'
import { HostError, isMissing } from './host.ts'
import type { Owner, OwnerRecord } from './ownerRecord.ts'
import {
  asHostError,
  movedDirectory,
  type PinnedDirectories,
  type Place,
  pinnedDirectories,
  type RootDirectory,
  releasePinned,
  unpin,
  withPlace,
} from './rootPath.ts'
import { watchDirectories } from './watchDirectories.ts'

// Long: one interface over one pinned root; its operations share how a path is opened.

const fsync = promisify(fsyncCallback)

export interface RootFilesOptions {
  /** False leaves out fsync: for simulated fleets, where a power loss takes the whole fleet away. */
  readonly durable?: boolean
  /** Absent when the process may change owners (root); otherwise owners are written down instead of applied. */
  readonly owners?: OwnerRecord | undefined
  /** Called at every point where a crash would leave a different state behind; tests throw from it. */
  readonly checkpoint?: (point: string) => void
}

/**
 * The files of a host whose root is a directory: `/` itself, a container's `/rootfs`, or a folder on a laptop. Long: the one
 * implementation of the interface, whose operations share a session.
 */
export function rootFiles(root: RootDirectory, options: RootFilesOptions = {}): HostFiles {
  return filesOf(root, options, undefined)
}

/** What is known while many operations follow each other. */
interface Session {
  /** Written, but not durable yet. */
  readonly files: Set<string>
  readonly directories: Set<string>
  readonly pinned: PinnedDirectories
  /** Looked for and not there; forgotten with every change. */
  readonly missing: Set<string>
}

function filesOf(root: RootDirectory, options: RootFilesOptions, session: Session | undefined): HostFiles {
  const { durable = true, owners, checkpoint = noCheckpoint } = options

  const at = <T>(path: string, use: (place: Place) => T): T =>
    withPlace(
      root,
      path,
      (place) => {
        try {
          return use(place)
        } catch (error) {
          throw asHostError(error, path)
        }
      },
      session?.pinned,
    )

  const syncFile = async (fd: number, path: string, mode: number): Promise<void> => {
    if (!durable) return
    // One that its owner may not read could not be opened again.
    if (session && (mode & 0o400) !== 0) session.files.add(path)
    else await fsync(fd)
  }

  const syncParent = async (path: string): Promise<void> => {
    session?.missing.clear()
    if (session) session.directories.add(directoryOf(path))
    if (!durable || session) return
    const fd = at(path, (place) => openSync(parentOf(place), constants.O_RDONLY | constants.O_DIRECTORY))
    try {
      await fsync(fd)
    } finally {
      closeSync(fd)
    }
  }

  const applyAttributes = (place: Place, fd: number, attributes: FileAttributes): void => {
    const { mode, uid, gid } = attributes
    // Asking is cheaper than setting what is so already.
    const now = fstatSync(fd)
    if (owners) owners.set(place.resolved, attributes)
    else if (now.uid !== uid || now.gid !== gid) fchownSync(fd, uid, gid)
    // After chown, which clears setuid and setgid.
    if ((now.mode & 0o7777) !== mode || (mode & 0o6000) !== 0) fchmodSync(fd, mode)
  }

  /** In two halves where somebody wants to die in between. */
  const writeHalves = (fd: number, content: Uint8Array, point: string): void => {
    const half = options.checkpoint ? content.byteLength >> 1 : 0
    if (half > 0) writeAll(fd, content.subarray(0, half))
    checkpoint(point)
    writeAll(fd, content.subarray(half))
  }

  const removeEntry = (path: string): void =>
    at(path, (place) => {
      try {
        unlinkSync(place.access)
      } catch (error) {
        if (!isMissing(asHostError(error, path))) throw error
      }
      owners?.delete(place.resolved)
    })

  const statusOf = async (path: string): Promise<FileStatus | undefined> => {
    if (session?.missing.has(directoryOf(path))) return undefined
    try {
      return at(path, (place) => {
        const stats = lstatSync(place.access, { throwIfNoEntry: false })
        return stats && toStatus(stats, owners?.get(place.resolved), owners !== undefined)
      })
    } catch (error) {
      if (!isMissing(error)) throw error
      // The entry alone would have been no error.
      session?.missing.add(directoryOf(path))
      return undefined
    }
  }

  const release = (path: string): void => {
    if (session) releasePinned(session.pinned, path)
  }

  const removeTree = async (path: string): Promise<void> => {
    const status = await statusOf(path)
    if (!status) return
    if (status.kind !== 'directory') {
      checkpoint(`removeTree entry ${path}`)
      return removeEntry(path)
    }
    for (const name of at(path, (place) => readdirSync(place.access))) await removeTree(`${path}/${name}`)
    release(path)
    at(path, (place) => {
      rmdirSync(place.access)
      owners?.delete(place.resolved)
    })
  }

  const files: HostFiles = {
    status: statusOf,

    async read(path, expectedBytes) {
      const fd = at(path, (place) =>
        openSync(place.access, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
      )
      try {
        return (expectedBytes !== undefined && readExactly(fd, expectedBytes)) || readFileSync(fd)
      } catch (error) {
        throw asHostError(error, path)
      } finally {
        closeSync(fd)
      }
    },

    async readLink(path) {
      return at(path, (place) => readlinkSync(place.access))
    },

    async list(path) {
      return at(path, (place) => {
        if (!lstatSync(place.access).isDirectory()) throw new HostError('ENOTDIR', path, `"${path}" is not a directory`)
        return readdirSync(place.access).sort()
      })
    },

    async create(path, content, attributes) {
      checkpoint(`create before ${path}`)
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
      const fd = at(path, (place) => {
        // Closed to everyone else until the owner is right, unless everyone may read it: the content may be a secret.
        const isPublic = (attributes.mode & 0o044) === 0o044
        const opened = openSync(place.access, flags, isPublic ? attributes.mode & 0o755 : 0o600)
        try {
          applyAttributes(place, opened, attributes)
        } catch (error) {
          closeSync(opened)
          throw error
        }
        return opened
      })
      try {
        writeHalves(fd, content, `create half ${path}`)
        await syncFile(fd, path, attributes.mode)
      } catch (error) {
        throw asHostError(error, path)
      } finally {
        closeSync(fd)
      }
      // Its parent is left to the rename; without one its entry counts.
      if (session) await syncParent(path)
      checkpoint(`create after ${path}`)
    },

    async createSymlink(path, target) {
      checkpoint(`symlink before ${path}`)
      at(path, (place) => symlinkSync(target, place.access))
      await syncParent(path)
      checkpoint(`symlink after ${path}`)
    },

    async createHardLink(path, existing) {
      checkpoint(`hard link before ${path}`)
      at(existing, (source) => at(path, (place) => linkSync(source.access, place.access)))
      await syncParent(path)
      checkpoint(`hard link after ${path}`)
    },

    async createDirectory(path, attributes) {
      checkpoint(`directory before ${path}`)
      at(path, (place) => {
        mkdirSync(place.access, 0o700)
        checkpoint(`directory half ${path}`)
        withOpenDirectory(place, (fd) => applyAttributes(place, fd, attributes))
      })
      await syncParent(path)
      checkpoint(`directory after ${path}`)
    },

    async append(path, content) {
      checkpoint(`append before ${path}`)
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW
      const isNew = (await statusOf(path)) === undefined
      const fd = at(path, (place) => openSync(place.access, flags, 0o600))
      try {
        appendWhole(fd, () => writeHalves(fd, content, `append half ${path}`))
        await syncFile(fd, path, 0o600)
      } catch (error) {
        throw asHostError(error, path)
      } finally {
        closeSync(fd)
      }
      if (isNew) await syncParent(path)
      checkpoint(`append after ${path}`)
    },

    async rename(from, to) {
      checkpoint(`rename before ${to}`)
      release(from)
      release(to)
      const sibling = siblingName(from, to)
      at(to, (target) => {
        const move = (source: Pick<Place, 'access' | 'resolved'>): void => {
          renameSync(source.access, target.access)
          owners?.move(source.resolved, target.resolved)
        }
        if (sibling !== undefined) move(siblingOf(target, sibling))
        else at(from, move)
      })
      checkpoint(`rename half ${to}`)
      if (session?.files.delete(from)) session.files.add(to)
      await syncParent(to)
      if (directoryOf(from) !== directoryOf(to)) await syncParent(from)
      checkpoint(`rename after ${to}`)
    },

    async remove(path) {
      checkpoint(`remove before ${path}`)
      if (!(await statusOf(path))) return
      removeEntry(path)
      await syncParent(path)
      checkpoint(`remove after ${path}`)
    },

    async removeDirectory(path) {
      checkpoint(`remove directory before ${path}`)
      release(path)
      try {
        at(path, (place) => {
          rmdirSync(place.access)
          owners?.delete(place.resolved)
        })
      } catch (error) {
        if (error instanceof HostError && ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(error.code))
          return false
        throw error
      }
      await syncParent(path)
      return true
    },

    removeTree,

    async setAttributes(path, attributes) {
      checkpoint(`attributes before ${path}`)
      at(path, (place) => {
        const fd = openSync(place.access, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
        try {
          applyAttributes(place, fd, attributes)
        } finally {
          closeSync(fd)
        }
      })
    },

    async watch(directories, onChange) {
      return watchDirectories(root, directories, onChange)
    },

    async together(work) {
      if (session) return work(files)
      const opened: Session = {
        files: new Set(),
        directories: new Set(),
        pinned: pinnedDirectories(),
        missing: new Set(),
      }
      try {
        const result = await work(filesOf(root, options, opened))
        if (opened.files.size + opened.directories.size === 0) return result
        const moved = movedDirectory(root, opened.pinned)
        if (moved !== undefined)
          throw new HostError(
            'ESTALE',
            moved,
            `${moved} was moved or replaced while files in it were changed; try again`,
          )
        checkpoint('flush before')
        if (durable) await flush(root, opened.files, opened.directories)
        checkpoint('flush after')
        return result
      } finally {
        unpin(opened.pinned)
      }
    },
  }
  return files
}

const noCheckpoint = (): undefined => undefined

function toStatus(stats: Stats, recorded: Owner | undefined, mapped: boolean): FileStatus {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'directory'
      : stats.isSymbolicLink()
        ? 'symlink'
        : 'other'
  // Without the right to change owners everything belongs to this user, who plays root.
  const uid = mapped ? (recorded?.uid ?? 0) : stats.uid
  const gid = mapped ? (recorded?.gid ?? 0) : stats.gid
  return { kind, mode: stats.mode & 0o7777, uid, gid, sizeBytes: stats.size }
}

/** The last part of `from` where both are in the same directory. */
function siblingName(from: string, to: string): string | undefined {
  const name = from.slice(from.lastIndexOf('/') + 1)
  return directoryOf(from) === directoryOf(to) && !['', '.', '..'].includes(name) ? name : undefined
}

function siblingOf(place: Place, name: string): Pick<Place, 'access' | 'resolved'> {
  return {
    access: parentOf(place) + name,
    resolved: place.resolved.slice(0, place.resolved.lastIndexOf('/') + 1) + name,
  }
}

const parentOf = (place: Place): string => place.access.slice(0, place.access.lastIndexOf('/') + 1)
const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
