import { equalValue } from '../ignition/equalValue.ts'
import type { IgnitionConfig } from '../ignition/types.ts'

/** What the daemon and the forecast need of one rendered MachineConfig: its plain fields and the parsed Ignition. */
export interface MachineConfigView {
  readonly name: string
  readonly osImageURL: string
  /** The image built in the cluster for this pool, when the config carries one (both marker annotations are present). */
  readonly layeredImage?: string
  readonly kernelArguments: readonly string[]
  readonly extensions: readonly string[]
  readonly fips: boolean
  readonly kernelType: string
  readonly ignition: IgnitionConfig
}

/** Which parts differ between two configs; the names are the original's log words. */
export interface ConfigDiff {
  readonly osUpdate: boolean
  readonly kargs: boolean
  readonly fips: boolean
  readonly passwd: boolean
  readonly files: boolean
  readonly units: boolean
  readonly kernelType: boolean
  readonly extensions: boolean
  readonly oclEnabled: boolean
  readonly revertFromOCL: boolean
}

/**
 * Compares two configs part by part. Order counts in every list. An absent list equals an empty one in the plain fields, but
 * not inside Ignition, as in the original (rendered configs never hold empty lists there).
 */
export function diffConfigs(old: MachineConfigView, next: MachineConfigView): ConfigDiff {
  const layered = old.layeredImage !== undefined || next.layeredImage !== undefined
  const imageDiffers = layered ? old.layeredImage !== next.layeredImage : old.osImageURL !== next.osImageURL
  return {
    osUpdate: imageDiffers,
    kargs: !equalValue(old.kernelArguments, next.kernelArguments),
    fips: old.fips !== next.fips,
    passwd: !equalValue(old.ignition.passwd ?? {}, next.ignition.passwd ?? {}),
    files: !equalValue(old.ignition.storage?.files, next.ignition.storage?.files),
    units: !equalValue(old.ignition.systemd?.units, next.ignition.systemd?.units),
    kernelType: canonicalKernelType(old.kernelType) !== canonicalKernelType(next.kernelType),
    extensions: !equalValue(old.extensions, next.extensions),
    oclEnabled: layered,
    revertFromOCL: layered && next.layeredImage === undefined,
  }
}

export function isEmptyDiff(diff: ConfigDiff): boolean {
  return !Object.values(diff).some(Boolean)
}

/** Everything that is not one of the two special kernels is the default one. */
export function canonicalKernelType(kernelType: string): 'default' | 'realtime' | '64k-pages' {
  return kernelType === 'realtime' || kernelType === '64k-pages' ? kernelType : 'default'
}

/** The change list of the OSUpdateStarted event and the logs. */
export function describeOsChanges(diff: ConfigDiff): string {
  const changes = [
    diff.osUpdate && 'Upgrading OS',
    diff.extensions && 'Installing extensions',
    diff.kernelType && 'Changing kernel type',
    diff.kargs && 'Changing kernel arguments',
  ]
  return changes.filter((change) => change !== false).join('; ')
}
