import { afterEach, describe, expect, test } from 'vitest'
import type { RevisionStore } from './revisionStore.ts'

/** What every RevisionStore promises. `open` gives a store over the same place each time it is called in one test. */
export function storeContract(
  name: string,
  setUp: () => { open: () => RevisionStore; durable: boolean; remove: () => void },
): void {
  const bytes = (text: string) => Buffer.from(text)
  const cleanups: (() => void)[] = []
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup()
  })
  const place = () => {
    const made = setUp()
    cleanups.push(made.remove)
    return made
  }
  const texts = async (store: RevisionStore) => {
    const { revision, objects } = await store.load()
    return {
      revision,
      objects: Object.fromEntries(objects.map(({ path, value }) => [path, Buffer.from(value).toString()])),
    }
  }

  describe(`${name} as a RevisionStore`, () => {
    test('is empty at revision 0 when nothing was written', async () => {
      const store = place().open()
      expect(await texts(store)).toEqual({ revision: 0, objects: {} })
      await store.close()
    })

    test('gives back the last value of each path and the last revision', async () => {
      const store = place().open()
      await store.commit({ revision: 2, writes: [{ path: 'core/nodes/a', value: bytes('{"v":1}') }] })
      await store.commit({
        revision: 5,
        writes: [
          { path: 'core/nodes/a', value: bytes('{"v":2}') },
          { path: 'core/pods/default/b', value: bytes('{}') },
        ],
      })
      expect(await texts(store)).toEqual({
        revision: 5,
        objects: { 'core/nodes/a': '{"v":2}', 'core/pods/default/b': '{}' },
      })
      await store.close()
    })

    test('forgets a removed path and keeps its revision', async () => {
      const store = place().open()
      await store.commit({ revision: 1, writes: [{ path: 'core/nodes/a', value: bytes('{}') }] })
      await store.commit({ revision: 2, writes: [{ path: 'core/nodes/a', value: undefined }] })
      expect(await texts(store)).toEqual({ revision: 2, objects: {} })
      await store.close()
    })

    test('removes a path that does not exist without complaint', async () => {
      const store = place().open()
      await store.commit({ revision: 1, writes: [{ path: 'core/nodes/a', value: undefined }] })
      expect(await texts(store)).toEqual({ revision: 1, objects: {} })
      await store.close()
    })

    test('holds values larger than a page and text outside ASCII', async () => {
      const store = place().open()
      const large = `"${'ü'.repeat(200_000)}"`
      await store.commit({ revision: 1, writes: [{ path: 'core/configmaps/default/big', value: bytes(large) }] })
      expect((await texts(store)).objects['core/configmaps/default/big']).toBe(large)
      await store.close()
    })

    test('refuses a commit after close instead of pretending', async () => {
      const store = place().open()
      await store.close()
      await expect(async () =>
        store.commit({ revision: 1, writes: [{ path: 'core/nodes/a', value: bytes('{}') }] }),
      ).rejects.toThrow()
    })

    test('finds everything again after close and open when it is durable', async () => {
      const { open, durable } = place()
      const first = open()
      await first.commit({ revision: 7, writes: [{ path: 'core/nodes/a', value: bytes('{"kept":true}') }] })
      await first.close()
      if (!durable) return
      const second = open()
      expect(await texts(second)).toEqual({ revision: 7, objects: { 'core/nodes/a': '{"kept":true}' } })
      await second.close()
    })
  })
}
