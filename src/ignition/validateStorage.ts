import type { Path } from './decode.ts'
import { cleanPath, joinPath } from './goPath.ts'
import type { Report } from './report.ts'
import type { Directory, File, Link, Node, NodeOwner, Storage } from './types.ts'
import { validateDisk, validateFilesystem, validateLuks, validateRaid } from './validateDisks.ts'
import { pathFault } from './validatePath.ts'
import { validateResource } from './validateResource.ts'

/** `storage`: files, directories and links here, block devices in `validateDisks.ts`. */
export function validateStorage(report: Report, storage: Storage, minor: number): void {
  const { directories = [], disks = [], files = [], filesystems = [], links = [], luks = [], raid = [] } = storage
  const linkPaths = countPaths(links)
  reportLinkUse(report, 'directories', directories, linkPaths, 'directory path includes link in config')
  reportLinkUse(report, 'files', files, linkPaths, 'file path includes link in config')
  validateLinkTargets(report, links, directories, linkPaths, minor)
  warnOfOverwrittenDisks(report, storage)
  const each = <T>(kind: keyof Storage, items: readonly T[], validate: (path: Path, item: T) => void): void =>
    items.forEach((item, index) => {
      validate(['storage', kind, index], item)
    })
  each('directories', directories, (path, item) => validateDirectory(report, path, item))
  each('disks', disks, (path, item) => validateDisk(report, path, item))
  each('files', files, (path, item) => validateFile(report, path, item, minor))
  each('filesystems', filesystems, (path, item) => validateFilesystem(report, path, item, minor))
  each('links', links, (path, item) => validateNode(report, path, item))
  each('luks', luks, (path, item) => validateLuks(report, path, item, minor))
  each('raid', raid, (path, item) => validateRaid(report, path, item, minor))
}

function validateDirectory(report: Report, path: Path, directory: Directory): void {
  reportPath(report, [...path, 'path'], directory.path)
  reportMode(report, [...path, 'mode'], directory.mode)
  reportOwners(report, path, directory)
}

function validateFile(report: Report, path: Path, file: File, minor: number): void {
  reportPath(report, [...path, 'path'], file.path)
  reportMode(report, [...path, 'mode'], file.mode)
  if (file.overwrite === true && file.contents?.source === undefined) {
    report.error(
      [...path, 'overwrite'],
      'overwrite must be false if source is unspecified',
      'add contents.source (data:, is an empty file) or leave overwrite out',
    )
  }
  reportOwners(report, path, file)
  for (const [index, resource] of (file.append ?? []).entries()) {
    validateResource(report, [...path, 'append', index], resource, minor)
  }
  if (file.contents) validateResource(report, [...path, 'contents'], file.contents, minor)
}

function validateNode(report: Report, path: Path, node: Node): void {
  reportPath(report, [...path, 'path'], node.path)
  reportOwners(report, path, node)
}

function reportPath(report: Report, path: Path, value: string): void {
  const fault = pathFault(value)
  if (fault !== undefined) report.error(path, fault.text, fault.hint)
}

function reportOwners(report: Report, path: Path, { group, user }: Node): void {
  reportOwner(report, [...path, 'group'], group)
  reportOwner(report, [...path, 'user'], user)
}

function reportOwner(report: Report, path: Path, owner: NodeOwner | undefined): void {
  if (owner?.id !== undefined && owner.name) {
    report.error(path, 'cannot set both id and name', `found id ${owner.id} and name ${owner.name}; keep one`)
  }
}

function reportMode(report: Report, path: Path, mode: number | undefined): void {
  if (mode === undefined) return
  const hint = modeHint(mode)
  if (mode < 0 || mode > 0o7777) report.error(path, 'illegal file mode', hint)
  if ((mode & 0o7000) !== 0) {
    report.warning(
      path,
      'setuid/setgid/sticky bits are not supported or functional in spec versions older than 3.6.0',
      hint,
    )
  }
}

/** JSON knows only decimal numbers: 644 is octal 01204, and somebody meant 0644. */
function modeHint(mode: number): string {
  const found = `found ${mode} (octal ${mode < 0 ? '-' : ''}0${Math.abs(mode).toString(8)}), expected 0 to 511 (0777)`
  const digits = String(mode)
  return /^[0-7]{3}$/.test(digits) ? `${found}; did you mean 0${digits} (${Number.parseInt(digits, 8)})?` : found
}

/** Nothing may be written through a link of the same config: the order of writing would decide where it ends up. */
function reportLinkUse(
  report: Report,
  kind: 'directories' | 'files' | 'links',
  nodes: readonly Node[],
  linkPaths: LinkPaths,
  text: string,
): void {
  if (linkPaths.size === 0) return
  nodes.forEach(({ path }, index) => {
    for (const link of linkParents(path, linkPaths))
      report.error(['storage', kind, index], text, `${path} is below the link ${link}`)
  })
}

/** How many links have a path: each of them is reported. */
type LinkPaths = ReadonlyMap<string, number>

function countPaths(links: readonly Link[]): LinkPaths {
  const counts = new Map<string, number>()
  for (const { path } of links) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

/** Parents of a path that are links. */
function linkParents(path: string, linkPaths: LinkPaths): readonly string[] {
  const found: string[] = []
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const parent = path.slice(0, slash)
    for (let count = linkPaths.get(parent) ?? 0; count > 0; count -= 1) found.push(parent)
  }
  return found
}

function validateLinkTargets(
  report: Report,
  links: readonly Link[],
  directories: readonly Directory[],
  linkPaths: LinkPaths,
  minor: number,
): void {
  const directoryPaths = new Set(directories.map(({ path }) => path))
  for (const [index, link] of links.entries()) {
    const at = ['storage', 'links', index]
    for (const parent of linkParents(link.path, linkPaths)) {
      report.error(at, 'link path includes link in config', `${link.path} is below the link ${parent}`)
    }
    if (!link.target && minor >= 3) {
      report.error([...at, 'target'], 'link target is required', 'add the path that the link points to')
      continue
    }
    if (link.hard !== true) continue
    const given = cleanPath(link.target ?? '')
    const target = given.startsWith('/') ? given : joinPath(link.path, link.target ?? '')
    if (directoryPaths.has(target))
      report.error(at, 'hard link target is a directory', `${target} is in storage.directories`)
    for (const owner of ['user', 'group'] as const) {
      for (const name of ['id', 'name'] as const) {
        if (link[owner]?.[name] !== undefined) report.warning([...at, owner, name], 'user/group ignored for hard link')
      }
    }
  }
}

function warnOfOverwrittenDisks(report: Report, { disks = [], filesystems = [] }: Storage): void {
  const byDevice = new Map(disks.map((disk) => [disk.device, disk]))
  for (const [index, filesystem] of filesystems.entries()) {
    const disk = byDevice.get(filesystem.device)
    if (disk === undefined) continue
    const at = ['storage', 'filesystems', index, 'device']
    if (disk.partitions && disk.partitions.length > 0) report.warning(at, 'filesystem overwrites partitioned device')
    else if (filesystem.wipeFilesystem !== true && disk.wipeTable === true) {
      report.warning(at, 'device matches disk with wipeTable enabled; filesystem will be wiped')
    }
  }
}
