import type { UserAccount } from '../host/host.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { PasswdUser } from '../ignition/types.ts'
import type { Change } from './change.ts'
import { type HostFacts, keyPaths, sha256 } from './hostFacts.ts'
import { isSharedKeyFile, withKeyBlock } from './keyBlock.ts'
import type { PlanBuilder } from './planBuilder.ts'
import { isFileAsWanted } from './planFiles.ts'

/** What no password matches; the original leaves an empty field in one case, which would let everyone in. */
const lockedHash = '*'

/** SSH keys and password hash of the one user that configs may describe. */
export function planUsers(plan: PlanBuilder, change: Change): void {
  const { old, next, facts, force, sshUser } = change
  const before = old.ignition.passwd?.users ?? []
  const after = next.ignition.passwd?.users ?? []
  const changed = !equalValue(old.ignition.passwd ?? {}, next.ignition.passwd ?? {})
  if (!changed && !(force && after.length > 0)) return
  if (before.length === 0 && after.length === 0) return
  if (!facts.sshUser) {
    plan.note(`user "${sshUser}" does not exist on this host: SSH keys and password are ignored`)
    return
  }
  planKeys(plan, facts, facts.sshUser, change.authorizedKeysFile, keysOf(after), keysOf(before))
  const user = after.findLast((candidate) => candidate.name === sshUser)
  if (user || before.some((candidate) => candidate.name === sshUser))
    planPassword(plan, facts, sshUser, user?.passwordHash)
  for (const { name } of after)
    if (name !== sshUser) plan.note(`user "${name}" is not made: only "${sshUser}" is managed`)
}

const keysOf = (users: readonly PasswdUser[]): readonly string[] =>
  users.flatMap((user) => user.sshAuthorizedKeys ?? [])

/** The exact content of the key file: one key a line; no keys leave an empty file. */
export function authorizedKeysText(keys: readonly string[]): string {
  return keys.map((key) => `${key}\n`).join('')
}

function planKeys(
  plan: PlanBuilder,
  facts: HostFacts,
  user: UserAccount,
  authorizedKeysFile: string,
  keys: readonly string[],
  formerly: readonly string[],
): void {
  const owner = { uid: user.uid, gid: user.gid }
  const [home, ...below] = keyPaths(user, authorizedKeysFile)
  const file = below.pop()
  if (home === undefined || file === undefined) return
  let replaced = false
  for (const directory of [home, ...below]) {
    const present = replaced
      ? ({ kind: 'absent' } as const)
      : (facts.paths.get(directory) ?? { kind: 'absent' as const })
    if (present.kind === 'directory' && (directory === home || present.uid === user.uid)) continue
    if (directory === home && present.kind === 'symlink') continue
    // sshd ignores keys in a directory that belongs to someone else, and that someone could replace them.
    if (present.kind !== 'absent') plan.add({ kind: 'setAside', path: directory })
    plan.add({ kind: 'makeDirectory', path: directory, attributes: { mode: 0o700, ...owner } })
    replaced = true
  }
  const present = replaced ? undefined : facts.paths.get(file)
  const shared = isSharedKeyFile(file)
  const found = (!replaced && facts.sharedKeys) || Buffer.alloc(0)
  const content = shared ? withKeyBlock(found, keys, formerly) : Buffer.from(authorizedKeysText(keys))
  if (shared && content.length === 0) {
    // Only our keys were in it.
    if (found.length > 0) plan.add({ kind: 'remove', path: file })
    return
  }
  // sshd ignores a file that others may write; who may read it is left as it is where the file is not ours alone.
  const mode = shared && present?.kind === 'file' ? present.mode & ~0o022 : 0o600
  const attributes = { mode, ...owner }
  if (present?.kind === 'directory' || present?.kind === 'other') plan.add({ kind: 'setAside', path: file })
  if (!isFileAsWanted(present, sha256(content), attributes)) plan.writeFile(file, content, attributes)
}

function planPassword(plan: PlanBuilder, facts: HostFacts, user: string, hash: string | undefined): void {
  const wanted = hash || lockedHash
  if (wanted === (facts.passwordHash ?? lockedHash)) return
  plan.add({ kind: 'setPasswordHash', user, content: plan.contentKey(Buffer.from(wanted)) })
}
