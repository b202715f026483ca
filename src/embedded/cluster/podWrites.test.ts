import { beforeEach, describe, expect, test } from 'vitest'
import { type FakeClock, fakeClock } from '../../../test/kube/fakeClock.ts'
import type { Pod } from '../../api/core.ts'
import { kubeClient } from '../../kube/client.ts'
import type { Transport } from '../../kube/transport.ts'
import { leastUseful, PodWrites } from './podWrites.ts'

/** An API server that gives every pod a uid and forgets it. */
const transport: Transport = {
  request: async ({ body = '{}' }) => {
    const sent = JSON.parse(body) as Pod
    const answer = JSON.stringify({ ...sent, metadata: { ...sent.metadata, uid: `uid-${sent.metadata?.name}` } })
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(answer)
      })(),
    }
  },
}

const pod = (name: string, more: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...more },
})
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name)
const { signal } = new AbortController()

let clock: FakeClock
let writes: PodWrites
beforeEach(() => {
  clock = fakeClock()
  writes = new PodWrites(kubeClient(transport), clock)
})

describe('PodWrites', () => {
  test('counts a created pod before the cache shows it, and once when it does', async () => {
    await writes.create('owner', pod('a'), signal)
    expect(names(writes.active('owner', []))).toEqual(['a'])
    expect(names(writes.active('owner', [pod('a')]))).toEqual(['a'])
    expect(names(writes.active('owner', []))).toEqual([])
  })

  test('does not count a deleted pod that the cache still shows', async () => {
    await writes.delete('owner', pod('a'), signal)
    expect(names(writes.active('owner', [pod('a'), pod('b')]))).toEqual(['b'])
  })

  test('keeps the pods of owners apart', async () => {
    await writes.create('one', pod('a'), signal)
    expect([names(writes.active('two', [])), names(writes.active('one', []))]).toEqual([[], ['a']])
  })

  test('stops counting a created pod that never appears', async () => {
    await writes.create('owner', pod('a'), signal)
    await clock.advance(30_001)
    expect(writes.active('owner', [])).toEqual([])
  })
})

test('leastUseful puts pods first that nobody would miss', () => {
  const ready = ({ metadata }: Pod) => metadata.labels?.ready === ''
  const on = (each: Pod): Pod => ({ ...each, spec: { containers: [], nodeName: 'n' } })
  const pods = [
    on(pod('old', { labels: { ready: '' }, creationTimestamp: '2026-01-01T00:00:00Z' })),
    on(pod('young', { labels: { ready: '' }, creationTimestamp: '2026-01-02T00:00:00Z' })),
    on(pod('starting')),
    pod('unplaced'),
  ]
  expect(names(pods.sort(leastUseful(ready)))).toEqual(['unplaced', 'starting', 'young', 'old'])
})
