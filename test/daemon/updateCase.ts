import { openJournal } from '../../src/daemon/journal.ts'
import { emptyLoadedConfig, type LoadedConfig } from '../../src/daemon/loadConfig.ts'
import { prepareUpdate } from '../../src/daemon/prepareUpdate.ts'
import { applyPlan, commit } from '../../src/daemon/transaction.ts'
import { defaultPolicies } from '../../src/forecast/disruptionPolicies.ts'
import { config, newRoot, testHost } from './builders.ts'

// One update with every kind of step, for the tests of the transaction and of its crashes.

const unit = (name: string, description: string, enabled?: boolean) => ({
  name,
  contents: `[Unit]\nDescription=${description}\n[Install]\nWantedBy=${description}.target\n`,
  ...(enabled === undefined ? {} : { enabled }),
})

export const old = config({
  name: 'rendered-old',
  files: { '/etc/keep': 'same', '/etc/change': 'old', '/etc/drop': 'old only', '/etc/vendor.conf': 'ours' },
  units: [
    unit('a.service', 'one', true),
    { name: 'b.service', mask: true },
    { ...unit('c.service', 'c', true), dropins: [{ name: 'x.conf', contents: '[Unit]\n' }] },
  ],
  keys: ['ssh-ed25519 old'],
  kernelArguments: ['nosmt'],
})
export const next = config({
  name: 'rendered-new',
  files: { '/etc/keep': 'same', '/etc/change': { text: 'new', mode: 0o600 }, '/etc/new/deep/file': 'new' },
  units: [unit('a.service', 'two', true), unit('d.service', 'd', true)],
  keys: ['ssh-ed25519 new'],
  passwordHash: '$6$x',
  kernelArguments: ['audit=1'],
})

export function hostAt(root: string, checkpoint?: (point: string) => void) {
  const host = testHost(root, checkpoint ? { checkpoint } : {})
  return { host, journal: openJournal(host.files) }
}

export async function update(
  root: string,
  from: LoadedConfig,
  to: LoadedConfig,
  checkpoint?: (point: string) => void,
  { keep = false } = {},
): Promise<void> {
  const { host, journal } = hostAt(root, checkpoint)
  try {
    const prepared = await prepareUpdate(host, from, to, { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    await applyPlan({
      host,
      journal,
      plan: prepared.plan,
      id: 't1',
      from: from.view.name,
      to: to.view.name,
      actions: [],
    })
    await commit(host, journal, { keep })
  } finally {
    host.close()
  }
}

/** A machine at the old config, with a vendor file and a `.ssh` that belongs to somebody else. */
export async function machineAtOld(): Promise<string> {
  const root = newRoot({ 'etc/vendor.conf': 'vendor', 'home/core/.ssh/config': 'theirs' })
  await update(root, emptyLoadedConfig, old)
  const { host } = hostAt(root)
  await host.files.setAttributes('/home/core/.ssh', { mode: 0o700, uid: 7, gid: 7 })
  host.close()
  return root
}
