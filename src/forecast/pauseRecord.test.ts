import { describe, expect, it } from 'vitest'
import { aPool } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { ManagedFieldsEntry } from '../api/meta.ts'
import { isOverdue, pauseOf } from './pauseRecord.ts'

const annotations = {
  'machineconfig.io/paused-by': 'ada',
  'machineconfig.io/paused-at': '2026-01-01T10:00:00Z',
  'machineconfig.io/pause-reason': 'quarter end',
  'machineconfig.io/pause-until': '2026-01-08T10:00:00Z',
}

const owns = (manager: string, time: string, fieldsV1: Readonly<Record<string, unknown>>): ManagedFieldsEntry => ({
  manager,
  time,
  operation: 'Update',
  fieldsV1,
})

const pausedBy = (manager: string, time: string): ManagedFieldsEntry =>
  owns(manager, time, { 'f:spec': { 'f:paused': {} } })

const notedBy = (manager: string, time: string): ManagedFieldsEntry =>
  owns(manager, time, { 'f:metadata': { 'f:annotations': { 'f:machineconfig.io/paused-at': {} } } })

function paused(given: Readonly<Record<string, string>>, managedFields: ManagedFieldsEntry[] = []): MachineConfigPool {
  const pool = aPool('worker', { paused: true, annotations: given })
  return { ...pool, metadata: { ...pool.metadata, managedFields } }
}

describe('pauseOf', () => {
  it('knows no pause of a pool that is not paused, whatever is left on it', () => {
    expect(pauseOf(aPool('worker', { annotations }))).toBeUndefined()
    expect(pauseOf(aPool('worker', { paused: false, annotations }))).toBeUndefined()
  })

  it('reads who, since, why and until from the annotations', () => {
    expect(pauseOf(paused(annotations))).toEqual({
      by: 'ada',
      since: '2026-01-01T10:00:00Z',
      reason: 'quarter end',
      until: '2026-01-08T10:00:00Z',
      resumesByItself: false,
      source: 'annotations',
    })
  })

  it('asks managedFields when nobody wrote them', () => {
    expect(pauseOf(paused({}, [pausedBy('kubectl-patch', '2026-02-01T00:00:00Z')]))).toEqual({
      by: 'kubectl-patch',
      since: '2026-02-01T00:00:00Z',
      resumesByItself: false,
      source: 'managedFields',
    })
  })

  it('says that nobody knows when a cache dropped them', () => {
    expect(pauseOf(paused({}))).toEqual({ resumesByItself: false, source: 'nobody' })
  })

  it('does not believe what an earlier pause left behind', () => {
    const fields = [notedBy('mco', '2026-01-01T10:00:00Z'), pausedBy('kubectl-patch', '2026-02-01T00:00:00Z')]
    expect(pauseOf(paused(annotations, fields))).toEqual({
      by: 'kubectl-patch',
      since: '2026-02-01T00:00:00Z',
      resumesByItself: false,
      source: 'managedFields',
    })
  })

  it('believes a note that was written after the pause, or by whoever paused', () => {
    const later = [notedBy('kubectl-annotate', '2026-02-01T01:00:00Z'), pausedBy('kubectl', '2026-02-01T00:00:00Z')]
    expect(pauseOf(paused(annotations, later))?.by).toBe('ada')
    const same = [notedBy('argocd', '2026-01-01T10:00:00Z'), pausedBy('argocd', '2026-02-01T00:00:00Z')]
    expect(pauseOf(paused(annotations, same))?.by).toBe('ada')
  })

  it('resumes by itself only when asked to, and only at a time that can be read', () => {
    const asked = { ...annotations, 'machineconfig.io/pause-then': 'resume' }
    expect(pauseOf(paused(asked))?.resumesByItself).toBe(true)
    expect(pauseOf(paused({ ...asked, 'machineconfig.io/pause-then': 'Resume' }))?.resumesByItself).toBe(false)
    const unreadable = pauseOf(paused({ ...asked, 'machineconfig.io/pause-until': 'tomorrow' }))
    expect(unreadable).toMatchObject({
      resumesByItself: false,
      problem: 'annotation machineconfig.io/pause-until is "tomorrow", expected a time such as 2026-01-31T08:00:00Z',
    })
    expect(unreadable).not.toHaveProperty('until')
  })

  it('calls a pause overdue from its very end on', () => {
    const record = { until: '2026-01-08T10:00:00Z' }
    expect(isOverdue(record, new Date('2026-01-08T09:59:59Z'))).toBe(false)
    expect(isOverdue(record, new Date('2026-01-08T10:00:00Z'))).toBe(true)
    expect(isOverdue({}, new Date('2030-01-01T00:00:00Z'))).toBe(false)
  })
})
