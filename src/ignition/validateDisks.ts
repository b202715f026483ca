import type { Path } from './decode.ts'
import { parseGoUrl } from './goUrl.ts'
import { parseJson } from './jsonText.ts'
import type { Report } from './report.ts'
import type { Clevis, Disk, Filesystem, Luks, Partition, Raid } from './types.ts'
import { pathFault } from './validatePath.ts'
import { sourceFault, validateResource } from './validateResource.ts'

/** Block devices of `storage`: disks with partitions, filesystems, encrypted volumes and arrays. */
export function validateDisk(report: Report, path: Path, { device, partitions = [] }: Disk): void {
  if (device === '') {
    report.error([...path, 'device'], 'disk device is required', 'expected a path such as /dev/disk/by-id/…')
  } else {
    reportPath(report, [...path, 'device'], device)
    reportPartitionTable(report, [...path, 'partitions'], partitions)
  }
  for (const [index, partition] of partitions.entries())
    validatePartition(report, [...path, 'partitions', index], partition)
}

export function validateFilesystem(report: Report, path: Path, filesystem: Filesystem, minor: number): void {
  const { device, format, label } = filesystem
  if (filesystem.path) reportPath(report, [...path, 'path'], filesystem.path)
  reportPath(report, [...path, 'device'], device)
  reportFormat(report, [...path, 'format'], filesystem, minor)
  if (!label) return
  if (!format) report.error([...path, 'label'], 'filesystem must specify format if label is specified')
  const longest = longestLabel[format ?? '']
  if (longest !== undefined && Buffer.byteLength(label) > longest) {
    report.error(
      [...path, 'label'],
      `filesystem labels cannot be longer than ${longest} characters when using ${format}`,
    )
  }
}

export function validateLuks(report: Report, path: Path, luks: Luks, minor: number): void {
  const { cex, clevis, device, keyFile, label, name } = luks
  if (name.includes('/')) report.error([...path, 'name'], 'device names cannot contain slashes')
  if (label && Buffer.byteLength(label) > 47) {
    report.error([...path, 'label'], 'luks device labels cannot be longer than 47 characters')
  }
  if (!device) report.error([...path, 'device'], 'disk device is required')
  else reportPath(report, [...path, 'device'], device)
  if (clevis) reportClevisMix(report, path, clevis, minor)
  if (keyFile?.source && sourceFault(keyFile.source, minor) !== undefined) {
    report.error([...path, 'keys'], 'invalid key-file source')
  }
  if (cex?.enabled === true && clevis && isPresent(clevis)) report.error([...path, 'cex'], 'cannot use cex with clevis')
  if (cex?.enabled === true && keyFile?.source) report.error([...path, 'cex'], 'cannot use key file with cex')
  if (clevis) validateClevis(report, [...path, 'clevis'], clevis, minor)
  if (keyFile) validateResource(report, [...path, 'keyFile'], keyFile, minor)
}

export function validateRaid(report: Report, path: Path, { devices = [], level, spares }: Raid, minor: number): void {
  const at = [...path, 'level']
  if (!level && minor >= 3) report.error(at, 'raid level is required', levelHint)
  else if (level === undefined || !raidLevels.has(level)) report.error(at, 'unrecognized raid level', levelHint)
  else if (unsparedLevels.has(level) && spares) {
    report.error(at, 'spares unsupported for linear and raid0 arrays', `found ${spares} spares with level ${level}`)
  }
  if (devices.length === 0) report.error([...path, 'devices'], 'raid devices required')
  devices.forEach((device, index) => {
    reportPath(report, [...path, 'devices', index], device)
  })
}

const longestLabel: Readonly<Record<string, number>> = { ext4: 16, btrfs: 256, xfs: 12, swap: 15, vfat: 11 }
const unsparedLevels = new Set(['linear', 'raid0', '0', 'stripe'])
const raidLevels = new Set([
  ...unsparedLevels,
  ...['raid1', '1', 'mirror', 'raid4', '4', 'raid5', '5', 'raid6', '6', 'raid10', '10'],
])
const levelHint = 'expected linear, raid0, raid1, raid4, raid5, raid6 or raid10'
const guid = /^(|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

function reportPath(report: Report, path: Path, value: string): void {
  const fault = pathFault(value)
  if (fault !== undefined) report.error(path, fault.text, fault.hint)
}

function reportPartitionTable(report: Report, path: Path, partitions: readonly Partition[]): void {
  const collision = firstRepeated(partitions.map(({ number }) => number || undefined))
  if (collision !== undefined) report.error([...path, collision], 'partition numbers collide')
  const overlap = firstOverlap(partitions)
  if (overlap !== undefined) report.error([...path, overlap], 'partitions overlap')
  if (partitions.some(({ shouldExist }) => shouldExist === false) && partitions.some(({ number }) => !number)) {
    report.error(path, 'shouldExist is false for a partition and other partition(s) has start or size 0')
  }
  const label = firstRepeated(partitions.map((partition) => partition.label))
  if (label !== undefined) report.error([...path, label], 'cannot use the same partition label twice')
}

function firstRepeated(values: readonly unknown[]): number | undefined {
  const seen = new Set<unknown>()
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue
    if (seen.has(value)) return index
    seen.add(value)
  }
  return undefined
}

