import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import { wakeUp } from './wakeUp.ts'

describe('wakeUp', () => {
  const never = new AbortController().signal
  it('remembers rings that came while nobody waited, as one', async () => {
    const clock = fakeClock()
    const bell = wakeUp(clock)
    bell.ring()
    bell.ring()
    await bell.wait(undefined, never)
    let ended = false
    const second = bell.wait(undefined, never).then(() => {
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
    const timed = bell.wait(new Date(clock.now().getTime() + 1000), never)
    await clock.advance(1000)
    await timed
    const rung = bell.wait(new Date(clock.now().getTime() + 1000), never)
    bell.ring()
    await rung
    expect(clock.waits).toEqual([])
  })
  it('ends when the signal aborts', async () => {
    const controller = new AbortController()
    const waiting = wakeUp(fakeClock()).wait(undefined, controller.signal)
    controller.abort()
    await waiting
  })
})
