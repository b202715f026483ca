import { describe, expect, it } from 'vitest'
import { aPool } from '../../test/unit/rolloutBuilders.ts'
import { type PauseRequest, pauseChange } from './pauseChange.ts'

const now = new Date('2026-03-01T12:00:00.500Z')
const request: PauseRequest = { by: 'ada@desk', reason: 'quarter end' }

const recorded = {
  'machineconfig.io/paused-by': 'bob',
  'machineconfig.io/paused-at': '2026-02-01T00:00:00Z',
  'machineconfig.io/pause-reason': 'freeze',
  'machineconfig.io/pause-until': '2026-04-01T00:00:00Z',
  'machineconfig.io/pause-then': 'resume',
}

describe('pauseChange', () => {
  it('pauses and records who, when and why', () => {
    expect(pauseChange(aPool('worker'), { ...request, until: '8h' }, now)).toEqual({
      kind: 'change',
      wasPaused: false,
      until: '2026-03-01T20:00:00Z',
      body: {
        metadata: {
          annotations: {
            'machineconfig.io/paused-by': 'ada@desk',
            'machineconfig.io/paused-at': '2026-03-01T12:00:00Z',
            'machineconfig.io/pause-reason': 'quarter end',
            'machineconfig.io/pause-until': '2026-03-01T20:00:00Z',
            'machineconfig.io/pause-then': null,
          },
        },
        spec: { paused: true },
      },
    })
  })

  it('overwrites what an earlier pause left on a pool that is not paused', () => {
    const change = pauseChange(aPool('worker', { annotations: recorded }), request, now)
    expect(change).toMatchObject({
      wasPaused: false,
      body: {
        metadata: {
          annotations: {
            'machineconfig.io/paused-by': 'ada@desk',
            'machineconfig.io/pause-until': null,
            'machineconfig.io/pause-then': null,
          },
        },
      },
    })
  })

  it('keeps the first pauser and the end of a paused pool, and takes the new reason', () => {
    const change = pauseChange(aPool('worker', { paused: true, annotations: recorded }), request, now)
    expect(change).toMatchObject({
      wasPaused: true,
      until: '2026-04-01T00:00:00Z',
      body: {
        metadata: { annotations: { ...recorded, 'machineconfig.io/pause-reason': 'quarter end' } },
      },
    })
  })

  it('takes back that a pause ends by itself', () => {
    const pool = aPool('worker', { paused: true, annotations: recorded })
    expect(pauseChange(pool, { ...request, thenResume: false }, now)).toMatchObject({
      body: { metadata: { annotations: { 'machineconfig.io/pause-then': null } } },
    })
  })

  it.each([
    ['2026-03-01T12:00:00Z', /is in the past; it is 2026-03-01T12:00:00Z now/],
    ['2026-03-01', /no time and no duration/],
    ['0h', /no time and no duration/],
    ['soon', /no time and no duration/],
  ])('refuses an end of %s', (until, message) => {
    expect(pauseChange(aPool('worker'), { ...request, until }, now)).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(message),
    })
  })

  it('reads times of any zone', () => {
    const change = pauseChange(aPool('worker'), { ...request, until: '2026-03-01T16:00:00+02:00' }, now)
    expect(change).toMatchObject({ until: '2026-03-01T14:00:00Z' })
  })

  it('does not promise to resume without an end', () => {
    expect(pauseChange(aPool('worker'), { ...request, thenResume: true }, now)).toMatchObject({ kind: 'refused' })
  })
})
