import { createHash } from 'node:crypto'
import { createTwoFilesPatch } from 'diff'
import { decodeContents } from '../ignition/contents.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { File, IgnitionConfig, NodeOwner, Unit } from '../ignition/types.ts'
import type { MachineConfigView } from './configDiff.ts'

/** One thing that is different on a node after a change, fit to be shown: contents as text only when that is safe. */
export interface ChangeLine {
  /** A path, `unit NAME`, `unit NAME drop-in NAME`, `user NAME`, or a field such as `kernelArguments`. */
  readonly subject: string
  readonly change: 'added' | 'removed' | 'changed'
  /** What changed in it, e.g. `mode 0644 -> 0600`. Never contents. */
  readonly details: readonly string[]
  /** Unified diff of the contents: text that is not secret. */
  readonly patch?: string
}

export interface DescribeOptions {
  /** Show contents of secret files too. */
  readonly showSecrets?: boolean
  /** Paths that an author marked as secret. Files that only their owner may read are secret without a mark. */
  readonly secretPaths?: ReadonlySet<string>
  /** Compare the texts line by line, which costs time: not for those who only ask what differs. */
  readonly patches?: boolean
}

/** Everything that differs between two configs, files first, in the order of the new config and then of the old one. */
export function describeChange(
  old: MachineConfigView,
  next: MachineConfigView,
  options: DescribeOptions = {},
): ChangeLine[] {
  return [
    ...fileLines(old.ignition, next.ignition, options),
    ...unitLines(old.ignition, next.ignition, options),
    ...userLines(old.ignition, next.ignition),
    ...sectionLines(old.ignition, next.ignition),
    ...fieldLines(old, next),
  ]
}

function fileLines(old: IgnitionConfig, next: IgnitionConfig, options: DescribeOptions): ChangeLine[] {
  const before = byKey(old.storage?.files ?? [], (file) => file.path)
  const after = byKey(next.storage?.files ?? [], (file) => file.path)
  return keysOf(after, before).flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)]
    if (equalValue(was, is)) return []
    const secret = [was, is].some((file) => file !== undefined && isSecret(file, options))
    return [
      withContents(
        { subject: path, change: changeOf(was, is), details: fileDetails(was, is) },
        contentsOf(was),
        contentsOf(is),
        secret,
        options,
      ),
    ]
  })
}

/** Readable by its owner alone, or marked by its author. */
function isSecret(file: File, { showSecrets = false, secretPaths }: DescribeOptions): boolean {
  if (showSecrets) return false
  return (secretPaths?.has(file.path) ?? false) || ((file.mode ?? 0o644) & 0o077) === 0
}

function fileDetails(was: File | undefined, is: File | undefined): string[] {
  return [
    ...detail('mode', octal(was), octal(is)),
    ...detail('user', ownerText(was?.user), ownerText(is?.user)),
    ...detail('group', ownerText(was?.group), ownerText(is?.group)),
  ]
}

function detail(name: string, was: string | undefined, is: string | undefined): string[] {
  if (was === is) return []
  if (was === undefined) return [`${name} ${is}`]
  return [is === undefined ? `${name} was ${was}` : `${name} ${was} -> ${is}`]
}

const octal = (file: File | undefined): string | undefined => file && `0${(file.mode ?? 0o644).toString(8)}`

const ownerText = (owner: NodeOwner | undefined): string | undefined =>
  owner?.name ?? (owner?.id === undefined ? undefined : String(owner.id))

type Contents =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string }

function contentsOf(file: File | undefined): Contents {
  if (!file) return { kind: 'none' }
  const { value, issues } = decodeContents(file.contents)
  return value
    ? { kind: 'bytes', bytes: value }
    : { kind: 'unreadable', why: issues.map((issue) => issue.message).join('; ') }
}

function withContents(
  line: ChangeLine,
  was: Contents,
  is: Contents,
  secret: boolean,
  options: DescribeOptions,
): ChangeLine {
  const unreadable = [was, is].find((contents) => contents.kind === 'unreadable')
  if (unreadable?.kind === 'unreadable')
    return { ...line, details: [...line.details, `contents cannot be decoded: ${unreadable.why}`] }
  const before = was.kind === 'bytes' ? was.bytes : undefined
  const after = is.kind === 'bytes' ? is.bytes : undefined
  if (before && after && Buffer.compare(before, after) === 0) return line
  const texts = [before, after].map((bytes) => (bytes ? asText(bytes) : ''))
  const [beforeText, afterText] = texts
  if (secret || beforeText === undefined || afterText === undefined) {
    const why = secret ? 'secret' : 'binary'
    return { ...line, details: [...line.details, `contents (${why}) ${summary(before)} -> ${summary(after)}`] }
  }
  return withPatch(line, line.subject, beforeText, afterText, options)
}

const summary = (bytes: Uint8Array | undefined): string =>
  bytes ? `${bytes.length} bytes sha256:${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}` : 'nothing'

/** The text, or undefined for bytes that are not UTF-8 text. */
function asText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * The time of a comparison grows with the square of the lines that differ: a bundle of a thousand certificates, all of them
 * replaced, took minutes. What is only added or removed is not compared.
 */
const maxDifferentLines = 1_000

/** With the hunks of a unified diff; the file's name stands above them already. */
function withPatch(
  line: ChangeLine,
  name: string,
  was: string,
  is: string,
  { patches = true }: DescribeOptions,
): ChangeLine {
  if (!patches) return line
  const limit = was === '' || is === '' ? {} : { maxEditLength: maxDifferentLines }
  const patch = createTwoFilesPatch(name, name, was, is, '', '', { context: 3, ...limit })?.trimEnd()
  if (patch !== undefined) return { ...line, patch: patch.slice(Math.max(0, patch.indexOf('@@'))) }
  const [before, after] = [was, is].map((text) => summary(Buffer.from(text)))
  return {
    ...line,
    details: [...line.details, `contents (more than ${maxDifferentLines} lines) ${before} -> ${after}`],
  }
}

