import type { UserAccount } from '../host/host.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { Change } from './change.ts'
import { type HostFacts, keyPaths } from './hostFacts.ts'
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
  planKeys(
    plan,
    facts,
    facts.sshUser,
    change.authorizedKeysFile,
    after.flatMap((user) => user.sshAuthorizedKeys ?? []),
  )
  const user = after.findLast((candidate) => candidate.name === sshUser)
  if (user || before.some((candidate) => candidate.name === sshUser))
    planPassword(plan, facts, sshUser, user?.passwordHash)
  for (const { name } of after)
    if (name !== sshUser) plan.note(`user "${name}" is not made: only "${sshUser}" is managed`)
}

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
  const content = Buffer.from(authorizedKeysText(keys))
  const attributes = { mode: 0o600, ...owner }
  const present = replaced ? undefined : facts.paths.get(file)
  if (present?.kind === 'directory' || present?.kind === 'other') plan.add({ kind: 'setAside', path: file })
  if (!isFileAsWanted(present, content, attributes)) plan.writeFile(file, content, attributes)
}

function planPassword(plan: PlanBuilder, facts: HostFacts, user: string, hash: string | undefined): void {
  const wanted = hash || lockedHash
  if (wanted === (facts.passwordHash ?? lockedHash)) return
  plan.add({ kind: 'setPasswordHash', user, content: plan.contentKey(Buffer.from(wanted)) })
}
