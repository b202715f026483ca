import type { Path } from '../decode.ts'
import type { AddFinding } from './report.ts'
import type { V2Disk, V2Filesystem, V2Mount, V2Partition, V2Raid, V2Storage } from './types.ts'

/** Disks, filesystems and arrays of spec 2.2. */
export function validateV2Devices(add: AddFinding, kind: 'disks' | 'filesystems' | 'raid', storage: V2Storage): void {
  const { disks = [], filesystems = [], raid = [] } = storage
  if (kind === 'disks') for (const [index, disk] of disks.entries()) validateDisk(add, ['storage', kind, index], disk)
  if (kind === 'filesystems') {
    for (const [index, filesystem] of filesystems.entries()) {
      validateFilesystem(add, ['storage', kind, index], filesystem)
    }
  }
  if (kind === 'raid') for (const [index, array] of raid.entries()) validateRaid(add, ['storage', kind, index], array)
}

const sectorsPerMiB = 2048
const guid = /^(|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/
const longestLabel: Readonly<Record<string, number>> = { ext4: 16, btrfs: 256, xfs: 12, swap: 15, vfat: 11 }
const raidLevels = new Set(['raid1', '1', 'mirror', 'raid4', '4', 'raid5', '5', 'raid6', '6', 'raid10', '10'])

function validateDisk(add: AddFinding, path: Path, { device = '', partitions = [] }: V2Disk): void {
  if (device === '') add('error', [...path, 'device'], 'disk device is required')
  else if (!device.startsWith('/')) add('error', [...path, 'device'], 'path not absolute')
  const at = [...path, 'partitions']
  const numbers = partitions.map(({ number = 0 }) => number).filter((number) => number !== 0)
  if (new Set(numbers).size < numbers.length) add('error', at, 'partition numbers collide')
  if (overlap(partitions)) add('error', at, 'partitions overlap')
  if (partitions.some(({ start = 0 }) => start % sectorsPerMiB !== 0)) add('error', at, 'partitions misaligned')
  partitions.forEach((partition, index) => {
    validatePartition(add, [...at, index], partition)
  })
}

/** Starts of 0 are placed by the partitioning tool; a size of 0 fills up and counts from its start only. */
function overlap(partitions: readonly V2Partition[]): boolean {
  const extents = partitions
    .map(({ start = 0, size = 0 }) => ({ start, end: size === 0 ? start : start + size - 1 }))
    .filter(({ start }) => start !== 0)
    .sort((left, right) => left.start - right.start)
  return extents.some(({ start }, index) => extents.slice(0, index).some((earlier) => start <= earlier.end))
}

function validatePartition(
  add: AddFinding,
  path: Path,
  { guid: own = '', label = '', typeGuid = '' }: V2Partition,
): void {
  const guidText = 'doesn\'t match the form "01234567-89AB-CDEF-EDCB-A98765432101"'
  if (!guid.test(own)) add('error', [...path, 'guid'], guidText)
  if (Buffer.byteLength(label) > 36) add('error', [...path, 'label'], 'partition labels may not exceed 36 characters')
  if (label.includes(':'))
    add('warning', [...path, 'label'], 'partition label will be truncated to text before the colon')
  if (!guid.test(typeGuid)) add('error', [...path, 'typeGuid'], guidText)
}

function validateFilesystem(add: AddFinding, path: Path, { mount, path: place }: V2Filesystem): void {
  const errors = [
    mount === undefined && place === undefined && 'filesystem is missing mount or path',
    mount !== undefined && place !== undefined && 'filesystem has both mount and path defined',
    mount?.create !== undefined &&
      mount.wipeFilesystem === true &&
      'cannot use both create object and wipeFilesystem field',
    mount?.create !== undefined &&
      (mount.options ?? []).length > 0 &&
      'cannot use both create object and mount-level options field',
  ].filter((text) => text !== false)
  for (const text of errors) add('error', path, text)
  if (mount?.create !== undefined)
    add('warning', path, 'the create object has been deprecated in favor of mount-level options')
  if (errors.length > 0) return
  if (mount) validateMount(add, [...path, 'mount'], mount)
  if (place !== undefined && !place.startsWith('/')) add('error', [...path, 'path'], 'path not absolute')
}

function validateMount(add: AddFinding, path: Path, { device = '', format = '', label = '' }: V2Mount): void {
  const longest = longestLabel[format]
  if (longest === undefined) {
    add('error', path, 'invalid filesystem format')
    return
  }
  if (!device.startsWith('/')) add('error', [...path, 'device'], 'path not absolute')
  if (Buffer.byteLength(label) > longest) {
    add(
      'error',
      [...path, 'label'],
      `filesystem labels cannot be longer than ${longest} characters when using ${format}`,
    )
  }
}

function validateRaid(add: AddFinding, path: Path, { devices = [], level = '', spares = 0 }: V2Raid): void {
  for (const device of devices) if (!device.startsWith('/')) add('error', [...path, 'devices'], 'path not absolute')
  if (['linear', 'raid0', '0', 'stripe'].includes(level)) {
    if (spares !== 0) add('error', [...path, 'level'], 'spares unsupported for arrays with a level greater than 0')
  } else if (!raidLevels.has(level)) add('error', [...path, 'level'], 'unrecognized raid level')
}
