import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recover } from '../../../src/daemon/recover.ts'
import { Crash, commit, undoOpen } from '../../../src/daemon/transaction.ts'
import { leftovers, removeRoots, tree } from '../../daemon/builders.ts'
import { hostAt, machineAtOld, next, old, update } from '../../daemon/updateCase.ts'

afterEach(removeRoots)

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

  it('leaves the last update whole, to be taken back, or the one before it', async () => {
    const committing: string[] = []
    const isEnd = /\/journal\/(last|ended)/
    await onCopy(async (root) => {
      await update(root, old, next, undefined, { keep: true })
      await update(root, next, old, (point) => isEnd.test(point) && committing.push(point), { keep: true })
    })
    expect(committing.length).toBeGreaterThan(4)
    for (const [index, where] of committing.entries())
      await onCopy(async (root) => {
        await update(root, old, next, undefined, { keep: true })
        let count = 0
        const crash = (point: string): void => {
          if (isEnd.test(point) && count++ >= index) throw new Crash(point)
        }
        await expect(update(root, next, old, crash, { keep: true })).rejects.toThrow(Crash)
        expect(await recoverOnce(root, undefined, { keep: true }), where).toMatch(/^(actionsLeft|clean)$/)
        await commitOpen(root, { keep: true })
        expect(tree(root), where).toEqual(atOld)
        await undoLast(root)
        expect(tree(root), where).toEqual(atNew)
        expect(leftovers(root), where).toEqual([])
      })
  }, 60_000)

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

async function recoverOnce(
  root: string,
  checkpoint?: (point: string) => void,
  options?: { readonly keep: boolean },
): Promise<string> {
  const { host, journal } = hostAt(root, checkpoint)
  try {
    return (await recover(host, journal, undefined, options)).kind
  } finally {
    host.close()
  }
}

async function commitOpen(root: string, options?: { readonly keep: boolean }): Promise<void> {
  const { host, journal } = hostAt(root)
  await commit(host, journal, options)
  host.close()
}

async function undoLast(root: string): Promise<void> {
  const { host, journal } = hostAt(root)
  await journal.reopenLast('asked for')
  expect(await undoOpen(host, journal, 'asked for')).toEqual([])
  host.close()
}
