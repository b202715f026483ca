import type { Exec } from './exec.ts'
import { HostError, type HostFiles, type VendorFiles } from './host.ts'

export interface DpkgFilesOptions {
  readonly nowMs?: () => number
}

/**
 * Files of Debian packages. Below /etc a file that no package lists may still be the distribution's (maintainer scripts
 * write /etc/ssh/sshd_config, /etc/default/grub and many more), so there the answer is `unknown` and what was found is kept.
 */
export function dpkgFiles(
  exec: Exec,
  files: HostFiles,
  { nowMs = () => performance.now() }: DpkgFilesOptions = {},
): VendorFiles {
  const listings = new Map<string, { readonly at: number; readonly paths: Promise<ReadonlySet<string>> }>()
  const listingOf = (root: string): Promise<ReadonlySet<string>> => {
    const known = listings.get(root)
    if (known && nowMs() - known.at < listingLifeMs) return known.paths
    const paths = search(exec, [`${root}/*`])
    listings.set(root, { at: nowMs(), paths })
    return paths
  }
  return {
    async ownership(path) {
      const root = listedRoots.find((candidate) => path.startsWith(`${candidate}/`))
      const names = await namesOf(files, path)
      const owned = root === undefined ? await search(exec, names.map(escapePattern)) : await listingOf(root)
      if (names.some((name) => owned.has(name))) return 'vendor'
      return root === '/etc' ? 'unknown' : 'not-vendor'
    },
  }
}

/** A query costs as much as a listing of such a small part: an update of a thousand files would ask a thousand times. */
const listedRoots = ['/etc', '/opt', '/srv', '/root', '/home', '/usr/local']
/** As long as one update reads its host; a package may be installed before the next. */
const listingLifeMs = 2_000

async function search(exec: Exec, patterns: readonly string[]): Promise<ReadonlySet<string>> {
  const { code, stdout, stderr } = await exec.run({ program: 'dpkg-query', args: ['--search', ...patterns] })
  if (code > 1) throw new HostError('EDPKG', patterns.join(' '), `dpkg-query --search failed: ${stderr.trim()}`)
  const paths = stdout.split('\n').map((line) => ownedLine.exec(line)?.[1])
  return new Set(paths.filter((path) => path !== undefined))
}

/** `package[, package]: path`; lines about diversions name no owner. */
const ownedLine = /^(?!diversion by )[a-z0-9][^ ]*(?:, [^ ]+)*: (\/.*)$/

/** dpkg lists a file under the name of its package: where /lib is a link to /usr/lib, either may be the listed one. */
async function namesOf(files: HostFiles, path: string): Promise<readonly string[]> {
  const [, usr, top, rest] = /^(\/usr)?\/(bin|sbin|lib|lib32|lib64|libx32)(\/.*)$/.exec(path) ?? []
  if (top === undefined || rest === undefined) return [path]
  if ((await files.status(`/${top}`))?.kind !== 'symlink') return [path]
  return usr ? [path, `/${top}${rest}`] : [path, `/usr/${top}${rest}`]
}

const escapePattern = (path: string): string => path.replace(/[*?[\]\\]/g, '\\$&')
