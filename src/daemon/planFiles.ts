import { cloudCaBundlePath, kubeletCaPath, userCaBundlePath } from '../certificates/bundles/bundleCatalogue.ts'
import { decodeContents } from '../ignition/contents.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { Directory, File, Link, Node } from '../ignition/types.ts'
import type { Change } from './change.ts'
import { type HostFacts, type PathFact, sha256 } from './hostFacts.ts'
import { currentConfigPath, currentImagePath, recordDirectories } from './hostPaths.ts'
import { writtenPaths } from './managedPaths.ts'
import { keepOriginal, releasePath } from './originals.ts'
import type { PlanBuilder } from './planBuilder.ts'
import type { Attributes, ContentKey } from './step.ts'

/** Files have this mode when the config names none; Ignition's own default. */
export const defaultFileMode = 0o644
const defaultDirectoryMode = 0o755

export function planFiles(plan: PlanBuilder, change: Change): void {
  const { old, next, force, firstContact, facts } = change
  const { files = [], directories = [], links = [] } = next.ignition.storage ?? {}
  // On a running node these sections never change: the change was refused before (spec: daemon 6).
  if (firstContact) for (const directory of directories) planDirectory(plan, facts, directory)
  const before = new Map((old.ignition.storage?.files ?? []).map((file) => [file.path, file]))
  const managedBefore = writtenPaths(old)
  for (const file of files) {
    // Delivered by the certificate loop, which is ahead of the config.
    if (!firstContact && change.delivered.has(file.path)) continue
    const known = before.get(file.path)
    if (force || !known || !equalValue(known, file)) planFile(plan, facts, file, managedBefore.has(file.path))
  }
  if (firstContact) for (const link of links) planLink(plan, facts, link)
}

/** Files of the old config that the new one does not have. */
export function planStaleFiles(plan: PlanBuilder, { old, next, facts }: Change): void {
  const stays = writtenPaths(next)
  for (const { path } of old.ignition.storage?.files ?? []) {
    if (!stays.has(path) && !isWrittenByOthers(path)) releasePath(plan, facts, path)
  }
}

/** Paths that other writers keep up to date: a config that drops them does not take them away. */
function isWrittenByOthers(path: string): boolean {
  if ([userCaBundlePath, kubeletCaPath, cloudCaBundlePath].includes(path)) return true
  return path.slice(0, path.lastIndexOf('/')).includes('/etc/docker/certs.d')
}

function planFile(plan: PlanBuilder, facts: HostFacts, file: File, managedBefore: boolean): void {
  if (isOurs(file.path)) {
    plan.problem(file.path, `${file.path} belongs to the daemon's own records; a config cannot write it`)
    return
  }
  if ((file.append ?? []).length > 0) {
    plan.problem(file.path, 'found an append section when writing files. Append is not supported')
    return
  }
  const content = decodedContent(file)
  if (!content.value) {
    plan.problem(file.path, `could not decode file "${file.path}": ${content.message}`)
    return
  }
  const owner = ownerOf(plan, facts, file)
  if (!owner) return
  const present = facts.paths.get(file.path)
  if (present?.kind === 'directory' || present?.kind === 'other') {
    plan.problem(
      file.path,
      `${file.path} should be a file but is a ${present.kind === 'other' ? 'device, pipe or socket' : 'directory'}; move it away`,
    )
    return
  }
  keepOriginal(plan, facts, file.path, managedBefore)
  const attributes = { mode: file.mode ?? defaultFileMode, ...owner }
  const key = sha256(content.value)
  if (!isFileAsWanted(present, key, attributes)) plan.writeFile(file.path, content.value, attributes, key)
}

/** By these files an update is remembered and undone. */
const isOurs = (path: string): boolean =>
  [currentConfigPath, currentImagePath].includes(path) ||
  recordDirectories.some((directory) => path.startsWith(`${directory}/`))

/** Absent contents are an empty file. */
export function decodedContent(file: File): { readonly value?: Uint8Array; readonly message: string } {
  if (file.contents?.source === undefined) return { value: new Uint8Array(), message: '' }
  const { value, issues } = decodeContents(file.contents)
  const message = issues.map((issue) => issue.message).join('; ')
  return value ? { value, message } : { message }
}

export function isFileAsWanted(present: PathFact | undefined, content: ContentKey, wanted: Attributes): boolean {
  if (present?.kind !== 'file') return false
  const sameOwner = present.uid === wanted.uid && present.gid === wanted.gid
  return sameOwner && present.mode === wanted.mode && present.sha256 === content
}

function planDirectory(plan: PlanBuilder, facts: HostFacts, directory: Directory): void {
  const owner = ownerOf(plan, facts, directory)
  if (!owner) return
  const attributes = { mode: directory.mode ?? defaultDirectoryMode, ...owner }
  const present = facts.paths.get(directory.path)
  if (present && present.kind !== 'absent' && present.kind !== 'directory') {
    if (!directory.overwrite) {
      plan.problem(
        directory.path,
        `${directory.path} should be a directory but is not, and the config does not say overwrite`,
      )
      return
    }
    plan.add({ kind: 'setAside', path: directory.path })
  } else if (present?.kind === 'directory') {
    if (present.mode === attributes.mode && present.uid === attributes.uid && present.gid === attributes.gid) return
  }
  plan.add({ kind: 'makeDirectory', path: directory.path, attributes })
}

function planLink(plan: PlanBuilder, facts: HostFacts, link: Link): void {
  const target = link.target ?? ''
  const present = facts.paths.get(link.path)
  if (present?.kind === 'symlink' && present.target === target && !link.hard) return
  if (present && present.kind !== 'absent' && !link.overwrite) {
    plan.problem(
      link.path,
      `${link.path} should be a link but something else is there, and the config does not say overwrite`,
    )
    return
  }
  if (present?.kind === 'directory' || present?.kind === 'other') plan.add({ kind: 'setAside', path: link.path })
  plan.add({ kind: link.hard ? 'writeHardLink' : 'writeSymlink', path: link.path, target })
}

function ownerOf(plan: PlanBuilder, facts: HostFacts, node: Node): { uid: number; gid: number } | undefined {
  const { user, group } = node
  const uid = user?.id ?? (user?.name ? facts.users.get(user.name)?.uid : 0)
  const gid = group?.id ?? (group?.name ? facts.groups.get(group.name) : 0)
  if (uid === undefined)
    plan.problem(
      node.path,
      `failed to retrieve file ownership for file "${node.path}": failed to retrieve UserID for username: ${user?.name ?? ''}`,
    )
  if (gid === undefined)
    plan.problem(
      node.path,
      `failed to retrieve file ownership for file "${node.path}": failed to retrieve GroupID for group: ${group?.name ?? ''}`,
    )
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}
