import type { Exec } from './exec.ts'
import { HostError, type VendorFiles } from './host.ts'

/** Files of RPM packages; the `/usr/etc` copy of an ostree system is looked at by the planner. */
export function rpmFiles(exec: Exec): VendorFiles {
  return {
    async ownership(path) {
      const { code, stdout, stderr } = await exec.run({ program: 'rpm', args: ['-qf', '--', path] })
      if (code === 0) return 'vendor'
      const said = `${stdout}\n${stderr}`
      if (/is not owned by any package|No such file or directory/.test(said)) return 'not-vendor'
      throw new HostError('ERPM', path, `rpm -qf ${path} failed: ${said.trim()}`)
    },
  }
}
