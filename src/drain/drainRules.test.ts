import { describe, expect, it } from 'vitest'
import { aBudget, aPod, type PodOptions } from '../../test/unit/rolloutBuilders.ts'
import { phaseAt } from './attemptSchedule.ts'
import { classifyPod } from './classifyPod.ts'
import { blockersText, describeBlockers, refusedPod, terminatingPod } from './drainBlockers.ts'
import { drainPolicyOf } from './drainPolicy.ts'

const minutes = (count: number): number => count * 60_000

describe('phaseAt', () => {
  it.each([
    ['the first try', 0, { kind: 'attempt', number: 1, endsMs: 90_000 }],
    ['the end of the first attempt', 89_999, { kind: 'attempt', number: 1, endsMs: 90_000 }],
    ['the first rest, of a minute', 90_000, { kind: 'rest', number: 1, endsMs: 150_000 }],
    ['the second attempt', 150_000, { kind: 'attempt', number: 2, endsMs: 240_000 }],
    ['the last short rest', minutes(9), { kind: 'rest', number: 4, endsMs: 600_000 - 0 }],
    ['the first long rest', minutes(12), { kind: 'rest', number: 5, endsMs: 600_000 + 390_000 }],
  ])('at %s', (_name, elapsed, expected) => {
    expect(phaseAt(elapsed)).toEqual(expected)
  })

  it('never ends in the past, and each phase follows the one before', () => {
    for (let elapsed = 0; elapsed < minutes(90); ) {
      const { endsMs } = phaseAt(elapsed)
      expect(endsMs).toBeGreaterThan(elapsed)
      elapsed = endsMs
    }
  })
})

