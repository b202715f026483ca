import { describe, expect, it } from 'vitest'
import { aBudget, aNode, aPod, type NodeOptions } from '../../test/unit/rolloutBuilders.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { type DrainSnapshot, decideDrain } from './decideDrain.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const at = (seconds: number): Date => new Date(start + seconds * 1_000)
const prefix = 'machineconfiguration.openshift.io/'

function node(desired: string, applied: string, more: NodeOptions = {}) {
  const annotations = {
    [`${prefix}desiredDrain`]: desired,
    [`${prefix}lastAppliedDrain`]: applied,
    ...more.annotations,
  }
  return nodeToView(aNode('n1', { ...more, annotations }))
}

const started = {
  'machineconfig.io/drain-started': new Date(start).toISOString(),
  'machineconfig.io/drain-request': 'drain-v1',
}
const draining = node('drain-v1', '', { unschedulable: true, annotations: started })

function snapshot(more: Partial<DrainSnapshot> = {}): DrainSnapshot {
  return {
    node: draining,
    pods: [],
    budgets: [],
    daemonSetExists: () => true,
    hosts: () => [],
    refusals: new Map(),
    policy: { timeoutMs: 3_600_000, problems: [] },
    ...more,
  }
}
const refused = (uid: string, retryAtMs: number) => new Map([[uid, { retryAtMs, error: '429', isBudget: true }]])

