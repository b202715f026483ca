import { type Exec, runOrFail } from './exec.ts'
import type { HostFiles } from './host.ts'

/**
 * Files that get the label which the host's policy has for their path: a new inode would keep the one of its
 * directory. The daemon's own records need none.
 */
export function selinuxFiles(files: HostFiles, exec: Exec): HostFiles {
  const relabel = async (path: string): Promise<void> => {
    if (ownRecords.test(path)) return
    await runOrFail(exec, { program: 'restorecon', args: ['-F', '--', path] })
  }
  return {
    ...files,
    async createSymlink(path, target) {
      await files.createSymlink(path, target)
      if (!isTemporary.test(path)) await relabel(path)
    },
    async createDirectory(path, attributes) {
      await files.createDirectory(path, attributes)
      await relabel(path)
    },
    async rename(from, to) {
      await files.rename(from, to)
      if (!isTemporary.test(to)) await relabel(to)
    },
    together: (work) => files.together((inner) => work(selinuxFiles(inner, exec))),
  }
}

const ownRecords = /^\/(var\/lib\/mco|run|proc|sys|dev)(\/|$)/
/** Renamed to its own place later, and labelled then. */
const isTemporary = /\/\.mco-[^/]*$|\.mco-new$/
