import type { HostFiles } from './host.ts'
import { resolveLink } from './resolveLink.ts'

const programDirectories = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Where the host has a program; what this process's own PATH says is of no interest. */
export async function findProgram(files: HostFiles, name: string): Promise<string | undefined> {
  for (const directory of programDirectories) {
    const path = `${directory}/${name}`
    const found = await resolveLink(files, path)
    if (found?.status.kind === 'file' && (found.status.mode & 0o111) !== 0) return path
  }
  return undefined
}
