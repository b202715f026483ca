import { bootcImage } from './bootcImage.ts'
import { directoryAccounts } from './directoryAccounts.ts'
import { dpkgFiles } from './dpkgFiles.ts'
import type { Exec } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { grubbyKernelArguments } from './grubbyKernelArguments.ts'
import { grubKernelArguments } from './grubKernelArguments.ts'
import {
  type Capability,
  type Host,
  HostError,
  type HostFiles,
  type KernelArguments,
  type KernelType,
  type OsIdentity,
  type OsImage,
  type Packages,
  supported,
  unsupported,
  type VendorFiles,
} from './host.ts'
import { findHostEntry } from './hostEntry.ts'
import { type HostEntry, hostExec } from './hostExec.ts'
import { readOsIdentity } from './osRelease.ts'
import { rootFiles } from './rootFiles.ts'
import { closeRoot, openRoot } from './rootPath.ts'
import { rpmFiles } from './rpmFiles.ts'
import { rpmOstreeImage, rpmOstreeKernelArguments } from './rpmOstree.ts'
import { rpmOstreeKernel } from './rpmOstreeKernel.ts'
import { rpmOstreePackages } from './rpmOstreePackages.ts'
import { selinuxFiles } from './selinuxFiles.ts'
import { sshKeyFile } from './sshKeyFile.ts'
import { systemAccounts } from './systemAccounts.ts'
import { isOstree, systemdPower } from './systemdPower.ts'
import { systemdServices } from './systemdServices.ts'
import { trustStore } from './trustStore.ts'

export interface RealHostOptions {
  /** How commands get to the host; by default found out. */
  readonly entry?: HostEntry
  /** Instead of running programs: for tests. */
  readonly exec?: Exec
  readonly serviceTimeoutMs?: number
  readonly checkpoint?: (point: string) => void
}

export interface RealHost extends Host {
  close(): void
}

/**
 * A machine that runs systemd, its root mounted at `root` (`/` on the machine itself). What it can do is found by looking
 * at it; what it cannot do says so. Throws when no systemd runs there: such a tree is a directory host.
 */
export async function realHost(root: string, options: RealHostOptions = {}): Promise<RealHost> {
  const opened = openRoot(root)
  try {
    const plain = rootFiles(opened, options.checkpoint ? { checkpoint: options.checkpoint } : {})
    const host = await probe(root, plain, options)
    return { ...host, close: () => closeRoot(opened) }
  } catch (error) {
    closeRoot(opened)
    throw error
  }
}

async function probe(root: string, plain: HostFiles, options: RealHostOptions): Promise<Host> {
  const { serviceTimeoutMs } = options
  const description = root === '/' ? 'this machine' : `the host at ${root}`
  if (!(await isRunningSystemd(plain)))
    throw new HostError('ENOSYSTEMD', root, `${description} does not run systemd (no /run/systemd/system)`)
  const find = (program: string) => findProgram(plain, program)
  const exec = options.exec ?? hostExec(options.entry ?? findHostEntry(root), { find })
  const files = await labelledFiles(plain, exec)
  const identity = await identityOf(plain)
  return {
    description,
    files,
    services: systemdServices(exec, files, serviceTimeoutMs === undefined ? {} : { serviceTimeoutMs }),
    accounts: (await findProgram(plain, 'getent')) ? systemAccounts(exec, plain) : directoryAccounts(files),
    vendorFiles: await vendorFiles(exec, plain),
    ...(await machineParts(exec, plain, identity)),
    trustStore: await trustStore(exec, plain),
    power: systemdPower(exec, plain),
    identity: async () => identity,
    authorizedKeysFile: await sshKeyFile(exec, plain),
  }
}

const isRunningSystemd = async (files: HostFiles): Promise<boolean> =>
  (await files.status('/run/systemd/system'))?.kind === 'directory'

async function labelledFiles(files: HostFiles, exec: Exec): Promise<HostFiles> {
  const enforced = (await files.status('/sys/fs/selinux/enforce')) !== undefined
  return enforced && (await findProgram(files, 'restorecon')) ? selinuxFiles(files, exec) : files
}

async function identityOf(files: HostFiles): Promise<OsIdentity> {
  const identity = await readOsIdentity(files)
  return { ...identity, imageBased: identity.imageBased || (await isOstree(files)) }
}

async function vendorFiles(exec: Exec, files: HostFiles): Promise<VendorFiles> {
  if (await findProgram(files, 'dpkg-query')) return dpkgFiles(exec, files)
  if (await findProgram(files, 'rpm')) return rpmFiles(exec)
  return { ownership: async () => 'unknown' }
}

interface MachineParts {
  readonly kernelArguments: Capability<KernelArguments>
  readonly osImage: Capability<OsImage>
  readonly kernelType: Capability<KernelType>
  readonly packages: Capability<Packages>
}

/** What is exchanged as a whole: only image based systems can, and only by the tool that manages their image. */
async function machineParts(exec: Exec, files: HostFiles, identity: OsIdentity): Promise<MachineParts> {
  const image = await imageTool(files)
  switch (image) {
    case 'rpm-ostree':
      return {
        kernelArguments: supported(rpmOstreeKernelArguments(exec, files)),
        osImage: supported(rpmOstreeImage(exec)),
        ...enterpriseParts(exec, identity),
      }
    case 'bootc':
      return {
        kernelArguments: unsupported('bootc takes kernel arguments from the image (/usr/lib/bootc/kargs.d)'),
        osImage: supported(bootcImage(exec)),
        kernelType: unsupported('the kernel of a bootc system comes with its image'),
        packages: unsupported('the packages of a bootc system come with its image'),
      }
    case undefined:
      return {
        kernelArguments: await (isFedoraLike(identity) ? grubbyKernelArguments : grubKernelArguments)(exec, files),
        osImage: unsupported('this host is not updated by images (no rpm-ostree, no bootc)'),
        kernelType: unsupported(`no way to exchange the kernel of "${identity.id}" is known`),
        packages: unsupported(`no extensions are known for "${identity.id}"`),
      }
    default:
      return image satisfies never
  }
}

/** They keep one file per boot entry, which only `grubby` edits. */
const isFedoraLike = ({ id, like }: OsIdentity): boolean =>
  [id, ...like].some((name) => ['fedora', 'rhel', 'centos'].includes(name))

async function imageTool(files: HostFiles): Promise<'rpm-ostree' | 'bootc' | undefined> {
  if (!(await isOstree(files))) return undefined
  if (await findProgram(files, 'rpm-ostree')) return 'rpm-ostree'
  return (await findProgram(files, 'bootc')) ? 'bootc' : undefined
}

/** Extensions and kernel flavours are packaged for enterprise images only. */
function enterpriseParts(exec: Exec, { id, variantId }: OsIdentity): Pick<MachineParts, 'kernelType' | 'packages'> {
  const enterprise = ['rhcos', 'scos'].includes(id) || (['rhel', 'centos'].includes(id) && variantId === 'coreos')
  if (enterprise) return { kernelType: supported(rpmOstreeKernel(exec)), packages: supported(rpmOstreePackages(exec)) }
  const reason = `extensions and kernel types exist for enterprise images, and this is "${id}"`
  return { kernelType: unsupported(reason), packages: unsupported(reason) }
}
