import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { HostError } from './host.ts'
import { describeSystemError } from './systemErrors.ts'

/**
 * Root-confined path resolution. A path is walked component by component, each directory opened relative to the open
 * handle of its parent without following links; links are read and resolved by us, absolute ones and `..` against the
 * root. What was opened stays pinned: exchanging a directory for a symlink between check and use changes nothing.
 */
export interface RootDirectory {
  readonly path: string
  readonly fd: number
  /** As the kernel names the open root; undefined where it cannot be asked. */
  readonly kernelPath: string | undefined
}

/** A place in the tree: the pinned directory and the name in it. `access` is usable with every path-based system call. */
export interface Place {
  readonly access: string
  readonly directoryFd: number
  readonly name: string
  /** The place's path below the root with all links among its directories resolved. */
  readonly resolved: string
}

/** More links than this in one path is a loop (the kernel's own limit). */
const maxLinks = 40
const oPath = process.platform === 'linux' ? 0o10000000 : 0
const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | oPath
/**
 * Where the kernel shows our open handles; undefined where it does not. By the number that this /proc counts us under: `self`
 * is a link, and would be followed in every call.
 */
export const handlesDirectory = existsSync('/proc/self/fd') ? `/proc/${readlinkSync('/proc/self')}/fd` : undefined

export function openRoot(path: string): RootDirectory {
  if (!isAbsolute(path)) throw new HostError('EINVAL', path, `the host root "${path}" must be an absolute path`)
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | oPath)
  return { path, fd, kernelPath: handlesDirectory && readlinkSync(`${handlesDirectory}/${fd}`) }
}

export function closeRoot(root: RootDirectory): void {
  closeSync(root.fd)
}

/**
 * Directories that stay open while many paths in them are used, looked up once. What is done through them stays inside the
 * root whatever becomes of them; `movedDirectory` tells whether it also went where the paths said.
 */
export interface PinnedDirectories {
  readonly byPath: Map<string, number>
  /** Not used any more, but closed at the end only: an operation may still hold them. */
  readonly released: Set<number>
}

/** Bounds how many handles these hold; further directories are opened each time. */
const maxPinned = 64

export const pinnedDirectories = (): PinnedDirectories => ({ byPath: new Map(), released: new Set() })

/** Before a path that may be a directory goes elsewhere. */
export function releasePinned({ byPath, released }: PinnedDirectories, path: string): void {
  for (const [directory, fd] of byPath) {
    if (directory !== path && !directory.startsWith(`${path}/`)) continue
    byPath.delete(directory)
    released.add(fd)
  }
}

/** One that is no longer where it was when it was pinned. */
export function movedDirectory(root: RootDirectory, { byPath }: PinnedDirectories): string | undefined {
  for (const [directory, fd] of byPath) if (!isInPlace(root, fd, directory)) return directory
  return undefined
}

export function unpin({ byPath, released }: PinnedDirectories): void {
  for (const fd of [...byPath.values(), ...released]) closeSync(fd)
  byPath.clear()
  released.clear()
}

/**
 * Runs `use` with the place of `path`, its directory pinned for that long, or as long as `pinned` is. The last component is
 * not followed.
 */
export function withPlace<T>(
  root: RootDirectory,
  path: string,
  use: (place: Place) => T,
  pinned?: PinnedDirectories,
): T {
  const straight = openStraight(root, path, pinned)
  if (straight) {
    try {
      return use(straight)
    } finally {
      if (straight.isOwn) closeSync(straight.directoryFd)
    }
  }
  const walk = openWalk(root, path)
  try {
    const name = walkToParent(walk, path)
    const directory = top(walk)
    const resolved = `/${[...walk.stack.slice(1).map((level) => level.name), name].filter((part) => part !== '').join('/')}`
    return use({ access: accessPath(directory, name), directoryFd: directory.fd, name, resolved })
  } finally {
    for (const level of walk.stack) if (level.fd !== root.fd) closeSync(level.fd)
  }
}

/**
 * The usual case in two system calls: opens the directory in one go, and asks the kernel where that led. Only when it
 * is the very path that was asked for, below this root, was no link followed. Anything else is for the careful walk.
 */
function openStraight(root: RootDirectory, path: string, pinned?: PinnedDirectories): StraightPlace | undefined {
  const slash = path.lastIndexOf('/')
  const directory = path.slice(0, slash)
  const name = path.slice(slash + 1)
  const placeIn = (fd: number, isOwn: boolean): StraightPlace => ({
    access: `${handlesDirectory}/${fd}/${name}`,
    directoryFd: fd,
    name,
    resolved: path,
    isOwn,
  })
  const known = pinned?.byPath.get(directory)
  if (known !== undefined && isPlainName(name)) return placeIn(known, false)
  if (root.kernelPath === undefined || !isPlain.test(path)) return undefined
  if (directory === '') return placeIn(root.fd, false)
  const fd = openOrNothing(`${handlesDirectory}/${root.fd}${directory}`)
  if (fd === undefined) return undefined
  if (!isInPlace(root, fd, directory)) {
    closeSync(fd)
    return undefined
  }
  const hasRoom = pinned !== undefined && pinned.byPath.size + pinned.released.size < maxPinned
  if (hasRoom) pinned.byPath.set(directory, fd)
  return placeIn(fd, !hasRoom)
}

