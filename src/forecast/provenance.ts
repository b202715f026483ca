import { kernelType } from '../api/names.ts'
import type { Directory, File, IgnitionConfig, Link, PasswdUser, Unit } from '../ignition/types.ts'
import { mergeOrder } from '../render/mergeMachineConfigs.ts'
import type { Fragment } from '../render/parseFragment.ts'

/** One fragment's share of a subject of the merged config. */
export interface Contribution {
  readonly fragment: string
  /** What of the subject it sets: members such as `contents` and `mode`, or its own items of a list. */
  readonly sets: readonly string[]
}

/** Which fragments one subject of the merged config comes from. Subjects are those of `describeChange`. */
export interface Provenance {
  readonly subject: string
  /** In merge order. */
  readonly setBy: readonly Contribution[]
  /** Fragments that say something about the subject, of which nothing is left in the result. */
  readonly overridden: readonly string[]
}

type Source = Pick<
  Fragment,
  'name' | 'role' | 'generatedBy' | 'ignition' | 'osImageURL' | 'kernelArguments' | 'extensions' | 'fips' | 'kernelType'
>

/**
 * Where every path, unit, drop-in, user, kernel argument, extension and field of a merged config comes from, by the order
 * and the rules of the merge: the later fragment wins member by member, lists are joined. Sorted by subject.
 */
export function provenanceOf(fragments: readonly Source[]): ReadonlyMap<string, Provenance> {
  const bySubject = new Map<string, Claim[]>()
  for (const claim of mergeOrder(fragments).flatMap(claimsOf)) {
    const known = bySubject.get(claim.subject)
    if (known) known.push(claim)
    else bySubject.set(claim.subject, [claim])
  }
  const subjects = [...bySubject.keys()].sort()
  return new Map(subjects.map((subject) => [subject, judge(subject, bySubject.get(subject) ?? [])] as const))
}

/** `99-chrony (contents), 50-base (mode)`; a single fragment stands for itself. */
export function describeProvenance({ setBy, overridden }: Provenance): string {
  const [only, second] = setBy
  const setters =
    only && !second
      ? only.fragment
      : setBy.map(({ fragment, sets }) => `${fragment} (${sets.join(', ')})`).join(', ') || 'nobody'
  return overridden.length > 0 ? `${setters}, over ${overridden.join(', ')}` : setters
}

/** What one fragment says about one subject. */
interface Claim {
  readonly subject: string
  readonly fragment: string
  /** Exclusive parts: the last one to claim a part has it. `group` parts end what earlier claims of other groups said. */
  readonly parts: readonly string[]
  readonly group?: string
  /** Parts that add to what others say. */
  readonly joined?: readonly string[]
}

function judge(subject: string, claims: readonly Claim[]): Provenance {
  const winner = new Map<string, Claim>()
  let group = claims[0]?.group
  for (const claim of claims) {
    // A path that becomes a link is no file any more: nothing of the file is left.
    if (claim.group !== group) winner.clear()
    group = claim.group
    for (const part of claim.parts) winner.set(part, claim)
  }
  const found = claims.flatMap((claim): Contribution[] => {
    const joined = claim.group === group ? (claim.joined ?? []) : []
    const sets = [...claim.parts.filter((part) => winner.get(part) === claim), ...joined]
    return sets.length > 0 ? [{ fragment: claim.fragment, sets }] : []
  })
  // A path without any member is an empty file.
  const last = claims.at(-1)
  const setBy = found.length > 0 || !last ? found : [{ fragment: last.fragment, sets: ['path'] }]
  const setters = new Set(setBy.map(({ fragment }) => fragment))
  const overridden = claims.map(({ fragment }) => fragment).filter((fragment) => !setters.has(fragment))
  return { subject, setBy, overridden: [...new Set(overridden)] }
}

