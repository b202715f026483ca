import { extensionsCommand } from '../forecast/extensionPackages.ts'
import { allExtensionPackages, extensionNames, packagesOf, unknownExtensions } from '../render/extensions.ts'
import type { Exec } from './exec.ts'
import { HostError, type Packages } from './host.ts'
import { deployments, rpmOstree } from './rpmOstree.ts'
import { kernelTypePackages } from './rpmOstreeKernel.ts'
import { bootedDeployment, type Deployment } from './rpmOstreeStatus.ts'

/** Extensions as layered packages of the next deployment; packages that someone else layered are left alone. */
export function rpmOstreePackages(exec: Exec): Packages {
  return {
    async pending() {
      const [next] = await deployments(exec)
      return next ? extensionsOf(next) : []
    },
    async foreign() {
      const { requestedPackages, localPackages } = bootedDeployment(await deployments(exec))
      const known = new Set([...allExtensionPackages, ...kernelTypePackages])
      return [...requestedPackages.filter((name) => !known.has(name)), ...localPackages]
    },
    async setPending(extensions) {
      refuseUnknown(extensions)
      const found = await deployments(exec)
      const next = found[0] ?? bootedDeployment(found)
      const changes = extensionsCommand(next.requestedPackages, extensions)
      if (changes.length > 0) await rpmOstree(exec, 'update', ...changes)
      const [after] = changes.length > 0 ? await deployments(exec) : [next]
      const missing = extensions.flatMap(packagesOf).filter((name) => !after?.packages.includes(name))
      if (missing.length > 0)
        throw new HostError(
          'EPACKAGES',
          'rpm-ostree',
          `the next deployment lacks packages of the extensions: ${missing.join(', ')}`,
        )
    },
  }
}

function refuseUnknown(extensions: readonly string[]): void {
  const unknown = unknownExtensions(extensions)
  if (unknown.length > 0)
    throw new HostError(
      'EINVAL',
      'extensions',
      `invalid extensions found: [${unknown.join(' ')}]; there are ${extensionNames.join(', ')}`,
    )
}

const extensionsOf = ({ requestedPackages }: Deployment): readonly string[] =>
  extensionNames.filter((extension) => packagesOf(extension).every((name) => requestedPackages.includes(name)))
