import { type DirectoryHost, directoryHost } from './directoryHost.ts'
import { findProgram } from './findProgram.ts'
import { HostError, type HostFiles, unsupported } from './host.ts'
import { resolveLink } from './resolveLink.ts'
import { configuredKeyFile } from './sshKeyFile.ts'

export interface OfflineHostOptions {
  /** For whom only a running system will do (the node daemon): one that is installed and does not run is refused. */
  readonly mustRun?: boolean
}

/**
 * A directory without a running systemd as a host: a plain directory, or the root of an installed system (an image that is
 * being built, a mounted disk). Nothing is played for an installed system: what only its running self can do is refused,
 * and one that does not use systemd is refused as a whole, here, before anything is touched.
 */
export async function offlineHost(path: string, { mustRun = false }: OfflineHostOptions = {}): Promise<DirectoryHost> {
  const host = directoryHost(path)
  try {
    if (!(await holdsSystem(host.files))) return host
    const { id } = await host.identity()
    const isSystemd = await usesSystemd(host.files)
    const refused = isSystemd ? (mustRun ? notRunning(path, id) : undefined) : notSystemd(path, id)
    if (refused !== undefined) throw new HostError('ENOSYSTEMD', path, refused)
    return {
      ...host,
      description: `${path}, which does not run`,
      authorizedKeysFile: await configuredKeyFile(host.files),
      kernelArguments: unsupported(
        'the boot loader of a system is written by its own tools, and this one does not run',
      ),
    }
  } catch (error) {
    host.close()
    throw error
  }
}

/** With an init it could boot; a plain directory could not. */
const holdsSystem = async (files: HostFiles): Promise<boolean> =>
  (await usesSystemd(files)) || (await findProgram(files, 'init')) !== undefined

async function usesSystemd(files: HostFiles): Promise<boolean> {
  for (const path of ['/usr/lib/systemd/systemd', '/lib/systemd/systemd'])
    if ((await resolveLink(files, path))?.status.kind === 'file') return true
  return false
}

const notSystemd = (path: string, id: string): string =>
  `the system in ${path} (${id}) does not use systemd, and only systems that do are supported; nothing was touched`

const notRunning = (path: string, id: string): string =>
  `no systemd runs in ${path}, where ${id} is installed: /run/systemd/system is missing there; mount the whole root of the machine, with what is mounted below it`
