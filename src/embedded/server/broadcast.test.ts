import { describe, expect, test } from 'vitest'
import { Entry } from '../store/entry.ts'
import type { Change } from '../store/history.ts'
import { eventFor } from './broadcast.ts'
import type { Filter } from './filter.ts'

const path = { collection: 'core/things', namespace: '', name: 'a' }
const at = (revision: number, color: string): Entry =>
  new Entry(path, revision, {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', resourceVersion: String(revision), labels: { color } },
  })
const red: Filter = {
  namespace: '',
  selectsAll: false,
  matches: ({ object }) => object.metadata.labels?.color === 'red',
}

const change = (type: Change['type'], entry: Entry, previous?: Entry): Change => ({
  type,
  entry,
  ...(previous ? { previous } : {}),
  revision: entry.revision,
  atMs: 0,
})

describe('eventFor', () => {
  test.each<[string, Change, string | undefined]>([
    ['a matching object is created', change('ADDED', at(5, 'red')), 'ADDED 5 red'],
    ['another object is created', change('ADDED', at(5, 'blue')), undefined],
    ['a matching object changes', change('MODIFIED', at(6, 'red'), at(5, 'red')), 'MODIFIED 6 red'],
    ['an object begins to match', change('MODIFIED', at(6, 'red'), at(5, 'blue')), 'ADDED 6 red'],
    ['an object stops to match', change('MODIFIED', at(6, 'blue'), at(5, 'red')), 'DELETED 6 red'],
    ['an object that never matched changes', change('MODIFIED', at(6, 'blue'), at(5, 'green')), undefined],
    ['a matching object is deleted', change('DELETED', at(6, 'red'), at(5, 'red')), 'DELETED 6 red'],
    ['another object is deleted', change('DELETED', at(6, 'blue'), at(5, 'blue')), undefined],
    ['an object stops to match in its last write', change('DELETED', at(6, 'blue'), at(5, 'red')), 'DELETED 6 blue'],
  ])('when %s', (_situation, given, expected) => {
    const event = eventFor(red, given)
    expect(
      event &&
        `${event.type} ${event.entry.object.metadata.resourceVersion} ${event.entry.object.metadata.labels?.color}`,
    ).toBe(expected)
  })
})
