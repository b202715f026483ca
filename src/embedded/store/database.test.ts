import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApiObject } from '../server/resource.ts'
import { Database } from './database.ts'
import type { Change } from './history.ts'
import { memoryStore } from './memoryStore.ts'
import type { Batch, RevisionStore } from './revisionStore.ts'

const pathOf = (name: string, namespace = '') => ({ collection: 'core/things', namespace, name })
const object = (name: string, value: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  value,
})

/** A memory store whose commits wait until they are let through, or fail. */
function gatedStore() {
  const inner = memoryStore()
  const batches: Batch[] = []
  let gate: { release: () => void; fail: (error: Error) => void } | undefined
  const store: RevisionStore = {
    ...inner,
    async commit(batch) {
      batches.push(batch)
      await new Promise<void>((resolve, reject) => {
        gate = { release: resolve, fail: reject }
      })
      await inner.commit(batch)
    },
  }
  const begun = async () => {
    while (!gate) await new Promise(setImmediate)
    const taken = gate
    gate = undefined
    return taken
  }
  return { store, batches, begun }
}

describe('Database', () => {
  test('refuses what cannot be stored without a gap or a failure for others', async () => {
    const database = await Database.open(memoryStore())
    const large = { ...object('large', 1), text: 'x'.repeat(1.6 * 1024 * 1024) }
    expect(() => database.put(pathOf('large'), large)).toThrow('etcdserver: request is too large')
    expect(() => database.put(pathOf('n'.repeat(2000)), object('n', 1))).toThrow('more than 600 characters')
    expect((await database.put(pathOf('a'), object('a', 1))).revision).toBe(2)
  })

  test('stamps each write with the next revision as resourceVersion', async () => {
    const database = await Database.open(memoryStore())
    const first = await database.put(pathOf('a'), object('a', 1))
    const second = await database.put(pathOf('a'), object('a', 2))
    expect([first.revision, second.revision]).toEqual([2, 3])
    expect(second.object.metadata.resourceVersion).toBe('3')
    expect(JSON.parse(second.json.toString())).toEqual({
      ...object('a', 2),
      metadata: { name: 'a', resourceVersion: '3' },
    })
  })

  test('keeps only the bytes of a state that another one has replaced, and reads it from them', async () => {
    const database = await Database.open(memoryStore())
    const first = await database.put(pathOf('a'), object('a', 1))
    const asWritten = first.object
    await database.put(pathOf('a'), object('a', 2))
    expect(first.object).not.toBe(asWritten)
    expect(first.object).toEqual(asWritten)
  })

  test('shows a write to new decisions at once and to readers only when it is durable', async () => {
    const { store, begun } = gatedStore()
    const database = await Database.open(store)
    const written = database.put(pathOf('a'), object('a', 1))
    const gate = await begun()
    expect(database.latest(pathOf('a'))?.object.value).toBe(1)
    expect(database.get(pathOf('a'))).toBeUndefined()
    expect(database.revision).toBe(1)
    gate.release()
    await written
    expect(database.get(pathOf('a'))?.object.value).toBe(1)
    expect(database.revision).toBe(2)
  })

  test('commits the writes that arrive during a commit together', async () => {
    const { store, batches, begun } = gatedStore()
    const database = await Database.open(store)
    const first = database.put(pathOf('a'), object('a', 1))
    const gate = await begun()
    const later = [
      database.put(pathOf('b'), object('b', 1)),
      database.put(pathOf('c'), object('c', 1)),
      database.put(pathOf('b'), object('b', 2)),
    ]
    gate.release()
    await first
    ;(await begun()).release()
    await Promise.all(later)
    expect(batches.map(({ revision, writes }) => [revision, writes.map(({ path }) => path)])).toEqual([
      [2, ['core/things/a']],
      [5, ['core/things/b', 'core/things/c']],
    ])
    expect(database.get(pathOf('b'))?.object.value).toBe(2)
  })

  test('fails every write that may rest on a failed commit and shows none of them', async () => {
    const { store, begun } = gatedStore()
    const database = await Database.open(store)
    const changes: Change[] = []
    database.listen((change) => changes.push(change))
    const first = database.put(pathOf('a'), object('a', 1))
    const gate = await begun()
    const second = database.put(pathOf('a'), object('a', 2))
    gate.fail(new Error('disk full'))
    await expect(first).rejects.toThrow('did not reach the disk')
    await expect(second).rejects.toThrow('did not reach the disk')
    expect(database.latest(pathOf('a'))).toBeUndefined()
    expect(changes).toEqual([])
    const third = database.put(pathOf('a'), object('a', 3))
    ;(await begun()).release()
    expect((await third).object.value).toBe(3)
  })

  test('settled waits for what is decided, also when it fails', async () => {
    const { store, begun } = gatedStore()
    const database = await Database.open(store)
    const written = database.put(pathOf('a'), object('a', 1))
    const settled = database.settled()
    ;(await begun()).fail(new Error('disk full'))
    await expect(written).rejects.toThrow()
    await settled
  })

  test('tells listeners each change once, in revision order, with the state before', async () => {
    const database = await Database.open(memoryStore())
    const seen: string[] = []
    database.listen(({ type, entry, previous }) =>
      seen.push(`${type} ${entry.revision} after ${previous?.revision ?? 'nothing'}`),
    )
    await Promise.all([
      database.put(pathOf('a'), object('a', 1)),
      database.put(pathOf('a'), object('a', 2)),
      database.remove(pathOf('a'), object('a', 2)),
    ])
    expect(seen).toEqual(['ADDED 2 after nothing', 'MODIFIED 3 after 2', 'DELETED 4 after 3'])
  })

  test('gives everything back after a restart, with the revision, and knows no older history', async () => {
    const store = memoryStore()
    const before = await Database.open(store)
    await before.put(pathOf('a', 'ns'), object('a', 1))
    await before.put(pathOf('b', 'ns'), object('b', 1))
    await before.remove(pathOf('a', 'ns'), object('a', 1))
    const after = await Database.open(store)
    expect(after.revision).toBe(before.revision)
    expect(
      after
        .collection('core/things')
        .list()
        .map(({ key }) => key),
    ).toEqual(['ns/b'])
    expect(after.collection('core/things').history.horizon).toBe(after.revision)
  })
})