function isInPlace({ kernelPath }: RootDirectory, fd: number, directory: string): boolean {
  return readlinkSync(`${handlesDirectory}/${fd}`) === (kernelPath === '/' ? '' : kernelPath) + directory
}

interface StraightPlace extends Place {
  /** To be closed after use. */
  readonly isOwn: boolean
}

/** The last part of a path whose other parts were plain. */
const isPlainName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !name.includes('\0')

/** Absolute, no empty part, no `.` and no `..`. */
const isPlain = /^(\/(?!\.{0,2}(\/|$))[^/\0]+)+$/

function openOrNothing(access: string): number | undefined {
  try {
    return openSync(access, constants.O_RDONLY | constants.O_DIRECTORY | oPath)
  } catch (error) {
    // Missing, a link that means something else inside the root, no directory: the walk finds out and says so.
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

interface Level {
  readonly fd: number
  readonly name: string
  /** Only used where the kernel does not show our handles. */
  readonly realPath: string
}

interface Walk {
  readonly root: Level
  readonly stack: Level[]
  readonly pending: string[]
  links: number
}

function openWalk(root: RootDirectory, path: string): Walk {
  if (!path.startsWith('/')) throw new HostError('EINVAL', path, `"${path}" is not an absolute path`)
  if (path.includes('\0')) throw new HostError('EINVAL', path, 'a path cannot hold a NUL character')
  const base: Level = { fd: root.fd, name: '', realPath: root.path }
  return { root: base, stack: [base], pending: parts(path), links: 0 }
}

/** Leaves the parent directory on top of the stack and answers the last component (empty: the root itself). */
function walkToParent(walk: Walk, path: string): string {
  for (;;) {
    const part = walk.pending.shift()
    if (part === undefined) return ''
    if (part === '..') {
      popLevel(walk)
      continue
    }
    if (walk.pending.length === 0) return part
    enter(walk, part, path)
  }
}

function enter(walk: Walk, part: string, path: string): void {
  const parent = top(walk)
  const access = accessPath(parent, part)
  try {
    const fd = openSync(access, directoryFlags)
    if (!fstatSync(fd).isDirectory()) {
      closeSync(fd)
      throw new HostError('ENOTDIR', path, `"${part}" in "${path}" is not a directory`)
    }
    walk.stack.push({ fd, name: part, realPath: `${parent.realPath}/${part}` })
  } catch (error) {
    if (!isCode(error, 'ELOOP', 'ENOTDIR', 'EMLINK')) throw asHostError(error, path)
    followLink(walk, access, part, path)
  }
}

function followLink(walk: Walk, access: string, part: string, path: string): void {
  if (!isLink(access, path)) throw new HostError('ENOTDIR', path, `"${part}" in "${path}" is not a directory`)
  walk.links += 1
  if (walk.links > maxLinks)
    throw new HostError('ELOOP', path, `"${path}" leads through more than ${maxLinks} symlinks`)
  const target = readLinkOf(access, path)
  if (target.startsWith('/')) while (walk.stack.length > 1) popLevel(walk)
  walk.pending.unshift(...parts(target))
}

function popLevel(walk: Walk): void {
  // `..` of the root is the root, as inside a chroot.
  if (walk.stack.length === 1) return
  const level = walk.stack.pop()
  if (level) closeSync(level.fd)
}

function isLink(access: string, path: string): boolean {
  try {
    return lstatSync(access).isSymbolicLink()
  } catch (error) {
    throw asHostError(error, path)
  }
}

function readLinkOf(access: string, path: string): string {
  try {
    return readlinkSync(access)
  } catch (error) {
    throw asHostError(error, path)
  }
}

const top = (walk: Walk): Level => walk.stack[walk.stack.length - 1] ?? walk.root
const parts = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

// Such a path starts at the pinned handle: this is openat(2) for a runtime that does not offer it.
const accessPath = (directory: Level, name: string): string =>
  handlesDirectory ? `${handlesDirectory}/${directory.fd}/${name}` : `${directory.realPath}/${name}`

const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** A system error as ours, with the host's path in place of the way we reached it; anything else stays what it is. */
export function asHostError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const code = 'code' in error ? String(error.code) : 'EIO'
  return new HostError(code, path, `${String(error.syscall)} ${path}: ${describeSystemError(code)}`, { cause: error })
}
