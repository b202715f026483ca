import { dataUrlFault } from '../dataUrl.ts'
import type { Path } from '../decode.ts'
import { extensionOf } from '../goPath.ts'
import { parseGoUrl, queryValues } from '../goUrl.ts'
import { readUnitFile } from '../unitFile.ts'
import { noInstallText, unitExtensions } from '../validateSystemd.ts'
import type { AddFinding, V2Finding } from './report.ts'
import type { V2Config, V2Node, V2Reference, V2Unit, V2User } from './types.ts'
import { validateV2Devices } from './validateDevices.ts'

/** Every rule of spec 2.2 (public configuration specification v2.2.0), in the order of the reference. */
export function validateV2(config: V2Config): readonly V2Finding[] {
  const findings: V2Finding[] = []
  const add = (severity: V2Finding['severity'], path: Path, text: string | undefined): void => {
    if (text !== undefined) findings.push({ severity, path, text })
  }
  warnOfFilesystems(add, config)
  validateReferences(add, config)
  for (const [index, unit] of (config.networkd?.units ?? []).entries())
    validateNetworkUnit(add, ['networkd', 'units', index], unit)
  for (const [index, user] of (config.passwd?.users ?? []).entries())
    validateUser(add, ['passwd', 'users', index], user)
  validateNodes(add, config)
  for (const [index, unit] of (config.systemd?.units ?? []).entries())
    validateUnit(add, ['systemd', 'units', index], unit)
  return findings
}

function warnOfFilesystems(add: AddFinding, { storage = {} }: V2Config): void {
  const names = new Set(['root', ...(storage.filesystems ?? []).map(({ name = '' }) => name)])
  for (const [list, kind] of [
    ['files', 'File'],
    ['links', 'Link'],
    ['directories', 'Directory'],
  ] as const) {
    for (const { filesystem = '', path = '' } of storage[list] ?? []) {
      if (filesystem === '' || names.has(filesystem)) continue
      const text = `${kind} ${JSON.stringify(path)} references nonexistent filesystem ${JSON.stringify(filesystem)}. (This is ok if it is defined in a referenced config)`
      add('warning', [], text)
    }
  }
}

function validateReferences(add: AddFinding, { ignition }: V2Config): void {
  const { append = [], replace } = ignition.config ?? {}
  for (const [index, reference] of append.entries())
    validateReference(add, ['ignition', 'config', 'append', index], reference)
  if (replace) validateReference(add, ['ignition', 'config', 'replace'], replace)
  for (const [index, reference] of (ignition.security?.tls?.certificateAuthorities ?? []).entries()) {
    validateReference(add, ['ignition', 'security', 'tls', 'certificateAuthorities', index], reference)
  }
}

function validateReference(
  add: AddFinding,
  path: Path,
  { compression = '', source = '', verification }: V2Reference,
): void {
  if (compression !== '' && compression !== 'gzip') add('error', [...path, 'compression'], 'invalid compression method')
  add('error', [...path, 'source'], sourceFault(source))
  if (verification?.hash !== undefined) add('error', [...path, 'verification'], hashFault(verification.hash))
}

function sourceFault(source: string): string | undefined {
  if (source === '') return undefined
  const url = parseGoUrl(source)
  if (url === undefined) return 'unable to parse url'
  if (['http', 'https', 'oem', 'tftp'].includes(url.scheme)) return undefined
  if (url.scheme === 's3')
    return queryValues(url.query, 'versionId')[0] === '' ? 'invalid S3 object VersionId' : undefined
  return url.scheme === 'data' ? dataUrlFault(source) : 'invalid url scheme'
}

function hashFault(hash: string): string | undefined {
  const dash = hash.indexOf('-')
  if (dash < 0) return 'malformed hash specifier'
  if (hash.slice(0, dash) !== 'sha512') return 'unrecognized hash function'
  return Buffer.byteLength(hash) - dash - 1 === 128 ? undefined : 'incorrect size for hash sum'
}