function claimsOf(fragment: Source): Claim[] {
  const { name } = fragment
  const config = fragment.ignition.kind === 'parsed' ? ignitionClaims(name, fragment.ignition.config) : []
  const field = (subject: string, isSet: boolean): Claim[] =>
    isSet ? [{ subject, fragment: name, parts: [subject] }] : []
  const list = (subject: string, items: readonly string[]): Claim[] =>
    items.length > 0 ? [{ subject, fragment: name, parts: [], joined: items }] : []
  return [
    ...config,
    // Only users override the image, and a plain `default` never undoes a special kernel.
    ...field('osImageURL', fragment.generatedBy === '' && fragment.osImageURL !== ''),
    ...field('kernelType', fragment.kernelType !== '' && fragment.kernelType !== kernelType.default),
    ...list('fips', fragment.fips ? ['true'] : []),
    ...list('kernelArguments', fragment.kernelArguments),
    ...list('extensions', fragment.extensions),
  ]
}

function ignitionClaims(
  fragment: string,
  { storage = {}, systemd = {}, passwd = {}, ...rest }: IgnitionConfig,
): Claim[] {
  const section = (subject: string, items: readonly unknown[] | undefined): Claim[] =>
    (items ?? []).length > 0 ? [{ subject, fragment, parts: [], joined: [`${items?.length} entries`] }] : []
  return [
    ...(storage.files ?? []).map((file): Claim => ({ fragment, ...fileParts(file) })),
    ...(storage.directories ?? []).map((entry): Claim => ({ fragment, ...nodeParts(entry, 'directory') })),
    ...(storage.links ?? []).map((entry): Claim => ({ fragment, ...nodeParts(entry, 'link') })),
    ...(systemd.units ?? []).flatMap((unit) => unitClaims(fragment, unit)),
    ...(passwd.users ?? []).map((user): Claim => ({ fragment, ...userParts(user) })),
    ...section('storage.directories', storage.directories),
    ...section('storage.links', storage.links),
    ...section('storage.disks', storage.disks),
    ...section('storage.filesystems', storage.filesystems),
    ...section('storage.luks', storage.luks),
    ...section('storage.raid', storage.raid),
    ...section('passwd.groups', passwd.groups),
    ...section('config.kernelArguments', [
      ...(rest.kernelArguments?.shouldExist ?? []),
      ...(rest.kernelArguments?.shouldNotExist ?? []),
    ]),
  ]
}

type Parts = Omit<Claim, 'fragment'>

function fileParts({ path, append, ...file }: File): Parts {
  return {
    subject: path,
    group: 'file',
    parts: [
      ...given({ contents: file.contents?.source, mode: file.mode, overwrite: file.overwrite }),
      ...given({ hash: file.contents?.verification?.hash, user: file.user, group: file.group }),
    ],
    joined: append && append.length > 0 ? ['append'] : [],
  }
}

function nodeParts({ path, ...node }: Directory | Link, group: 'directory' | 'link'): Parts {
  return { subject: path, group, parts: [group, ...given({ ...node })] }
}

/** Drop-ins are subjects of their own; a unit that only has them is still named by its fragment. */
function unitClaims(fragment: string, { name, dropins = [], ...unit }: Unit): Claim[] {
  const own = given({ ...unit })
  return [
    ...(own.length > 0 ? [{ subject: `unit ${name}`, fragment, parts: own }] : []),
    ...dropins.map(({ name: dropin, contents }) => ({
      subject: `unit ${name} drop-in ${dropin}`,
      fragment,
      parts: given({ contents }),
    })),
  ]
}

function userParts({ name, sshAuthorizedKeys = [], groups = [], ...user }: PasswdUser): Parts {
  const keys = sshAuthorizedKeys.length
  return {
    subject: `user ${name}`,
    parts: given({ ...user }),
    joined: [
      ...(keys > 0 ? [`${keys} ssh key${keys === 1 ? '' : 's'}`] : []),
      ...(groups.length > 0 ? ['groups'] : []),
    ],
  }
}

const given = (members: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [name]))
