import { spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, fsync as fsyncCallback, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { isMissing } from './host.ts'
import { asHostError, handlesDirectory, type Place, type RootDirectory, withPlace } from './rootPath.ts'

const fsync = promisify(fsyncCallback)

/** From here on flushing whole filesystems is cheaper than starting one more fsync. */
const manyPaths = 32

/** Makes files and the entries of directories durable, all of them together; what is not there any more is left out. */
export async function flush(
  root: RootDirectory,
  files: ReadonlySet<string>,
  directories: ReadonlySet<string>,
): Promise<void> {
  if (files.size + directories.size >= manyPaths && (await flushFilesystems(root, directories))) return
  await fsyncEach([
    ...[...files].map((path) => ({ path, open: () => openFile(root, path) })),
    ...[...directories].map((path) => ({ path, open: () => openDirectory(root, path) })),
  ])
}

/** Answers false where it cannot be done, or failed: fsync of each path then tells which one and why. */
async function flushFilesystems(root: RootDirectory, directories: ReadonlySet<string>): Promise<boolean> {
  const byDevice = new Map<number, number>()
  try {
    for (const directory of directories) {
      const fd = openDirectory(root, directory)
      if (fd === undefined) continue
      const { dev } = fstatSync(fd)
      if (byDevice.has(dev)) closeSync(fd)
      else byDevice.set(dev, fd)
    }
    // What is to be flushed is named by an open handle: the root stays the limit of what is reached.
    const places = [...byDevice.values()].map((fd) => `${handlesDirectory}/${fd}`)
    return await succeeds('sync', ['-f', '--', ...places])
  } finally {
    for (const fd of byDevice.values()) closeSync(fd)
  }
}

interface Flushed {
  readonly path: string
  readonly open: () => number | undefined
}

/** Side by side: a filesystem makes what waits together durable together. */
async function fsyncEach(all: readonly Flushed[]): Promise<void> {
  // In portions: each holds an open file.
  for (let from = 0; from < all.length; from += manyPaths)
    await Promise.all(all.slice(from, from + manyPaths).map(fsyncPath))
}

async function fsyncPath({ path, open }: Flushed): Promise<void> {
  const fd = open()
  if (fd === undefined) return
  try {
    await fsync(fd)
  } catch (error) {
    throw asHostError(error, path)
  } finally {
    closeSync(fd)
  }
}

const openFile = (root: RootDirectory, path: string): number | undefined =>
  openPlace(root, path, ({ access }) => openSync(access, constants.O_RDONLY | constants.O_NOFOLLOW))

/** Also where a link leads to it inside the root, as from `/home` to `/var/home`: the parent of whatever is in it. */
const openDirectory = (root: RootDirectory, path: string): number | undefined =>
  openPlace(root, `${path === '/' ? '' : path}/entry`, ({ access }) =>
    openSync(access.slice(0, access.lastIndexOf('/') + 1), constants.O_RDONLY | constants.O_DIRECTORY),
  )

function openPlace(root: RootDirectory, path: string, open: (place: Place) => number): number | undefined {
  try {
    return withPlace(root, path, (place) => {
      try {
        return open(place)
      } catch (error) {
        throw asHostError(error, path)
      }
    })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}
