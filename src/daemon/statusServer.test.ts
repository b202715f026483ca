import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import { watchKubelet } from './kubeletHealth.ts'
import { watchLoop } from './loopHealth.ts'
import { type StatusServer, startStatusServer } from './statusServer.ts'

let server: StatusServer | undefined
afterEach(() => server?.close())

describe('startStatusServer', () => {
  it('answers health, metrics, and nothing else', async () => {
    let fault: string | undefined
    server = await startStatusServer({ host: '127.0.0.1', port: 0, fault: () => fault, metrics: () => 'a 1\n' })
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${server?.url}${path}`, init)
      return [response.status, await response.text()]
    }
    expect(await ask('/healthz')).toEqual([200, 'ok'])
    expect(await ask('/metrics')).toEqual([200, 'a 1\n'])
    expect(await ask('/other')).toEqual([404, 'there are /healthz and /metrics\n'])
    expect(await ask('/healthz', { method: 'POST' })).toEqual([405, 'only GET and HEAD\n'])
    fault = 'stuck'
    expect(await ask('/healthz')).toEqual([503, 'stuck\n'])
  })

  it('answers 500 when the metrics cannot be made, and goes on', async () => {
    const metrics = () => {
      throw new TypeError('no such thing')
    }
    server = await startStatusServer({ host: '127.0.0.1', port: 0, fault: () => undefined, metrics })
    const failed = await fetch(`${server.url}/metrics`)
    expect([failed.status, await failed.text()]).toEqual([500, 'the metrics cannot be made: no such thing\n'])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})

describe('watchLoop', () => {
  it('finds fault with a look that does not end, not with a long wait', async () => {
    const clock = fakeClock()
    const loop = watchLoop(clock)
    loop.started()
    loop.ended()
    await clock.advance(10 * 3_600_000)
    expect(loop.fault()).toBeUndefined()
    loop.started()
    await clock.advance(61 * 60_000)
    expect(loop.fault()).toBe('one step of the daemon has been running for 61 minutes')
  })
})

describe('watchKubelet', () => {
  it('counts failures in a row and forgets them at the first answer', async () => {
    const clock = fakeClock()
    const stop = new AbortController()
    const seen: number[] = []
    let answers = false
    const running = watchKubelet(
      {
        clock,
        probe: async () => {
          if (!answers) throw new Error('connection refused')
        },
        onFailures: (count) => seen.push(count),
      },
      stop.signal,
    )
    await clock.sleeping()
    await clock.advance(30_000)
    answers = true
    await clock.advance(30_000)
    stop.abort()
    await running
    expect(seen).toEqual([1, 2, 0])
  })
})