describe('classifyPod', () => {
  const daemonSet = { kind: 'DaemonSet', name: 'ds' }
  it.each<[string, PodOptions, boolean, object]>([
    ['evicts a pod of a ReplicaSet', {}, true, { kind: 'evict' }],
    ['skips a running pod of a DaemonSet', { owner: daemonSet }, true, { kind: 'skip', reason: 'DaemonSet' }],
    ['evicts a finished pod of a DaemonSet', { owner: daemonSet, phase: 'Failed' }, true, { kind: 'evict' }],
    ['evicts a pod whose DaemonSet is gone', { owner: daemonSet }, false, { kind: 'evict' }],
    [
      'skips a static pod',
      { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      true,
      { kind: 'skip', reason: 'MirrorPod' },
    ],
    [
      'evicts a pod with emptyDir, whose data is lost',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      true,
      { kind: 'evict', note: 'its emptyDir data is lost' },
    ],
    [
      'evicts a bare pod, which nobody creates again',
      { owner: { kind: '', name: '' } },
      true,
      { kind: 'evict', note: 'no controller will create it again' },
    ],
    ['evicts a completed pod', { phase: 'Succeeded' }, true, { kind: 'evict' }],
    ['waits for a terminating pod', { deletionTimestamp: '2026-01-01T00:00:00Z' }, true, { kind: 'terminating' }],
  ])('%s', (_name, options, exists, expected) => {
    expect(classifyPod(aPod('p', options), () => exists)).toMatchObject(expected)
  })

  const database = { kind: 'all', requirements: [{ key: 'app', operator: '=', values: ['database'] }] } as const
  it.each<[string, PodOptions, string]>([
    ['leaves the selected pod alone', { labels: { app: 'database' } }, 'skip'],
    ['does not wait for a selected pod that ends', { labels: { app: 'database' }, deletionTimestamp: 'T' }, 'skip'],
    ['evicts every other', { labels: { app: 'web' } }, 'evict'],
  ])('of a pool that spares some pods %s', (_name, options, kind) => {
    expect(classifyPod(aPod('p', options), () => true, database).kind).toBe(kind)
  })
})

describe('drainPolicyOf', () => {
  it('reads durations', () => {
    const annotations = { 'machineconfig.io/drain-timeout': '2h', 'machineconfig.io/drain-force-after': '30m' }
    expect(drainPolicyOf(annotations)).toEqual({ timeoutMs: 7_200_000, forceAfterMs: 1_800_000, problems: [] })
  })

  it.each(['30', '-5m', '0s', 'soon', '1h30m', '99999999h'])('never forces because of the unreadable %s', (text) => {
    const policy = drainPolicyOf({ 'machineconfig.io/drain-force-after': text })
    expect(policy.forceAfterMs).toBeUndefined()
    expect(policy.problems).toEqual([expect.stringContaining(`"${text}"`)])
  })

  it('reads whom to spare, and how long pods get', () => {
    const { gracePeriodSeconds, skip, hold, problems } = drainPolicyOf({
      'machineconfig.io/drain-grace-period': '2m',
      'machineconfig.io/drain-skip-selector': 'app=database',
    })
    expect({ gracePeriodSeconds, hold, problems }).toEqual({ gracePeriodSeconds: 120, hold: undefined, problems: [] })
    expect(skip).toMatchObject({ kind: 'all', requirements: [{ key: 'app', values: ['database'] }] })
  })

  it.each(['', ' ', 'app in database', 'a b=c', '=x'])(
    'holds still while whom to spare is the unreadable "%s"',
    (text) => {
      const policy = drainPolicyOf({ 'machineconfig.io/drain-skip-selector': text })
      expect(policy.skip).toBeUndefined()
      expect(policy.hold).toContain('no pod is evicted before it can be read')
      expect(policy.problems).toEqual([policy.hold])
    },
  )

  it('leaves pods their own grace period when the pool names an unreadable one', () => {
    const policy = drainPolicyOf({ 'machineconfig.io/drain-grace-period': '0s' })
    expect(policy.gracePeriodSeconds).toBeUndefined()
    expect(policy.problems).toHaveLength(1)
  })

  it('is patient by default', () => {
    expect(drainPolicyOf(undefined)).toEqual({ timeoutMs: 3_600_000, problems: [] })
  })
})

describe('refusedPod', () => {
  const refusal = { retryAtMs: 0, error: 'Cannot evict pod', isBudget: true }
  const nowhere = { total: 4, fits: 0, reasons: [{ reason: 'unschedulable', count: 4 }] } as const

  it('names the exhausted budget with its numbers, and why there is no other place', () => {
    expect(refusedPod(aPod('web-0'), refusal, [aBudget('open', 1), aBudget('web', 0, 1, 1)], nowhere)).toEqual({
      namespace: 'default',
      pod: 'web-0',
      reason: 'DisruptionBudget',
      budget: { name: 'web', disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 },
      placement: '4 of 4 nodes: unschedulable',
      message:
        'pod default/web-0 cannot be evicted: PodDisruptionBudget web allows 0 disruptions (1 healthy, 1 required); ' +
        'no node can take a replacement: 4 of 4 nodes: unschedulable',
    })
  })

  it('gives the answer of the API server when no budget explains it', () => {
    const failed = { ...refusal, isBudget: false, error: 'namespace is terminating' }
    expect(refusedPod(aPod('web-0'), failed, [], undefined)).toMatchObject({
      reason: 'EvictionFailed',
      message: 'pod default/web-0 cannot be evicted: namespace is terminating',
    })
  })

  it('names the budgets when there are several, which no API server evicts through', () => {
    const failed = { ...refusal, isBudget: false, error: 'This pod has more than one PodDisruptionBudget' }
    expect(refusedPod(aPod('web-0'), failed, [aBudget('web', 1), aBudget('also', 1)], undefined).message).toBe(
      'pod default/web-0 cannot be evicted: 2 PodDisruptionBudgets select it (also, web); leave it one of them',
    )
  })

  it('ignores budgets of other namespaces and other labels', () => {
    const elsewhere = { ...aBudget('web', 0), metadata: { name: 'web', namespace: 'other' } }
    expect(refusedPod(aPod('web-0'), refusal, [elsewhere], nowhere)).not.toHaveProperty('budget')
  })
})

it('terminatingPod names the finalizers that hold a pod', () => {
  const pod = aPod('p', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] })
  expect(terminatingPod(pod).message).toBe(
    'pod default/p was to end by 2026-01-01T00:00:00Z and still runs, held by finalizers x/y',
  )
})

it('blockersText counts all and shows ten; describeBlockers shows three', () => {
  const blockers = Array.from({ length: 12 }, (_, index) => terminatingPod(aPod(`p${index}`)))
  const text = JSON.parse(blockersText('t', 1, blockers) ?? '')
  expect([text.total, text.blockers.length]).toEqual([12, 10])
  expect(describeBlockers(blockers)).toMatch(/; and 9 more pods$/)
  expect(blockersText('t', 1, [])).toBeUndefined()
})
