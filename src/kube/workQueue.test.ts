import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock, settle } from '../../test/kube/fakeClock.ts'
import { WorkQueue } from './workQueue.ts'

function started() {
  const clock = fakeClock()
  return { clock, queue: new WorkQueue({ clock }) }
}

async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = []
  while (queue.depth > 0) keys.push((await queue.take()) ?? 'closed')
  return keys
}

describe('WorkQueue', () => {
  test('hands out a key once however often it was added, in order of arrival', async () => {
    const { queue } = started()
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key)
    expect(await takeAll(queue)).toEqual(['a', 'b', 'c'])
  })

  test('does not hand out a key again before it is done, and then once', async () => {
    const { queue } = started()
    queue.add('a')
    await queue.take()
    queue.add('a')
    queue.add('a')
    expect(queue.depth).toBe(0)
    queue.done('a')
    expect(await takeAll(queue)).toEqual(['a'])
  })

  test('serves a taker that was there before the key', async () => {
    const { queue } = started()
    const taken = queue.take()
    queue.add('a')
    expect(await taken).toBe('a')
  })

  test('hands out a delayed key at its time; the earliest of several wins', async () => {
    const { queue, clock } = started()
    queue.addAfter('a', 100)
    queue.addAfter('a', 50)
    queue.addAfter('a', 70)
    await clock.advance(49)
    expect(queue.depth).toBe(0)
    await clock.advance(1)
    expect(await takeAll(queue)).toEqual(['a'])
    queue.done('a')
    await clock.advance(1000)
    expect(queue.depth).toBe(0)
  })

  test('forgets a delay when the key is handed out for another reason', async () => {
    const { queue, clock } = started()
    queue.addAfter('a', 50)
    queue.add('a')
    expect(await takeAll(queue)).toEqual(['a'])
    queue.done('a')
    await clock.advance(1000)
    expect(queue.depth).toBe(0)
  })

  test('hands out at once what is due in the past', () => {
    const { queue } = started()
    queue.addAt('a', new Date(0))
    expect(queue.depth).toBe(1)
  })

  test('doubles the back-off per failure of a key up to the cap, until it is forgotten', () => {
    const queue = new WorkQueue({ clock: fakeClock(), maxDelayMs: 30 })
    const delays = [1, 2, 3, 4, 5].map(() => queue.addBackedOff('a'))
    queue.forget('a')
    expect([...delays, queue.addBackedOff('a'), queue.addBackedOff('b', 60)]).toEqual([5, 10, 20, 30, 30, 5, 60])
  })

  test('tells depth and the age of the oldest', async () => {
    const { queue, clock } = started()
    expect([queue.depth, queue.oldestAgeMs]).toEqual([0, 0])
    queue.add('a')
    await clock.advance(10)
    queue.add('b')
    await clock.advance(5)
    expect([queue.depth, queue.oldestAgeMs]).toEqual([2, 15])
    await queue.take()
    expect([queue.depth, queue.oldestAgeMs]).toEqual([1, 5])
  })

  test('ends its takers and its delays when it is closed', async () => {
    const { queue, clock } = started()
    const taken = queue.take()
    queue.addAfter('a', 50)
    queue.close()
    queue.add('b')
    await settle()
    expect([await taken, await queue.take(), clock.waits, queue.depth]).toEqual([undefined, undefined, [], 0])
  })

  test('loses no key and works on none twice at a time, whatever the interleaving', async () => {
    const key = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ op: fc.constant('add' as const), key }),
      fc.record({ op: fc.constant('later' as const), key }),
      fc.record({ op: fc.constant('take' as const), key }),
      fc.record({ op: fc.constant('done' as const), key }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { queue, clock } = started()
        const busy = new Set<string>()
        const owed = new Set<string>()
        const take = async () => {
          const taken = (await queue.take()) ?? ''
          expect(busy.has(taken)).toBe(false)
          busy.add(taken)
          owed.delete(taken)
        }
        for (const { op, key } of steps) {
          if (op === 'add') queue.add(key)
          if (op === 'later') queue.addAfter(key, 10)
          if (op === 'add' || op === 'later') owed.add(key)
          if (op === 'take' && queue.depth > 0) await take()
          if (op === 'done' && busy.delete(key)) queue.done(key)
        }
        for (const key of [...busy]) {
          busy.delete(key)
          queue.done(key)
        }
        await clock.advance(10)
        while (queue.depth > 0) await take()
        expect([...owed]).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})
