import { describe, expect, it } from 'vitest'
import { fakeClock, settle } from '../../test/kube/fakeClock.ts'
import type { HostFiles } from '../host/host.ts'
import { watchForDrift } from './driftWatcher.ts'

interface WatchOptions {
  readonly pauseMs?: () => number
  readonly worth?: () => Promise<boolean>
}

async function watching({ pauseMs = () => 0, worth }: WatchOptions = {}) {
  const clock = fakeClock()
  let change: () => void = () => undefined
  let isClosed = false
  let calls = 0
  const watch: HostFiles['watch'] = async (directories, onChange) => {
    change = () => onChange('/etc')
    return { directories, close: () => (isClosed = true) }
  }
  // Only `watch` is used.
  const files = { watch } as unknown as HostFiles
  const onChange = () => (calls += 1)
  const watcher = await watchForDrift({
    files,
    clock,
    directories: ['/etc'],
    onChange,
    pauseMs,
    ...(worth && { isWorthALook: worth }),
    everyMs: 10_000,
  })
  return { clock, watcher, change: () => change(), calls: () => calls, isClosed: () => isClosed }
}

describe('watchForDrift', () => {
  it('calls once for a burst, soon after its first change', async () => {
    const it = await watching()
    it.change()
    it.change()
    await it.clock.advance(99)
    expect(it.calls()).toBe(0)
    it.change()
    await it.clock.advance(1)
    expect(it.calls()).toBe(1)
    it.change()
    await it.clock.advance(100)
    expect(it.calls()).toBe(2)
  })
  it('rests longer when it is asked to', async () => {
    const it = await watching({ pauseMs: () => 2_000 })
    it.change()
    await it.clock.advance(1_999)
    expect(it.calls()).toBe(0)
    await it.clock.advance(1)
    expect(it.calls()).toBe(1)
  })
  it('passes over a change that is not worth a look, and only that one', async () => {
    const answers = [false, true]
    const it = await watching({ worth: async () => answers.shift() ?? true })
    it.change()
    await it.clock.advance(100)
    expect(it.calls()).toBe(0)
    it.change()
    await settle()
    await it.clock.advance(100)
    expect(it.calls()).toBe(1)
  })
  it('looks when it cannot be judged whether that is worth it', async () => {
    const it = await watching({ worth: () => Promise.reject(new Error('EIO')) })
    it.change()
    await settle()
    await it.clock.advance(100)
    expect(it.calls()).toBe(1)
  })
  it('looks now and then without a change', async () => {
    const it = await watching()
    await it.clock.advance(20_000)
    expect(it.calls()).toBe(2)
  })
  it('is silent after it was closed, and leaves no sleeper behind', async () => {
    const it = await watching()
    it.change()
    it.watcher.close()
    await settle()
    expect(it.clock.waits).toEqual([])
    expect(it.isClosed()).toBe(true)
    expect(it.calls()).toBe(0)
  })
})
