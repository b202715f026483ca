import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openJournal } from '../../../src/daemon/journal.ts'
import { emptyLoadedConfig, type LoadedConfig } from '../../../src/daemon/loadConfig.ts'
import { prepareUpdate } from '../../../src/daemon/prepareUpdate.ts'
import { recover } from '../../../src/daemon/recover.ts'
import { applyPlan, Crash, commit } from '../../../src/daemon/transaction.ts'
import { defaultPolicies } from '../../../src/forecast/disruptionPolicies.ts'
import { config, leftovers, newRoot, removeRoots, testHost, tree } from '../../daemon/builders.ts'

afterEach(removeRoots)

const unit = (name: string, description: string, enabled?: boolean) => ({
  name,
  contents: `[Unit]\nDescription=${description}\n[Install]\nWantedBy=${description}.target\n`,
  ...(enabled === undefined ? {} : { enabled }),
})

const old = config({
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
const next = config({
  name: 'rendered-new',
  files: { '/etc/keep': 'same', '/etc/change': { text: 'new', mode: 0o600 }, '/etc/new/deep/file': 'new' },
  units: [unit('a.service', 'two', true), unit('d.service', 'd', true)],
  keys: ['ssh-ed25519 new'],
  passwordHash: '$6$x',
  kernelArguments: ['audit=1'],
})

function hostAt(root: string, checkpoint?: (point: string) => void) {
  const host = testHost(root, checkpoint ? { checkpoint } : {})
  return { host, journal: openJournal(host.files) }
}

async function update(
  root: string,
  from: LoadedConfig,
  to: LoadedConfig,
  checkpoint?: (point: string) => void,
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
    await commit(host, journal)
  } finally {
    host.close()
  }
}

/** A machine at the old config, with a vendor file and a `.ssh` that belongs to somebody else. */
async function machineAtOld(): Promise<string> {
  const root = newRoot({ 'etc/vendor.conf': 'vendor', 'home/core/.ssh/config': 'theirs' })
  await update(root, emptyLoadedConfig, old)
  const { host } = hostAt(root)
  await host.files.setAttributes('/home/core/.ssh', { mode: 0o700, uid: 7, gid: 7 })
  host.close()
  return root
}

/** Every n-th point keeps the run short; 1 takes half a minute and visits all. */
const stride = 9

describe('a crash at any point of an update', () => {
  let master: string
  let atOld: Record<string, string>
  let atNew: Record<string, string>
  let points = 0
  beforeAll(async () => {
    master = mkdtempSync(join(tmpdir(), 'mco-crash-'))
    copyTree(await machineAtOld(), master)
    atOld = tree(master)
    await onCopy(async (root) => {
      await update(root, old, next, () => {
        points += 1
      })
      atNew = tree(root)
    })
  })
  afterAll(() => rmSync(master, { recursive: true, force: true }))

  it('leaves a host that the next start brings to the old config, or finds at the new one', async () => {
    expect(points).toBeGreaterThan(150)
    for (let point = 1; point <= points; point += stride) await crashAndRecover(point, undefined)
  }, 120_000)

  it('is survived also when the recovery crashes', async () => {
    for (let point = 3; point <= points; point += 10 * stride)
      for (let second = 1; second <= 80; second += 2 * stride) await crashAndRecover(point, second)
  }, 120_000)

  const crashAndRecover = (point: number, second: number | undefined): Promise<void> =>
    onCopy(async (root) => {
      const where = await crashing(point, (checkpoint) => update(root, old, next, checkpoint))
      if (second !== undefined) await crashing(second, (checkpoint) => recoverOnce(root, checkpoint))
      const recovered = await recoverOnce(root)
      const context = `crash at ${point} (${where ?? 'not reached'}), then ${second ?? 'none'}`
      if (recovered === 'actionsLeft') await commitOpen(root)
      const record = 'etc/machine-config-daemon/currentconfig'
      const isNew = tree(root)[record] === atNew[record]
      expect(tree(root), context).toEqual(isNew ? atNew : atOld)
      expect(leftovers(root), context).toEqual([])
      if (isNew) return
      await update(root, old, next)
      expect(tree(root), context).toEqual(atNew)
    })

  async function onCopy(use: (root: string) => Promise<void>): Promise<void> {
    const root = mkdtempSync(join(tmpdir(), 'mco-crash-'))
    try {
      copyTree(master, root)
      await use(root)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
})

const copyTree = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, mode: 0 })

/** Runs until the n-th checkpoint throws; answers its name, or undefined when it was not reached. */
async function crashing(
  n: number,
  run: (checkpoint: (point: string) => void) => Promise<unknown>,
): Promise<string | undefined> {
  let count = 0
  let where: string | undefined
  try {
    await run((point) => {
      count += 1
      if (count < n) return
      // Dead is dead: nothing that comes after may touch the disk either.
      where ??= point
      throw new Crash(point)
    })
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
  return where
}

async function recoverOnce(root: string, checkpoint?: (point: string) => void): Promise<string> {
  const { host, journal } = hostAt(root, checkpoint)
  try {
    return (await recover(host, journal)).kind
  } finally {
    host.close()
  }
}

async function commitOpen(root: string): Promise<void> {
  const { host, journal } = hostAt(root)
  await commit(host, journal)
  host.close()
}
