import type { Capability, Host } from './host.ts'

/** One thing that a config may ask of a host, and whether this one can do it. */
interface HostPart {
  readonly name: string
  readonly supported: boolean
  /** What is used, or why it cannot be done. */
  readonly detail: string
}

export interface HostDescription {
  readonly host: string
  readonly os: string
  readonly version: string
  readonly parts: readonly HostPart[]
}

/** What a host supports and why: what it says before an update is what it does in one. */
export async function describeHost(host: Host): Promise<HostDescription> {
  const { id, variantId, versionId } = await host.identity()
  const part = <T>(name: string, capability: Capability<T>, detail: string): HostPart =>
    capability.kind === 'supported'
      ? { name, supported: true, detail }
      : { name, supported: false, detail: capability.reason }
  const packaged = (await host.vendorFiles.ownership('/etc/os-release')) !== 'unknown'
  return {
    host: host.description,
    os: variantId === '' ? id : `${id} (${variantId})`,
    version: versionId,
    parts: [
      { name: 'files', supported: true, detail: 'contents, mode, owner; every change can be undone' },
      { name: 'units', supported: true, detail: 'files, drop-ins, enabled, masked, presets' },
      { name: 'ssh keys and password', supported: true, detail: 'of one user' },
      {
        name: 'vendor originals',
        supported: true,
        detail: packaged
          ? 'known from the package database; they come back when a config gives a path up'
          : 'no package database: what was there before the first config counts as one',
      },
      part('kernel arguments', host.kernelArguments, 'set for the next boot'),
      part('OS image', host.osImage, 'switched with the next boot'),
      part('kernel type', host.kernelType, 'switched with the next boot'),
      part('extensions', host.packages, 'layered with the next boot'),
      part('trust store', host.trustStore, 'updated by command'),
    ],
  }
}
