import { accessSync, constants, statSync } from 'node:fs'
import { HostError } from './host.ts'
import type { HostEntry } from './hostExec.ts'

/**
 * How commands get to the host whose root is mounted at `root`: into the namespaces of its init, so that mounts and network
 * are the host's too, or where there is no program for that into its root. Its systemd answers processes that its init can
 * see only, so a process namespace of one's own is refused.
 */
export function findHostEntry(root: string, sees = seesHostInit(root), has = isProgramHere): HostEntry {
  if (root === '/') return { kind: 'none' }
  if (!sees)
    throw new HostError(
      'ENOENTRY',
      root,
      `no command can be run on the host at ${root}: its init is not process 1 here; run this container with the host's processes (hostPID) and privileged`,
    )
  if (has('nsenter')) return { kind: 'nsenter', pid: 1 }
  if (has('chroot')) return { kind: 'chroot', root }
  throw new HostError(
    'ENOENTRY',
    root,
    `no command can be run on the host at ${root}: this container has neither nsenter (util-linux) nor chroot (coreutils); use an image with one of them`,
  )
}

function seesHostInit(root: string): boolean {
  try {
    const ours = statSync(root)
    const init = statSync('/proc/1/root')
    return ours.dev === init.dev && ours.ino === init.ino && !isOwnRoot(init)
  } catch (error) {
    // Without the right to look at another process's root there is none to enter its namespaces either.
    if (error instanceof Error && 'syscall' in error) return false
    throw error
  }
}

/** Init of the own container: entering it leads nowhere. */
function isOwnRoot(init: { readonly dev: number; readonly ino: number }): boolean {
  const own = statSync('/')
  return own.dev === init.dev && own.ino === init.ino
}

/** Where the search of a started program looks (hostExec.ts). */
const isProgramHere = (program: string): boolean =>
  ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((directory) =>
    isExecutable(`${directory}/${program}`),
  )

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false
    throw error
  }
}
