import { describe, expect, it } from 'vitest'
import { ago, aReadyPod, codes, drainOf, minAvailable, ofNode, worker } from '../../../test/unit/explainBuilders.ts'
import { aBudget, aNode, aPod, type NodeOptions, type PodOptions } from '../../../test/unit/rolloutBuilders.ts'

describe('explain, of a drain', () => {
  it('names pod, budget, arithmetic, placement, and a command that opens the budget', () => {
    const pods = [aReadyPod('web-0')]
    const [finding, ...others] = ofNode(drainOf(1), { pods, budgets: [minAvailable(aBudget('web', 0), 1)] })
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      code: 'DrainBlockedByBudget',
      severity: 'warning',
      subject: { kind: 'node', name: 'n1' },
      since: ago(1),
      what: 'pod default/web-0 cannot be evicted: PodDisruptionBudget web allows 0 disruptions (1 healthy, 1 required); no node can take a replacement: 1 of 1 node: being drained',
      why: 'minAvailable 1 of 1 pods: 1 healthy - 1 required leaves 0 to disrupt',
      command: `kubectl -n default patch pdb web --type=merge -p '{"spec":{"minAvailable":0}}'`,
    })
  })

  it('makes one finding of many pods of one budget, and a grave one after ten minutes', () => {
    const pods = Array.from({ length: 8 }, (_, index) => aReadyPod(`web-${index}`))
    const [finding, ...others] = ofNode(drainOf(11), { pods, budgets: [aBudget('web', 0, 8, 8)] })
    expect(others).toEqual([])
    expect(finding?.severity).toBe('critical')
    expect(finding?.what).toContain(
      'pods default/web-0, default/web-1, default/web-2, default/web-3, default/web-4 and 3 more cannot',
    )
  })

  it('asks for the pods that the budget misses, before it asks for a weaker budget', () => {
    const ill = { ...aPod('web-1', { node: 'n2' }), status: { phase: 'Running' as const } }
    const [finding] = ofNode(drainOf(1), {
      pods: [aReadyPod('web-0'), ill],
      budgets: [minAvailable(aBudget('web', 0, 1, 2), 2)],
    })
    expect(finding?.remedy).toMatch(/^Bring pods default\/web-1 to Ready/)
    expect(finding?.command).toContain('{"spec":{"minAvailable":0}}')
  })

  it('opens a budget of maxUnavailable by one pod more than it has', () => {
    const budget = aBudget('web', 0, 3, 3)
    const [finding] = ofNode(drainOf(1), {
      pods: [aReadyPod('web-0')],
      budgets: [
        {
          ...budget,
          spec: { ...budget.spec, maxUnavailable: 0 },
          status: { ...budget.status, disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3, expectedPods: 3 },
        },
      ],
    })
    expect(finding?.why).toBe('maxUnavailable 0 of 3 pods: 3 healthy - 3 required leaves 0 to disrupt')
    expect(finding?.command).toContain(`'{"spec":{"maxUnavailable":1}}'`)
  })

  it('does not blame a budget for a pod that it lets go', () => {
    const unready = { ...aPod('web-0'), status: { phase: 'Running' as const } }
    expect(ofNode(drainOf(1), { pods: [unready], budgets: [aBudget('web', 0)] })).toEqual([])
    expect(
      ofNode(drainOf(1), { pods: [aReadyPod('db', { labels: { app: 'db' } })], budgets: [aBudget('web', 0)] }),
    ).toEqual([])
  })

  it('does not blame a budget for a pod that the pool spares', () => {
    const pools = [worker({ annotations: { 'machineconfig.io/drain-skip-selector': 'app=web' } })]
    expect(ofNode(drainOf(1), { pools, pods: [aReadyPod('web-0')], budgets: [aBudget('web', 0)] })).toEqual([])
  })

  it('names all budgets of a pod of several', () => {
    const [finding] = ofNode(drainOf(1), { pods: [aReadyPod('web-0')], budgets: [aBudget('b', 1), aBudget('a', 1)] })
    expect(finding).toMatchObject({ code: 'DrainBlockedBySeveralBudgets' })
    expect(finding?.what).toContain('2 PodDisruptionBudgets select it (a, b)')
  })

  it('says nothing of budgets whose selectors cannot be read', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Sometimes', values: [] }] }
    const budget = { ...aBudget('odd', 0), spec: { selector } }
    expect(ofNode(drainOf(1), { pods: [aReadyPod('web-0')], budgets: [budget] })).toEqual([])
  })

  const published = (error: string) =>
    JSON.stringify({
      ...{ since: ago(1), attempts: 1, total: 1 },
      blockers: [
        {
          namespace: 'default',
          pod: 'web-0',
          reason: 'EvictionFailed',
          error,
          message: `pod default/web-0 cannot be evicted: ${error}`,
        },
      ],
    })
  const refused = (error: string) => drainOf(1, { 'machineconfig.io/drain-blockers': published(error) })

  it('names the webhook that refuses an eviction', () => {
    const [finding] = ofNode(refused('failed calling webhook "guard.example.com": connection refused'), {
      pods: [aReadyPod('web-0')],
    })
    expect(finding).toMatchObject({ code: 'EvictionRefusedByWebhook', since: ago(1) })
    expect(finding?.remedy).toContain('"guard.example.com"')
  })

  it('repeats what the API server answered otherwise, and nothing of a pod that has gone', () => {
    expect(codes({ nodes: [aNode('n1', refused('internal error'))], pods: [aReadyPod('web-0')] })).toEqual([
      'EvictionRefused',
    ])
    expect(codes({ nodes: [aNode('n1', refused('internal error'))] })).toEqual([])
  })

  it.each<[string, PodOptions, NodeOptions, RegExp, RegExp]>([
    [
      'its finalizers',
      { finalizers: ['example.com/hold'] },
      {},
      /held by finalizers example\.com\/hold/,
      /patch pod web-0 .*"finalizers":null/,
    ],
    ['a kubelet that is away', {}, { ready: 'Unknown' }, /still runs/, /delete pod web-0 --grace-period=0 --force/],
    [
      'its volumes',
      { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } },
      {},
      /still runs/,
      /describe pod web-0/,
    ],
  ])('names a pod that does not end, and %s', (_name, pod, node, what, remedy) => {
    const pods = [aPod('web-0', { deletionTimestamp: ago(3), ...pod })]
    const finding = ofNode({ ...drainOf(1), ...node }, { pods }).find(({ code }) => code === 'PodStuckTerminating')
    expect(finding?.what).toMatch(what)
    expect(finding?.remedy).toMatch(remedy)
  })

  it('tells a drain that nobody refuses, and one that nobody began, after ten minutes', () => {
    expect(ofNode(drainOf(11), { pods: [aReadyPod('web-0')] })).toMatchObject([{ code: 'DrainSlow', since: ago(11) }])
    expect(ofNode({ ...drainOf(11), unschedulable: false })).toMatchObject([{ code: 'DrainNotStarted' }])
  })
})
