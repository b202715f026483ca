import type { FileStatus, HostFiles } from './host.ts'

export interface Resolved {
  readonly path: string
  readonly status: FileStatus
}

/** Follows the last component too, inside the root; undefined when that leads to nothing. */
export async function resolveLink(files: HostFiles, path: string): Promise<Resolved | undefined> {
  let current = path
  for (let hops = 0; hops < 8; hops++) {
    const status = await files.status(current)
    if (!status) return undefined
    if (status.kind !== 'symlink') return { path: current, status }
    const target = await files.readLink(current)
    current = target.startsWith('/') ? target : `${current.slice(0, current.lastIndexOf('/'))}/${target}`
  }
  return undefined
}
