import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

export interface OwnFilesystem {
  readonly path: string
  /** For people: what was measured on. */
  readonly description: string
  dispose(): void
}

const tmpfsMagic = 0x01021994

/**
 * An ext4 of its own in a file on the disk, where root may mount one: on a shared one files are slow to make as long as many
 * were deleted in the last minutes, whoever deleted them. Elsewhere a directory on the shared one.
 */
export function openOwnFilesystem(): OwnFilesystem {
  const base = mkdtempSync('/var/tmp/mco-bench-')
  const mounted = join(base, 'mounted')
  const image = join(base, 'image')
  mkdirSync(mounted)
  const isMounted =
    process.getuid?.() === 0 &&
    succeeds('truncate', '--size=2G', image) &&
    succeeds('mkfs.ext4', '-q', '-F', image) &&
    succeeds('mount', '-o', 'loop', image, mounted)
  const shared = statfsSync(base).type === tmpfsMagic ? 'memory: nothing reaches a disk' : 'the shared disk'
  return {
    path: mounted,
    description: isMounted ? 'an ext4 of its own' : `a directory on ${shared}`,
    dispose() {
      if (isMounted && !succeeds('umount', mounted)) throw new Error(`cannot unmount ${mounted}`)
      rmSync(base, { recursive: true, force: true })
    },
  }
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
