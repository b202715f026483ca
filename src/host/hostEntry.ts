import { existsSync, statSync } from 'node:fs'
import type { HostEntry } from './hostExec.ts'

/**
 * How commands get to the host whose root is mounted at `root`. A process that sees the host's init enters its
 * namespaces, so that mounts and network are the host's too; otherwise only the root is exchanged.
 */
export function findHostEntry(root: string): HostEntry {
  if (root === '/') return { kind: 'none' }
  return seesHostInit(root) && hasNsenter() ? { kind: 'nsenter', pid: 1 } : { kind: 'chroot', root }
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

const hasNsenter = (): boolean => ['/usr/bin/nsenter', '/bin/nsenter'].some((path) => existsSync(path))
