import { describe, expect, it } from 'vitest'
import { aNode, aPod } from '../../test/unit/rolloutBuilders.ts'
import type { PodSpec } from '../api/core.ts'
import { hostViews } from './hostViews.ts'
import { describePlacement, type HostView, podRequests, whyNowhere } from './whyNowhere.ts'

function host(name: string, view: Partial<HostView> = {}): HostView {
  return { name, labels: {}, taints: [], unschedulable: false, ready: true, beingDrained: false, ...view }
}
const spec = (more: Partial<PodSpec> = {}): PodSpec => ({ containers: [], ...more })
const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' } as const
const requests = (cpu: string): PodSpec => spec({ containers: [{ name: 'c', resources: { requests: { cpu } } }] })
const selecting = (values: string[]): PodSpec =>
  spec({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }],
        },
      },
    },
  })

describe('whyNowhere', () => {
  it.each<[string, PodSpec, HostView, string | undefined]>([
    ['a node that is being drained', spec(), host('n', { beingDrained: true, unschedulable: true }), 'being drained'],
    ['a cordoned node', spec(), host('n', { unschedulable: true }), 'unschedulable'],
    ['a node that is not ready', spec(), host('n', { ready: false }), 'not ready'],
    [
      'a node without the selected label',
      spec({ nodeSelector: { disk: 'ssd' } }),
      host('n'),
      'selector does not match',
    ],
    [
      'a node with the selected label',
      spec({ nodeSelector: { disk: 'ssd' } }),
      host('n', { labels: { disk: 'ssd' } }),
      undefined,
    ],
    ['a node of another zone', selecting(['a']), host('n', { labels: { zone: 'b' } }), 'selector does not match'],
    ['a node of the zone', selecting(['a']), host('n', { labels: { zone: 'a' } }), undefined],
    ['a tainted node', spec(), host('n', { taints: [taint] }), 'taint not tolerated'],
    ['a taint that only asks', spec(), host('n', { taints: [{ ...taint, effect: 'PreferNoSchedule' }] }), undefined],
    [
      'a tolerated taint',
      spec({ tolerations: [{ key: 'gpu', operator: 'Exists' }] }),
      host('n', { taints: [taint] }),
      undefined,
    ],
    [
      'a taint of another value',
      spec({ tolerations: [{ key: 'gpu', value: 'no' }] }),
      host('n', { taints: [taint] }),
      'taint not tolerated',
    ],
    [
      'everything tolerated',
      spec({ tolerations: [{ operator: 'Exists' }] }),
      host('n', { taints: [taint], unschedulable: true }),
      undefined,
    ],
    ['a full node', requests('2'), host('n', { free: { cpu: 1_999_000_000n } }), 'no room'],
    ['a node with just enough room', requests('2'), host('n', { free: { cpu: 2_000_000_000n } }), undefined],
    ['a node with no pod left', spec(), host('n', { free: { pods: 0n } }), 'no room'],
  ])('%s', (_name, pod, node, reason) => {
    const placement = whyNowhere(pod, [node])
    expect(placement).toEqual({ total: 1, fits: reason ? 0 : 1, reasons: reason ? [{ reason, count: 1 }] : [] })
  })

  it('counts nodes by reason, the most frequent first, and says so', () => {
    const cordoned = { unschedulable: true }
    const hosts = [host('d', { beingDrained: true }), host('a', cordoned), host('b', cordoned), host('c', cordoned)]
    expect(describePlacement(whyNowhere(spec(), hosts))).toBe('3 of 4 nodes: unschedulable; 1 node: being drained')
  })

  it('says where a replacement could run, and that there is no node', () => {
    expect(describePlacement(whyNowhere(spec(), [host('a'), host('b', { ready: false })]))).toBe(
      'a replacement could run on 1 of 2 nodes',
    )
    expect(describePlacement(whyNowhere(spec(), []))).toBe('there is no node')
  })
})

it('podRequests takes the sum of the containers or the largest init container', () => {
  const container = (cpu: string) => ({ name: 'c', resources: { requests: { cpu } } })
  const pod = spec({ containers: [container('100m'), container('200m')], initContainers: [container('1')] })
  expect(podRequests(pod)).toEqual({ pods: 1_000_000_000n, cpu: 1_000_000_000n })
})

it('hostViews subtracts what running pods ask for, and tells a cordon from not being ready', () => {
  const node = { ...aNode('n1', { unschedulable: true }), status: { allocatable: { cpu: '2', pods: '10' } } }
  const running = aPod('a', { spec: requests('500m') })
  const finished = aPod('b', { spec: requests('1'), phase: 'Succeeded' })
  expect(hostViews([node], () => [running, finished])).toEqual([
    expect.objectContaining({
      unschedulable: true,
      ready: true,
      free: { cpu: 1_500_000_000n, pods: 9_000_000_000n },
    }),
  ])
})
