import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import { wakeUp } from './wakeUp.ts'

describe('wakeUp', () => {
  it('remembers rings that came while nobody waited, as one', async () => {
    const clock = fakeClock()
    const bell = wakeUp(clock)
    bell.ring()
    bell.ring()
    await bell.wait(undefined)
    let ended = false
    const second = bell.wait(undefined).then(() => {
      ended = true
    })
    await Promise.resolve()
    expect(ended).toBe(false)
    bell.ring()
    await second
  })
  it('ends at its time, and leaves no sleeper behind after a ring', async () => {
    const clock = fakeClock()
    const bell = wakeUp(clock)
    const timed = bell.wait(new Date(clock.now().getTime() + 1000))
    await clock.advance(1000)
    await timed
    const rung = bell.wait(new Date(clock.now().getTime() + 1000))
    bell.ring()
    await rung
    expect(clock.waits).toEqual([])
  })
})