function unitLines(old: IgnitionConfig, next: IgnitionConfig, options: DescribeOptions): ChangeLine[] {
  const before = byKey(old.systemd?.units ?? [], (unit) => unit.name)
  const after = byKey(next.systemd?.units ?? [], (unit) => unit.name)
  return keysOf(after, before).flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    return equalValue(was, is)
      ? []
      : [unitLine(name, was, is, options), ...dropinLines(name, was, is, options)].filter((line) => line !== undefined)
  })
}

function unitLine(
  name: string,
  was: Unit | undefined,
  is: Unit | undefined,
  options: DescribeOptions,
): ChangeLine | undefined {
  const details = [
    ...detail('enabled', flagText(was?.enabled), flagText(is?.enabled)),
    ...detail('mask', flagText(was?.mask), flagText(is?.mask)),
  ]
  const sameContents = (was?.contents ?? '') === (is?.contents ?? '')
  if (was && is && sameContents && details.length === 0) return undefined
  const line: ChangeLine = { subject: `unit ${name}`, change: changeOf(was, is), details }
  return sameContents ? line : withPatch(line, name, was?.contents ?? '', is?.contents ?? '', options)
}

function dropinLines(
  unit: string,
  was: Unit | undefined,
  is: Unit | undefined,
  options: DescribeOptions,
): ChangeLine[] {
  const before = byKey(was?.dropins ?? [], (dropin) => dropin.name)
  const after = byKey(is?.dropins ?? [], (dropin) => dropin.name)
  return keysOf(after, before).flatMap((name) => {
    const [old, next] = [before.get(name), after.get(name)]
    if (equalValue(old, next)) return []
    const line = { subject: `unit ${unit} drop-in ${name}`, change: changeOf(old, next), details: [] }
    return [withPatch(line, name, old?.contents ?? '', next?.contents ?? '', options)]
  })
}

const flagText = (flag: boolean | undefined): string | undefined => (flag === undefined ? undefined : String(flag))

/** Keys are shown by their comment and type, password hashes never. */
function userLines(old: IgnitionConfig, next: IgnitionConfig): ChangeLine[] {
  const before = byKey(old.passwd?.users ?? [], (user) => user.name)
  const after = byKey(next.passwd?.users ?? [], (user) => user.name)
  return keysOf(after, before).flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (equalValue(was, is)) return []
    const had = new Set(was?.sshAuthorizedKeys)
    const has = new Set(is?.sshAuthorizedKeys)
    const details = [
      ...[...has].filter((key) => !had.has(key)).map((key) => `ssh key added: ${keyName(key)}`),
      ...[...had].filter((key) => !has.has(key)).map((key) => `ssh key removed: ${keyName(key)}`),
      ...(was?.passwordHash !== is?.passwordHash ? ['password changed'] : []),
    ]
    return [{ subject: `user ${name}`, change: changeOf(was, is), details }]
  })
}

function keyName(key: string): string {
  const [type = '', body = '', ...comment] = key.trim().split(/\s+/)
  const fingerprint = createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64').replace(/=+$/, '')
  return [type, `SHA256:${fingerprint}`, ...comment].join(' ')
}

/** Sections that a running node cannot change, or that only the first boot reads: that they differ is what matters. */
function sectionLines(old: IgnitionConfig, next: IgnitionConfig): ChangeLine[] {
  const sections = (config: IgnitionConfig): Readonly<Record<string, unknown>> => {
    const { directories, links, disks, filesystems, luks, raid } = config.storage ?? {}
    const { version: _version, ...ignition } = config.ignition
    return {
      'storage.directories': directories,
      'storage.links': links,
      'storage.disks': disks,
      'storage.filesystems': filesystems,
      'storage.luks': luks,
      'storage.raid': raid,
      'passwd.groups': config.passwd?.groups,
      'config.kernelArguments': config.kernelArguments,
      'config.ignition': Object.keys(ignition).length > 0 ? ignition : undefined,
    }
  }
  const [before, after] = [sections(old), sections(next)]
  return Object.keys(after).flatMap((subject) => {
    const [was, is] = [before[subject], after[subject]]
    return equalValue(was, is) ? [] : [{ subject, change: changeOf(was, is), details: [] }]
  })
}

function fieldLines(old: MachineConfigView, next: MachineConfigView): ChangeLine[] {
  const fields = ['osImageURL', 'kernelType', 'fips', 'kernelArguments', 'extensions'] as const
  return fields.flatMap((field) => {
    const [was, is] = [old[field], next[field]]
    if (equalValue(was, is)) return []
    const show = (value: typeof was): string =>
      Array.isArray(value) ? `[${value.join(' ')}]` : String(value) || '(none)'
    return [{ subject: field, change: 'changed' as const, details: [`${show(was)} -> ${show(is)}`] }]
  })
}

const changeOf = (was: unknown, is: unknown): ChangeLine['change'] =>
  was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'

const byKey = <T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [key(item), item]))

/** Keys of the first map in its order, then those that only the second has. */
const keysOf = (first: ReadonlyMap<string, unknown>, second: ReadonlyMap<string, unknown>): string[] => [
  ...first.keys(),
  ...[...second.keys()].filter((key) => !first.has(key)),
]