describe('Database history', () => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    namespace: fc.constantFrom('x', 'y'),
    kind: fc.constantFrom('put', 'remove'),
  })

  test('reconstructs the list of every past revision, for any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const database = await Database.open(memoryStore())
        const collection = database.collection('core/things')
        const snapshots: [number, number[]][] = [[database.revision, []]]
        for (const { name, namespace, kind } of steps) {
          const path = pathOf(name, namespace)
          if (kind === 'put') await database.put(path, object(name, snapshots.length))
          else if (database.get(path)) await database.remove(path, object(name, 0))
          snapshots.push([database.revision, collection.list().map(({ revision }) => revision)])
        }
        for (const [revision, entries] of snapshots) {
          expect(collection.listAt(revision)?.map((entry) => entry.revision)).toEqual(entries)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('replayed from any past revision ends at the present state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(), async (steps, where) => {
        const database = await Database.open(memoryStore())
        const collection = database.collection('core/things')
        let start = { revision: database.revision, state: new Map<string, number>() }
        for (const [index, { name, namespace, kind }] of steps.entries()) {
          const path = pathOf(name, namespace)
          if (kind === 'put') await database.put(path, object(name, index))
          else if (database.get(path)) await database.remove(path, object(name, 0))
          if (index === where % steps.length) {
            start = {
              revision: database.revision,
              state: new Map(collection.list().map(({ key, revision }) => [key, revision])),
            }
          }
        }
        for (const { type, entry } of collection.history.since(start.revision)) {
          if (type === 'DELETED') start.state.delete(entry.key)
          else start.state.set(entry.key, entry.revision)
        }
        expect(start.state).toEqual(new Map(collection.list().map(({ key, revision }) => [key, revision])))
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    { limits: { changes: 3, ageMs: 1e9, sizeBytes: 1e9 }, why: 'count' },
    { limits: { changes: 1e9, ageMs: 1e9, sizeBytes: 280 }, why: 'size' },
    { limits: { changes: 1e9, ageMs: 25, sizeBytes: 1e9 }, why: 'age' },
  ])('forgets the oldest changes by $why and says up to where', async ({ limits }) => {
    let nowMs = 0
    const database = await Database.open(memoryStore(), { limits, nowMs: () => nowMs })
    for (let value = 0; value < 6; value += 1) {
      nowMs += 10
      await database.put(pathOf('a'), object('a', value))
    }
    const { history } = database.collection('core/things')
    expect(history.horizon).toBe(4)
    expect(history.since(history.horizon).map(({ revision }) => revision)).toEqual([5, 6, 7])
    expect(database.collection('core/things').listAt(3)).toBeUndefined()
  })
})
