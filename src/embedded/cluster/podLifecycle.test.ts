import { describe, expect, test } from 'vitest'
import type { Pod, PodSpec } from '../../api/core.ts'
import { nextPodStep, type PodHost } from './podLifecycle.ts'

const timings = { startMs: 1_000, terminationScale: 0.5, terminationCapMs: 8_000, workMs: 2_000 }
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const host: PodHost = { bootedAt: at(0), hostIp: '10.0.0.1', nextPodIp: () => '10.128.0.2' }
const hostBootedAt = (seconds: number): PodHost => ({ ...host, bootedAt: at(seconds) })

const pod = (spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})

/** Follows the kubelet until it waits for nothing: each write becomes the pod's status, each wait passes. */
function follow(start: Pod, on: PodHost, from: number): { readonly pod: Pod; readonly log: string[] } {
  let [current, now] = [start, at(from)]
  const log: string[] = []
  for (let turn = 0; turn < 10; turn++) {
    const step = nextPodStep(current, on, timings, now)
    if (step.kind === 'none' || step.kind === 'remove') return { pod: current, log: [...log, step.kind] }
    if (step.kind === 'wait') now = step.at
    else {
      current = { ...current, status: step.status }
      const ready = step.status.conditions?.find(({ type }) => type === 'Ready')?.status
      log.push(
        `${(now.getTime() - at(0).getTime()) / 1000}s ${step.status.phase} ready=${ready} restarts=${step.status.containerStatuses?.[0]?.restartCount}`,
      )
    }
  }
  throw new Error('the pod never settles')
}

describe('nextPodStep', () => {
  test('brings a pod up in its start time', () => {
    const { pod: started, log } = follow(pod(), host, 10)
    expect(log).toEqual(['10s Pending ready=False restarts=0', '11s Running ready=True restarts=0', 'none'])
    expect(started.status).toMatchObject({ podIP: '10.128.0.2', hostIP: '10.0.0.1', startTime: '2026-01-01T00:00:10Z' })
  })

  test('gives a pod on the host network the address of the host', () => {
    expect(follow(pod({ hostNetwork: true }), host, 10).pod.status?.podIP).toBe('10.0.0.1')
  })

  test('starts the containers anew after a boot', () => {
    const { pod: started } = follow(pod(), host, 10)
    expect(follow(started, hostBootedAt(60), 61).log).toEqual([
      '61s Running ready=False restarts=1',
      '61s Running ready=True restarts=1',
      'none',
    ])
  })

  test('does not see a boot in a start within the same second', () => {
    const { pod: started } = follow(pod(), host, 10)
    expect(nextPodStep(started, hostBootedAt(11.9), timings, at(12)).kind).toBe('none')
  })

  test('fails a pod that must not be restarted, after a boot', () => {
    const { pod: started } = {
      pod: { ...pod({ restartPolicy: 'Never' }), status: follow(pod(), host, 10).pod.status ?? {} },
    }
    expect(follow(started, hostBootedAt(60), 60).log).toEqual(['60s Failed ready=False restarts=0', 'none'])
  })

  test('lets a pod that works come to its end', () => {
    expect(follow(pod({ restartPolicy: 'OnFailure' }), host, 10).log.slice(1)).toEqual([
      '11s Running ready=True restarts=0',
      '13s Succeeded ready=False restarts=0',
      'none',
    ])
  })

  test('makes a pod ready again that was taken out of service', () => {
    const { pod: started } = follow(pod(), host, 10)
    const out = { ...started, status: { ...started.status, conditions: [{ type: 'Ready', status: 'False' as const }] } }
    expect(follow(out, host, 20).log).toEqual(['20s Running ready=True restarts=0', 'none'])
  })

  const terminating = (grace: number): Pod => ({
    ...pod(),
    metadata: { name: 'p', deletionTimestamp: at(100 + grace).toISOString(), deletionGracePeriodSeconds: grace },
  })
  test.each([
    ['takes its share of the grace period', 10, 105],
    ['is capped', 600, 108],
    ['goes at once without a grace period', 0, 100],
  ])('a pod that terminates %s', (_, grace, end) => {
    const before = nextPodStep(terminating(grace), host, timings, at(end - 0.001))
    expect(before).toEqual({ kind: 'wait', at: at(end) })
    expect(nextPodStep(terminating(grace), host, timings, at(end))).toEqual({ kind: 'remove' })
  })
})
