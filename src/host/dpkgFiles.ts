import type { Exec } from './exec.ts'
import { HostError, type HostFiles, type VendorFiles } from './host.ts'

/**
 * Files of Debian packages. Below /etc a file that no package lists may still be the distribution's (maintainer scripts
 * write /etc/ssh/sshd_config, /etc/default/grub and many more), so there the answer is `unknown` and what was found is kept.
 */
export function dpkgFiles(exec: Exec, files: HostFiles): VendorFiles {
  return {
    async ownership(path) {
      const patterns = (await namesOf(files, path)).map(escapePattern)
      const { code, stdout, stderr } = await exec.run({ program: 'dpkg-query', args: ['--search', ...patterns] })
      if (code > 1) throw new HostError('EDPKG', path, `dpkg-query --search ${path} failed: ${stderr.trim()}`)
      if (ownedLine.test(stdout)) return 'vendor'
      return path.startsWith('/etc/') ? 'unknown' : 'not-vendor'
    },
  }
}

/** `package[, package]: path`; lines about diversions name no owner. */
const ownedLine = /^(?!diversion by )[a-z0-9][^:\n]*(:[a-z0-9]+)?(, [^\n]*)?: \//m

/** dpkg lists a file under the name of its package: where /lib is a link to /usr/lib, either may be the listed one. */
async function namesOf(files: HostFiles, path: string): Promise<readonly string[]> {
  const [, usr, top, rest] = /^(\/usr)?\/(bin|sbin|lib|lib32|lib64|libx32)(\/.*)$/.exec(path) ?? []
  if (top === undefined || rest === undefined) return [path]
  if ((await files.status(`/${top}`))?.kind !== 'symlink') return [path]
  return usr ? [path, `/${top}${rest}`] : [path, `/usr/${top}${rest}`]
}

const escapePattern = (path: string): string => path.replace(/[*?[\]\\]/g, '\\$&')