describe('decideDrain', () => {
  it.each([
    ['nothing when nothing is asked', node('', ''), { kind: 'idle' }],
    ['nothing when it is done', node('drain-v1', 'drain-v1'), { kind: 'idle' }],
    ['uncordon', node('uncordon-v1', 'drain-v1'), { kind: 'uncordon', request: 'uncordon-v1' }],
    [
      'a refusal of other words',
      node('reboot-v1', ''),
      { kind: 'invalid', message: 'node n1: non-recognized drain verb detected reboot' },
    ],
    ['cordon first', node('drain-v1', ''), { kind: 'cordon', request: 'drain-v1', startedAt: at(5).toISOString() }],
    [
      'cordon again, with the same start, after an uncordon by hand',
      node('drain-v1', '', { annotations: started }),
      { kind: 'cordon', request: 'drain-v1', startedAt: at(0).toISOString() },
    ],
    [
      'a new start for another request',
      node('drain-v2', '', { unschedulable: true, annotations: started }),
      { kind: 'cordon', request: 'drain-v2', startedAt: at(5).toISOString() },
    ],
    [
      'uncordon when a drain was withdrawn before it was granted, although the same uncordon was answered before',
      node('uncordon-v0', 'uncordon-v0', { unschedulable: true, annotations: started }),
      { kind: 'uncordon', request: 'uncordon-v0' },
    ],
    [
      'nothing about the cordon of somebody else',
      node('uncordon-v0', 'uncordon-v0', { unschedulable: true }),
      { kind: 'idle' },
    ],
    ['acknowledge an empty node', draining, { kind: 'acknowledge', request: 'drain-v1', skipped: [] }],
  ])('answers with %s', (_name, view, expected) => {
    expect(decideDrain(snapshot({ node: view }), at(5))).toEqual(expected)
  })

  it('evicts what it may, skips what stays, and waits for what ends', () => {
    const step = decideDrain(
      snapshot({
        pods: [
          aPod('web'),
          aPod('agent', { owner: { kind: 'DaemonSet', name: 'agent' } }),
          aPod('ending', { deletionTimestamp: at(30).toISOString() }),
        ],
      }),
      at(5),
    )
    expect(step).toMatchObject({
      kind: 'drain',
      evict: [{ metadata: { name: 'web' } }],
      skipped: [{ pod: 'agent', reason: 'DaemonSet' }],
      blockers: [],
      until: at(40),
      isSlow: false,
    })
  })

  it('acknowledges a node on which only skipped pods are left, naming them', () => {
    const pods = [aPod('agent', { owner: { kind: 'DaemonSet', name: 'agent' } })]
    expect(decideDrain(snapshot({ pods }), at(5))).toMatchObject({ kind: 'acknowledge', skipped: [{ pod: 'agent' }] })
  })

  it('spares the pods that the policy selects, and evicts nobody while it cannot be read', () => {
    const pods = [aPod('web-0', { labels: { app: 'web' } }), aPod('db-0', { labels: { app: 'database' } })]
    const skip = { kind: 'all', requirements: [{ key: 'app', operator: '=', values: ['database'] }] } as const
    const policy = { timeoutMs: 3_600_000, problems: [] }
    expect(decideDrain(snapshot({ pods, policy: { ...policy, skip } }), at(1))).toMatchObject({
      kind: 'drain',
      evict: [pods[0]],
      skipped: [{ pod: 'db-0', reason: 'SkipSelector' }],
    })
    expect(decideDrain(snapshot({ pods, policy: { ...policy, hold: 'cannot be read' } }), at(1))).toEqual({
      kind: 'held',
      request: 'drain-v1',
      message: 'cannot be read',
    })
  })

  it('tries a refused pod again after five seconds, and shows who blocks', () => {
    const waiting = snapshot({
      pods: [aPod('web')],
      budgets: [aBudget('web', 0)],
      refusals: refused('uid-of-web', start + 10_000),
    })
    expect(decideDrain(waiting, at(6))).toMatchObject({
      evict: [],
      until: at(10),
      blockers: [{ pod: 'web', budget: { name: 'web' }, placement: 'there is no node' }],
    })
    expect(decideDrain(waiting, at(10))).toMatchObject({ evict: [{ metadata: { name: 'web' } }] })
  })

  it('tries at once when the budget opens, also during a rest', () => {
    const refusals = refused('uid-of-web', start + 95_000)
    const resting = snapshot({ pods: [aPod('web')], budgets: [aBudget('web', 0)], refusals })
    expect(decideDrain(resting, at(100))).toMatchObject({ evict: [], until: at(150), attempt: { kind: 'rest' } })
    const open = snapshot({ pods: [aPod('web')], budgets: [aBudget('web', 1)], refusals })
    expect(decideDrain(open, at(100))).toMatchObject({ evict: [{ metadata: { name: 'web' } }] })
  })

  it('tries at once when only one budget is left of two, also during a rest', () => {
    const refusal = { retryAtMs: start + 95_000, error: '500', isBudget: false, budgetCount: 2 }
    const resting = snapshot({ pods: [aPod('web')], refusals: new Map([['uid-of-web', refusal]]) })
    const two = { ...resting, budgets: [aBudget('web', 1), aBudget('also', 1)] }
    expect(decideDrain(two, at(100))).toMatchObject({ evict: [], attempt: { kind: 'rest' } })
    const one = { ...resting, budgets: [aBudget('web', 1)] }
    expect(decideDrain(one, at(100))).toMatchObject({ evict: [{ metadata: { name: 'web' } }] })
  })

  it('is slow after ten minutes and overdue after the policy’s timeout', () => {
    const pods = [aPod('web')]
    const policy = { timeoutMs: 1_800_000, problems: [] }
    expect(decideDrain(snapshot({ pods, policy }), at(599))).toMatchObject({ isSlow: false, isOverdue: false })
    expect(decideDrain(snapshot({ pods, policy }), at(600))).toMatchObject({ isSlow: true, isOverdue: false })
    expect(decideDrain(snapshot({ pods, policy }), at(1_800))).toMatchObject({ isSlow: true, isOverdue: true })
  })

  it('deletes a protected pod only when the policy says so, and only after its time', () => {
    const pods = [aPod('web')]
    const refusals = refused('uid-of-web', start)
    const patient = decideDrain(snapshot({ pods, refusals, budgets: [aBudget('web', 0)] }), at(400))
    expect(patient).toMatchObject({ force: [] })
    const policy = { timeoutMs: 3_600_000, forceAfterMs: 300_000, problems: [] }
    const impatient = snapshot({ pods, refusals, policy, budgets: [aBudget('web', 0)] })
    expect(decideDrain(impatient, at(200))).toMatchObject({ force: [] })
    expect(decideDrain(impatient, at(310))).toMatchObject({ force: [{ metadata: { name: 'web' } }], evict: [] })
  })

  it('shows a pod that only a finalizer holds at once, before its grace period is over', () => {
    const pod = aPod('stuck', { deletionTimestamp: at(30).toISOString(), finalizers: ['a/b'] })
    const ended = { ...pod, metadata: { ...pod.metadata, deletionGracePeriodSeconds: 0 } }
    expect(decideDrain(snapshot({ pods: [pod] }), at(1))).toMatchObject({ blockers: [] })
    expect(decideDrain(snapshot({ pods: [ended] }), at(1))).toMatchObject({
      blockers: [{ reason: 'Terminating', message: 'pod default/stuck has ended, held by finalizers a/b' }],
    })
  })

  it('shows a pod that does not end as a blocker', () => {
    const pods = [aPod('stuck', { deletionTimestamp: at(30).toISOString(), finalizers: ['a/b'] })]
    expect(decideDrain(snapshot({ pods }), at(60))).toMatchObject({
      blockers: [{ pod: 'stuck', reason: 'Terminating', finalizers: ['a/b'] }],
    })
  })
})
