import type { Exec } from './exec.ts'
import { HostError, type KernelType } from './host.ts'
import { deployments, rpmOstree } from './rpmOstree.ts'
import type { Deployment } from './rpmOstreeStatus.ts'

const defaultKernel = ['kernel', 'kernel-core', 'kernel-modules', 'kernel-modules-core', 'kernel-modules-extra']
const otherKernels: Readonly<Record<string, readonly string[]>> = {
  realtime: ['kernel-rt-core', 'kernel-rt-modules', 'kernel-rt-modules-extra'],
  '64k-pages': ['kernel-64k-core', 'kernel-64k-modules', 'kernel-64k-modules-core', 'kernel-64k-modules-extra'],
}

/** The kernel flavour of the next deployment, exchanged by overriding the image's own kernel packages. */
export function rpmOstreeKernel(exec: Exec): KernelType {
  return {
    async pending() {
      const [next] = await deployments(exec)
      return next ? kernelTypeOf(next) : 'default'
    },
    async setPending(kernelType) {
      const [next] = await deployments(exec)
      if (!next || kernelTypeOf(next) === kernelType) return
      if (kernelType !== 'default' && !otherKernels[kernelType])
        throw new HostError('EINVAL', 'kernelType', `there is no kernel type "${kernelType}"`)
      if (kernelTypeOf(next) !== 'default') await rpmOstree(exec, ...resetArguments(next))
      if (kernelType !== 'default') await rpmOstree(exec, ...overrideArguments(kernelType))
    },
  }
}

/** Packages by which a kernel type is had: a config asked for them. */
export const kernelTypePackages: readonly string[] = Object.values(otherKernels).flat()

const kernelTypeOf = ({ requestedPackages }: Deployment): string =>
  Object.keys(otherKernels).find((type) => requestedPackages.some((name) => otherKernels[type]?.includes(name))) ??
  'default'

const resetArguments = ({ removedBasePackages, requestedPackages }: Deployment): readonly string[] => {
  const others = new Set(kernelTypePackages)
  return [
    'override',
    'reset',
    ...removedBasePackages.filter((name) => defaultKernel.includes(name)),
    ...requestedPackages.filter((name) => others.has(name)).flatMap((name) => ['--uninstall', name]),
  ]
}

const overrideArguments = (kernelType: string): readonly string[] => [
  'override',
  'remove',
  ...defaultKernel,
  ...(otherKernels[kernelType] ?? []).flatMap((name) => ['--install', name]),
]