/** Starts of 0 are placed by the partitioning tool; a size of 0 fills up and counts from its start only. */
function firstOverlap(partitions: readonly Partition[]): number | undefined {
  const extents = partitions.map(({ startMiB, sizeMiB }) =>
    startMiB === undefined || sizeMiB === undefined || startMiB === 0
      ? undefined
      : { start: startMiB, end: sizeMiB === 0 ? startMiB : startMiB + sizeMiB - 1 },
  )
  for (const [index, extent] of extents.entries()) {
    if (extent === undefined) continue
    const other = extents.findIndex(
      (candidate, at) =>
        at !== index && candidate !== undefined && candidate.start <= extent.end && extent.start <= candidate.end,
    )
    if (other >= 0) return other
  }
  return undefined
}

function validatePartition(report: Report, path: Path, partition: Partition): void {
  const { guid: own, label, number, shouldExist, sizeMiB, startMiB, typeGuid } = partition
  const hasOthers = label !== undefined || typeGuid || own || startMiB !== undefined || sizeMiB !== undefined
  if (shouldExist === false && hasOthers) {
    report.error(path, 'shouldExist specified false with other options also specified')
  }
  if (!number && label === undefined) report.error(path, 'a partition number >= 1 or a label must be specified')
  if (label !== undefined && Buffer.byteLength(label) > 36) {
    report.error([...path, 'label'], 'partition labels may not exceed 36 characters')
  } else if (label?.includes(':')) {
    report.error([...path, 'label'], 'partition label will be truncated to text before the colon')
  }
  reportGuid(report, [...path, 'guid'], own)
  reportGuid(report, [...path, 'typeGuid'], typeGuid)
}

function reportGuid(report: Report, path: Path, value: string | undefined): void {
  if (value !== undefined && !guid.test(value)) {
    report.error(path, 'doesn\'t match the form "01234567-89AB-CDEF-EDCB-A98765432101"')
  }
}

function reportFormat(report: Report, path: Path, filesystem: Filesystem, minor: number): void {
  const { format } = filesystem
  if (format) {
    const known = longestLabel[format] !== undefined || (format === 'none' && minor >= 3)
    if (!known) report.error(path, 'invalid filesystem format', 'expected ext4, btrfs, xfs, vfat, swap or none')
    return
  }
  const { label, mountOptions, options, uuid, wipeFilesystem } = filesystem
  const others = filesystem.path || label || uuid || wipeFilesystem === true || mountOptions?.length || options?.length
  if (!others) return
  report.error(
    path,
    'format cannot be empty when path, label, uuid, wipeFilesystem, options, or mountOptions is specified',
    'expected ext4, btrfs, xfs, vfat, swap or none',
  )
}

const hasOtherPins = ({ tang, threshold, tpm2 }: Clevis): boolean => !!tang?.length || tpm2 === true || !!threshold

const isPresent = (clevis: Clevis): boolean => !!clevis.custom?.pin || hasOtherPins(clevis)

function reportClevisMix(report: Report, path: Path, clevis: Clevis, minor: number): void {
  const hasCustom = minor >= 3 ? !!clevis.custom?.pin : clevis.custom !== undefined
  if (hasCustom && hasOtherPins(clevis)) {
    report.error([...path, 'clevis'], 'cannot use custom clevis config with tpm2, tang, or threshold')
  }
}

function validateClevis(report: Report, path: Path, { custom, tang = [] }: Clevis, minor: number): void {
  if (custom && (custom.pin || custom.config || (custom.needsNetwork === true && minor >= 3))) {
    const pinFault = !custom.pin && minor >= 3 ? 'missing required custom clevis pin' : 'unsupported clevis pin'
    if (!['tpm2', 'tang', 'sss'].includes(custom.pin ?? '')) {
      report.error([...path, 'custom', 'pin'], pinFault, 'expected tpm2, tang or sss')
    }
    if (!custom.config) report.error([...path, 'custom', 'config'], 'missing required custom clevis config')
  }
  for (const [index, { advertisement, thumbprint, url }] of tang.entries()) {
    const at = [...path, 'tang', index]
    const parsed = parseGoUrl(url)
    if (parsed === undefined) report.error([...at, 'url'], 'unable to parse url')
    else if (parsed.scheme !== 'http' && parsed.scheme !== 'https') report.error([...at, 'url'], 'invalid url scheme')
    if (!thumbprint) report.error([...at, 'thumbprint'], 'thumbprint is required')
    if (advertisement && !parseJson(advertisement).ok) {
      report.error([...at, 'advertisement'], 'advertisement is not valid JSON')
    }
  }
}