function validateNodes(add: AddFinding, { storage = {} }: V2Config): void {
  for (const [index, directory] of (storage.directories ?? []).entries()) {
    const path = ['storage', 'directories', index]
    validateNode(add, path, directory)
    validateMode(add, [...path, 'mode'], directory.mode)
  }
  validateV2Devices(add, 'disks', storage)
  for (const [index, file] of (storage.files ?? []).entries()) {
    const path = ['storage', 'files', index]
    if (file.overwrite === true && file.append === true) {
      // The reference looks no further into an item that contradicts itself.
      add('error', path, 'cannot set both append and overwrite to true')
      continue
    }
    validateNode(add, path, file)
    if (file.contents) validateReference(add, [...path, 'contents'], file.contents)
    validateMode(add, [...path, 'mode'], file.mode)
  }
  validateV2Devices(add, 'filesystems', storage)
  for (const [index, link] of (storage.links ?? []).entries()) validateNode(add, ['storage', 'links', index], link)
  validateV2Devices(add, 'raid', storage)
}

function validateNode(add: AddFinding, path: Path, { filesystem = '', group, path: place = '', user }: V2Node): void {
  if (filesystem === '') add('error', [...path, 'filesystem'], 'no filesystem specified')
  if (group?.id !== undefined && group.name) add('error', [...path, 'group'], 'cannot set both id and name')
  if (!place.startsWith('/')) add('error', [...path, 'path'], 'path not absolute')
  if (user?.id !== undefined && user.name) add('error', [...path, 'user'], 'cannot set both id and name')
}

function validateMode(add: AddFinding, path: Path, mode: number | undefined): void {
  if (mode === undefined) add('warning', path, 'permissions unset, defaulting to 0000')
  else if (mode < 0 || mode > 0o7777) add('error', path, 'illegal file mode')
}

/** The members of the deprecated `create` object also stand on the user; both at once contradict each other. */
function validateUser(add: AddFinding, path: Path, user: V2User): void {
  if (user.create === undefined) return
  add('warning', path, 'the create object has been deprecated in favor of user-level options')
  const members = [
    'gecos',
    'groups',
    'homeDir',
    'noCreateHome',
    'noLogInit',
    'noUserGroup',
    'primaryGroup',
    'shell',
    'system',
  ] as const
  const given = members.filter((name) => {
    const value = user[name]
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
  for (const name of [...given, ...(user.uid === undefined ? [] : ['uid'])]) {
    add('error', path, `cannot use both the create object and the user-level ${name} field`)
  }
}

function validateUnit(
  add: AddFinding,
  path: Path,
  { contents = '', dropins = [], enable, enabled, name = '' }: V2Unit,
): void {
  const { sections, fault } = readUnitFile(contents)
  if (fault !== undefined) add('error', [...path, 'contents'], `invalid unit content: ${fault}`)
  else if ((enable === true || enabled === true) && contents !== '' && !sections.has('Install')) {
    add('warning', [...path, 'contents'], noInstallText(name))
  }
  validateDropins(add, path, dropins, 'systemd')
  if (!unitExtensions.has(extensionOf(name))) add('error', [...path, 'name'], 'invalid systemd unit extension')
}

function validateNetworkUnit(add: AddFinding, path: Path, { contents = '', dropins = [], name = '' }: V2Unit): void {
  const { fault } = readUnitFile(contents)
  if (fault !== undefined) add('error', path, `invalid unit content: ${fault}`)
  if (!['.link', '.netdev', '.network'].includes(extensionOf(name)))
    add('error', path, 'invalid networkd unit extension')
  validateDropins(add, path, dropins, 'networkd')
}

function validateDropins(add: AddFinding, path: Path, dropins: NonNullable<V2Unit['dropins']>, kind: string): void {
  for (const [index, { contents = '', name = '' }] of dropins.entries()) {
    const at = [...path, 'dropins', index]
    const { fault } = readUnitFile(contents)
    // The reference names the whole drop-in, not the member.
    if (fault !== undefined) add('error', at, `invalid unit content: ${fault}`)
    if (extensionOf(name) !== '.conf') add('error', at, `invalid ${kind} drop-in extension`)
  }
}
