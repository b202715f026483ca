import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from './kubeApi.ts'
import { nextReflectorState, type ReflectorEvent, type ReflectorState } from './reflectorState.ts'

const api = (code: number, reason = '') =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason })
const failed = (error: unknown): ReflectorEvent => ({ kind: 'failed', error })
const next = (state: ReflectorState, event: ReflectorEvent) => nextReflectorState(state, event, () => 0.5)

const reading = (read: 'stream' | 'pages' | 'whole', attempt = 0): ReflectorState => ({
  kind: 'reading',
  read,
  attempt,
})
const watching = (attempt: number, alive: boolean): ReflectorState => ({
  kind: 'watching',
  read: 'pages',
  attempt,
  version: '7',
  alive,
})
const lost = new Error('socket hang up')

describe('nextReflectorState', () => {
  const rows: [string, ReflectorState, ReflectorEvent, Partial<ReflectorState>][] = [
    [
      'a stream that is complete is proof of life',
      reading('stream', 3),
      { kind: 'synced', version: '8' },
      { kind: 'watching', version: '8', attempt: 0, alive: true },
    ],
    [
      'a list that is complete is not',
      reading('pages', 3),
      { kind: 'synced', version: '8' },
      { kind: 'watching', version: '8', attempt: 3, alive: false },
    ],
    [
      'a whole list goes back to pages',
      reading('whole'),
      { kind: 'synced', version: '8' },
      { kind: 'watching', read: 'pages' },
    ],
    [
      'a stream refused with 422 becomes a list at once',
      reading('stream'),
      failed(api(422, 'Invalid')),
      { kind: 'reading', read: 'pages', attempt: 0 },
    ],
    [
      'a stream refused with 400 becomes a list',
      reading('stream'),
      failed(api(400)),
      { kind: 'reading', read: 'pages' },
    ],
    [
      'a stream closed before its end mark becomes a list',
      reading('stream'),
      { kind: 'closed' },
      { kind: 'waiting', read: 'pages' },
    ],
    ['a stream that broke is tried again', reading('stream'), failed(lost), { kind: 'waiting', read: 'stream' }],
    [
      'an expired page becomes a whole list',
      reading('pages'),
      failed(api(410, 'Expired')),
      { kind: 'waiting', read: 'whole' },
    ],
    [
      'a failed page starts over',
      reading('pages', 1),
      failed(api(500)),
      { kind: 'waiting', read: 'pages', attempt: 2, delayMs: 1600 },
    ],
    [
      'an event moves the version and clears the attempts',
      watching(4, false),
      { kind: 'received', version: '9' },
      { kind: 'watching', version: '9', attempt: 0, alive: true },
    ],
    [
      'a close after an event reconnects soon',
      watching(0, true),
      { kind: 'closed' },
      { kind: 'waiting', version: '7', attempt: 0, delayMs: 250 },
    ],
    [
      'a close without any event backs off',
      watching(0, false),
      { kind: 'closed' },
      { kind: 'waiting', version: '7', attempt: 1, delayMs: 800 },
    ],
    ['a reset keeps the version', watching(0, true), failed(lost), { kind: 'waiting', version: '7', attempt: 1 }],
    ['a 500 keeps the version', watching(1, false), failed(api(500)), { kind: 'waiting', version: '7', attempt: 2 }],
    ['a 401 keeps the version', watching(0, false), failed(api(401)), { kind: 'waiting', version: '7' }],
    [
      'a 429 waits as long as the server asks',
      watching(0, false),
      failed(new ApiError({ ...status429, details: { retryAfterSeconds: 60 } })),
      { kind: 'waiting', version: '7', delayMs: 60_000 },
    ],
    ['many failures are capped', watching(90, false), failed(lost), { kind: 'waiting', delayMs: 30_000 }],
    [
      'a wait with a version goes on watching',
      { kind: 'waiting', read: 'pages', attempt: 2, delayMs: 5, version: '7' },
      { kind: 'elapsed' },
      { kind: 'watching', version: '7', attempt: 2, alive: false },
    ],
    [
      'a wait without a version reads anew',
      { kind: 'waiting', read: 'stream', attempt: 2, delayMs: 5 },
      { kind: 'elapsed' },
      { kind: 'reading', read: 'stream', attempt: 2 },
    ],
  ]
  test.each(rows)('%s', (_, state, event, expected) => {
    expect(next(state, event)).toMatchObject(expected)
  })

  test.each([api(410, 'Expired'), api(410, 'Gone'), api(410)])('a lost history (%s) forgets the version', (error) => {
    expect(next(watching(0, true), failed(error))).toEqual({ kind: 'waiting', read: 'pages', attempt: 1, delayMs: 800 })
  })

  test('every failure leads to a bounded wait, and only an event or a bookmark clears the attempts', () => {
    const event = fc.constantFrom<ReflectorEvent>(
      failed(lost),
      failed(api(410)),
      failed(api(500)),
      failed(api(422)),
      { kind: 'closed' },
      { kind: 'elapsed' },
      { kind: 'synced', version: '9' },
    )
    fc.assert(
      fc.property(fc.array(event), fc.double({ min: 0, max: 0.999, noNaN: true }), (events, random) => {
        let state: ReflectorState = reading('pages')
        for (const event of events) {
          const after = nextReflectorState(state, event, () => random)
          expect(after.attempt).toBeGreaterThanOrEqual(state.attempt)
          if (after.kind === 'waiting') expect(after.delayMs).toBeLessThanOrEqual(45_000)
          if (event.kind === 'failed') expect(after.kind).toBe('waiting')
          state = after
        }
      }),
    )
  })
})

const status429 = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 429 } as const
