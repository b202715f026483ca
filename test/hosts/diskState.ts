import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { journalDirectory } from '../../src/daemon/hostPaths.ts'

/** Where configs write on a machine; the daemon's own journal is elsewhere. */
const directories = ['/etc', '/boot', '/home', '/usr/local']

export type DiskState = Readonly<Record<string, string>>

/** Every file, link and directory that a config may touch: kind, mode, owner and content. Seen from outside, `root` is its disk. */
export function readDiskState(root = ''): DiskState {
  return Object.fromEntries(directories.flatMap((directory) => below(root, directory)))
}

function below(root: string, directory: string): [string, string][] {
  return readdirSync(`${root}${directory}`)
    .sort()
    .flatMap((name): [string, string][] => {
      const path = `${directory}/${name}`
      const outside = `${root}${path}`
      const { mode, uid, gid } = lstatSync(outside)
      const attributes = `${(mode & 0o7777).toString(8)} ${uid}:${gid}`
      const kind = mode & 0o170000
      if (kind === 0o040000) return [[path, `directory ${attributes}`], ...below(root, path)]
      if (kind === 0o120000) return [[path, `-> ${readlinkSync(outside)}`]]
      if (kind !== 0o100000) return [[path, attributes]]
      return [[path, `${attributes} ${createHash('sha256').update(readFileSync(outside)).digest('hex')}`]]
    })
}

export const differingPaths = (left: DiskState, right: DiskState): readonly string[] =>
  [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((path) => left[path] !== right[path]).sort()

/** What only an unfinished update may leave. */
export const leftoversOf = (state: DiskState, root = ''): readonly string[] => [
  ...Object.keys(state).filter((path) => /\/\.mco-[^/]*$|\.mco-new$/.test(path)),
  ...['current', 'ended'].map((name) => `${journalDirectory}/${name}`).filter((path) => existsSync(`${root}${path}`)),
]
