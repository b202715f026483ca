import { describe, expect, test } from 'vitest'
import { Collection } from './collection.ts'
import { Entry } from './entry.ts'
import { defaultHistoryLimits } from './history.ts'

function collectionOf(...keys: string[]): Collection {
  const collection = new Collection('core/things', 1, defaultHistoryLimits)
  for (const [index, key] of keys.entries()) {
    const [namespace, name] = key.includes('/') ? (key.split('/') as [string, string]) : ['', key]
    collection.restore(
      new Entry({ collection: 'core/things', namespace, name }, index + 2, {
        apiVersion: 'v1',
        kind: 'Thing',
        metadata: { name },
      }),
    )
  }
  return collection
}

const keysOf = (entries: readonly Entry[]): string[] => entries.map(({ key }) => key)

describe('Collection', () => {
  test('lists by namespace and name, whatever the order of arrival', () => {
    expect(keysOf(collectionOf('b/z', 'a/y', 'b/a', 'a/x').list())).toEqual(['a/x', 'a/y', 'b/a', 'b/z'])
  })

  test('lists one namespace and not those that only begin like it', () => {
    expect(keysOf(collectionOf('a/x', 'a-b/y', 'ab/z').list('a'))).toEqual(['a/x'])
  })

  test('lists nothing for a namespace without objects', () => {
    expect(keysOf(collectionOf('a/x').list('b'))).toEqual([])
  })

  test('keeps one entry per key', () => {
    const collection = collectionOf('n1', 'n1')
    expect(collection.size).toBe(1)
    expect(collection.get('n1')?.revision).toBe(3)
  })
})
