import { describe, expect, it } from 'vitest'
import type { ReplicaSet } from '../../api/apps.ts'
import { currentRevision, revisionAnnotation, revisionOf } from './revisions.ts'

const set = (revision?: number): ReplicaSet => ({
  metadata: revision === undefined ? {} : { annotations: { [revisionAnnotation]: String(revision) } },
})

describe('currentRevision', () => {
  it.each<[string, readonly number[], number | undefined, number]>([
    ['the first template is revision 1', [], undefined, 1],
    ['a new template follows all others', [1, 4, 2], undefined, 5],
    ['the current template keeps its number', [1, 2], 3, 3],
    ['a template that comes back is the newest again', [2, 3], 1, 4],
  ])('%s', (_, others, own, expected) => {
    const current = own === undefined ? undefined : set(own)
    expect(currentRevision([...others.map(set), ...(current ? [current] : [])], current)).toBe(expected)
  })

  it('reads a ReplicaSet without a number as older than all', () => {
    expect(revisionOf(set())).toBe(0)
    const current = set()
    expect(currentRevision([current], current)).toBe(1)
  })
})
