import type { V2Config, V2File, V2Unit, V2User } from './types.ts'

/**
 * Spec 2 lets later entries override earlier ones, spec 3 forbids repetition: the last file and unit of a name win, drop-ins
 * and keys of earlier ones are kept. Files and units come out from last to first, as in the original (it affects the hash).
 */
export function dedupeV2(config: V2Config): { readonly value: V2Config } | { readonly wireError: string } {
  const users = joinUsers(config.passwd?.users ?? [])
  if ('wireError' in users) return users
  const files = lastFiles(config.storage?.files ?? [])
  const units = joinUnits(config.systemd?.units ?? [])
  return {
    value: {
      ...config,
      ...(config.passwd && { passwd: { ...config.passwd, users: users.value } }),
      ...(config.storage && { storage: { ...config.storage, files } }),
      ...(config.systemd && { systemd: { ...config.systemd, units } }),
    },
  }
}

function lastFiles(files: readonly V2File[]): readonly V2File[] {
  const byPath = new Map<string, V2File>()
  for (const file of files.toReversed()) if (!byPath.has(file.path ?? '')) byPath.set(file.path ?? '', file)
  return [...byPath.values()]
}

function joinUnits(units: readonly V2Unit[]): readonly V2Unit[] {
  const byName = new Map<
    string,
    { readonly unit: V2Unit; readonly added: Map<string, NonNullable<V2Unit['dropins']>[number]> }
  >()
  for (const unit of units.toReversed()) {
    const winner = byName.get(unit.name ?? '')
    if (winner === undefined) {
      byName.set(unit.name ?? '', { unit, added: new Map() })
      continue
    }
    const own = new Set((winner.unit.dropins ?? []).map(({ name = '' }) => name))
    for (const dropin of unit.dropins ?? []) {
      const name = dropin.name ?? ''
      if (!own.has(name) && !winner.added.has(name)) winner.added.set(name, dropin)
    }
  }
  return [...byName.values()].map(({ unit, added }) =>
    added.size === 0 ? unit : { ...unit, dropins: [...(unit.dropins ?? []), ...added.values()] },
  )
}

function joinUsers(users: readonly V2User[]): { readonly value: readonly V2User[] } | { readonly wireError: string } {
  const other = users.find(({ name = '' }) => name !== 'core')
  if (other) return { wireError: `unexpected user with name: ${other.name ?? ''}. Only core user is supported` }
  const last = users.at(-1)
  if (last === undefined) return { value: [] }
  const keys = users.toReversed().flatMap(({ sshAuthorizedKeys = [] }) => sshAuthorizedKeys)
  return { value: [keys.length === 0 ? last : { ...last, sshAuthorizedKeys: [...new Set(keys)] }] }
}
