import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KubernetesObject } from '../api/meta.ts'
import { type Change, Store } from './store.ts'

const object = (name: string, version: string, color = 'red', uid = name): KubernetesObject => ({
  metadata: { name, resourceVersion: version, uid, labels: { color } },
})
const fail = (error: unknown) => {
  throw error
}
const byColor = ({ metadata }: KubernetesObject) => [metadata.labels?.color ?? '']

function storeWithLog(): { store: Store<KubernetesObject>; log: Change<KubernetesObject>[] } {
  const store = new Store<KubernetesObject>(fail)
  const log: Change<KubernetesObject>[] = []
  store.subscribe((change) => log.push(change))
  return { store, log }
}

test('Store.replace reports adds, changes and removals, and nothing for the same version', () => {
  const { store, log } = storeWithLog()
  store.replace([object('a', '1'), object('b', '1'), object('c', '1')])
  log.length = 0
  store.replace([object('a', '1'), object('b', '2'), object('d', '1')])
  expect(log.map(({ old, now }) => [old?.metadata.name, now?.metadata.name])).toEqual([
    ['b', 'b'],
    [undefined, 'd'],
    ['c', undefined],
  ])
})

test('Store.replace reports an object that was deleted and created anew as two changes', () => {
  const { store, log } = storeWithLog()
  store.replace([object('a', '1', 'red', 'uid-1')])
  log.length = 0
  store.replace([object('a', '5', 'red', 'uid-2')])
  expect(log.map(({ old, now }) => [old?.metadata.uid, now?.metadata.uid])).toEqual([
    ['uid-1', undefined],
    [undefined, 'uid-2'],
  ])
})

test('Store tells a late subscriber of everything that is there', () => {
  const store = new Store<KubernetesObject>(fail)
  store.replace([object('a', '1')])
  const seen: unknown[] = []
  const unsubscribe = store.subscribe((change) => seen.push(change))
  unsubscribe()
  store.upsert(object('b', '2'))
  expect(seen).toEqual([{ now: object('a', '1') }])
})

test('Store keeps a failing handler away from the others', () => {
  const errors: unknown[] = []
  const store = new Store<KubernetesObject>((error) => errors.push(error))
  const seen: unknown[] = []
  store.subscribe(() => fail(new Error('bug')))
  store.subscribe((change) => seen.push(change))
  store.upsert(object('a', '1'))
  expect([errors.length, seen.length]).toEqual([1, 1])
})

test('Store.list returns the same array until something changes', () => {
  const store = new Store<KubernetesObject>(fail)
  store.upsert(object('a', '1'))
  const before = store.list()
  expect(store.list()).toBe(before)
  store.remove(object('a', '1'))
  expect(store.list()).toEqual([])
})

test('Store.byIndex names the known indices when asked for another', () => {
  const store = new Store<KubernetesObject>(fail)
  store.addIndex('color', byColor)
  expect(() => store.byIndex('colour', 'red')).toThrow('no index "colour"; known are: color')
})

test('Store.byIndex always equals a scan, whatever the history', () => {
  const names = fc.constantFrom('a', 'b', 'c')
  const colors = fc.constantFrom('red', 'green')
  const step = fc.oneof(
    fc.record({ op: fc.constant('upsert' as const), name: names, color: colors }),
    fc.record({ op: fc.constant('remove' as const), name: names, color: colors }),
    fc.record({ op: fc.constant('replace' as const), name: names, color: colors }),
  )
  fc.assert(
    fc.property(fc.array(step), fc.nat(10), (steps, indexedAt) => {
      const store = new Store<KubernetesObject>(fail)
      for (const [turn, { op, name, color }] of steps.entries()) {
        if (turn === indexedAt) store.addIndex('color', byColor)
        const subject = object(name, String(turn), color)
        if (op === 'upsert') store.upsert(subject)
        else if (op === 'remove') store.remove(subject)
        else store.replace([subject])
      }
      store.addIndex('again', byColor)
      for (const color of ['red', 'green']) {
        const scan = store.list().filter((found) => byColor(found)[0] === color)
        expect(new Set(store.byIndex('again', color))).toEqual(new Set(scan))
        if (steps.length > indexedAt) expect(new Set(store.byIndex('color', color))).toEqual(new Set(scan))
      }
    }),
  )
})
