import { existsSync, statSync } from 'node:fs'
import { HostError } from './host.ts'
import type { HostEntry } from './hostExec.ts'

/**
 * How commands get to the host whose root is mounted at `root`. A process that sees the host's init enters its
 * namespaces, so that mounts and network are the host's too; otherwise only the root is exchanged. Throws where the own
 * root has no program for either.
 */
export function findHostEntry(root: string, has: (program: string) => boolean = isProgramHere): HostEntry {
  if (root === '/') return { kind: 'none' }
  if (seesHostInit(root) && has('nsenter')) return { kind: 'nsenter', pid: 1 }
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
    existsSync(`${directory}/${program}`),
  )
