import type { Exec } from './exec.ts'
import { HostError, type Packages } from './host.ts'
import { deployments, rpmOstree } from './rpmOstree.ts'
import { bootedDeployment, type Deployment } from './rpmOstreeStatus.ts'

/** The packages behind each extension that an enterprise image can be extended with. */
const extensionPackages: Readonly<Record<string, readonly string[]>> = {
  ipsec: ['NetworkManager-libreswan', 'libreswan', 'openvswitch3.5-ipsec'],
  kerberos: ['krb5-workstation', 'libkadm5'],
  'kernel-devel': ['kernel-devel', 'kernel-headers'],
  'sandboxed-containers': ['kata-containers'],
  sysstat: ['sysstat'],
  'two-node-ha': ['pacemaker', 'pcs', 'fence-agents-all'],
  usbguard: ['usbguard'],
}

/** Extensions as layered packages of the next deployment; packages that someone else layered are left alone. */
export function rpmOstreePackages(exec: Exec): Packages {
  return {
    async pending() {
      const [next] = await deployments(exec)
      return next ? extensionsOf(next) : []
    },
    async setPending(extensions) {
      const found = await deployments(exec)
      const next = found[0] ?? bootedDeployment(found)
      const changes = packageChanges(next.requestedPackages, extensions)
      if (changes.length > 0) await rpmOstree(exec, 'update', ...changes)
      const [after] = changes.length > 0 ? await deployments(exec) : [next]
      const missing = packagesOf(extensions).filter((name) => !after?.packages.includes(name))
      if (missing.length > 0)
        throw new HostError(
          'EPACKAGES',
          'rpm-ostree',
          `the next deployment lacks packages of the extensions: ${missing.join(', ')}`,
        )
    },
  }
}

export function packageChanges(requested: readonly string[], extensions: readonly string[]): readonly string[] {
  const wanted = packagesOf(extensions)
  const known = new Set(Object.values(extensionPackages).flat())
  return [
    ...wanted.filter((name) => !requested.includes(name)).flatMap((name) => ['--install', name]),
    ...requested.filter((name) => known.has(name) && !wanted.includes(name)).flatMap((name) => ['--uninstall', name]),
  ]
}

function packagesOf(extensions: readonly string[]): readonly string[] {
  const unknown = extensions.filter((extension) => extensionPackages[extension] === undefined)
  if (unknown.length > 0)
    throw new HostError(
      'EINVAL',
      'extensions',
      `invalid extensions found: [${unknown.join(' ')}]; there are ${Object.keys(extensionPackages).join(', ')}`,
    )
  return [...new Set(extensions.flatMap((extension) => extensionPackages[extension] ?? []))].sort()
}

const extensionsOf = ({ requestedPackages }: Deployment): readonly string[] =>
  Object.keys(extensionPackages).filter((extension) =>
    extensionPackages[extension]?.every((name) => requestedPackages.includes(name)),
  )
