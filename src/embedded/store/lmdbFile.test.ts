import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lmdbStore } from './lmdbStore.ts'

const root = mkdtempSync(join(tmpdir(), 'mco-lmdb-'))
const good = join(root, 'good')
beforeAll(async () => {
  const store = lmdbStore(good)
  for (let revision = 1; revision <= 20; revision += 1) {
    const writes = Array.from({ length: 20 }, (_, index) => ({
      path: `core/pods/a/p${index}-${revision}`,
      value: Buffer.alloc(3000, revision),
    }))
    await store.commit({ revision, writes })
  }
  await store.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fileOf = (directory: string) => join(directory, 'objects.lmdb')
function copied(name: string): string {
  const directory = join(root, name)
  mkdirSync(directory)
  copyFileSync(fileOf(good), fileOf(directory))
  return directory
}

describe('a data file', () => {
  test('that is sound opens with everything in it', async () => {
    const store = lmdbStore(copied('copy'))
    const { revision, objects } = await store.load()
    await store.close()
    expect([revision, objects.length]).toEqual([20, 400])
  })

  test.each([
    ['of another program', 'hello\n'.repeat(10_000)],
    ['of a few bytes', 'x'],
    ['of zeros', Buffer.alloc(100_000)],
  ])('%s is refused in one sentence', (name, content) => {
    const directory = join(root, name)
    mkdirSync(directory)
    writeFileSync(fileOf(directory), content)
    expect(() => lmdbStore(directory)).toThrow(/cannot be used: it is not a database .* choose another directory$/)
  })

  test.each([4096, 8192, 100_000])('that is cut to %i bytes is refused in one sentence', (size) => {
    const directory = copied(`cut-${size}`)
    truncateSync(fileOf(directory), size)
    expect(() => lmdbStore(directory)).toThrow(/cannot be used: it is (cut off: \d+ bytes of \d+|not a database)/)
  })

  test('that is empty is a new one', async () => {
    const directory = join(root, 'empty')
    mkdirSync(directory)
    writeFileSync(fileOf(directory), '')
    const store = lmdbStore(directory)
    expect(await store.load()).toEqual({ revision: 0, objects: [] })
    await store.close()
  })
})
