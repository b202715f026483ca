import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aNode, aPool } from '../../../test/unit/rolloutBuilders.ts'
import type { ControllerConfig } from '../../api/controllerConfig.ts'
import type { MachineConfigNode } from '../../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { metricLabels, metricsText } from '../../kube/metricsText.ts'
import { type ClusterSnapshot, emptySnapshot } from '../clusterSnapshot.ts'
import { clusterFamilies } from './clusterFamilies.ts'
import { clusterMetrics } from './clusterMetrics.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ours = (key: string): string => `machineconfig.io/${key}`
const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString()
const unix = (time: string): number => Math.floor(Date.parse(time) / 1000)

/** The page's lines of one family, without the rest. */
function lines(snapshot: Partial<ClusterSnapshot>, name: keyof typeof clusterFamilies): readonly string[] {
  const text = metricsText(clusterFamilies, clusterMetrics({ ...emptySnapshot, ...snapshot }, now))
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

type Conditions = NonNullable<NonNullable<MachineConfigPool['status']>['conditions']>

function updatingPool(since: string, options: Parameters<typeof aPool>[1] = {}): MachineConfigPool {
  const conditions = [
    { type: 'Updated', status: 'False', lastTransitionTime: since, reason: '', message: '' },
    { type: 'Updating', status: 'True', lastTransitionTime: since, reason: 'Moving', message: 'long text' },
    { type: 'Foreign', status: 'True', lastTransitionTime: since, reason: '', message: '' },
  ] as Conditions
  return aPool('worker', { config: 'v2', ...options, status: { machineCount: 2, updatedMachineCount: 1, conditions } })
}

/** Paused: not Updated, and nobody is told to move. */
const waitingPool = (): MachineConfigPool => ({
  ...aPool('worker', { config: 'v2', paused: true }),
  status: {
    conditions: ['Updated', 'Updating'].map((type) => ({
      type,
      status: 'False' as const,
      lastTransitionTime: minutesAgo(60),
      reason: '',
      message: '',
    })),
  },
})

function report(name: string, conditions: Readonly<Record<string, readonly [string, string]>>): MachineConfigNode {
  return {
    metadata: { name },
    spec: { node: { name }, pool: { name: 'worker' }, configVersion: { desired: 'v2' } },
    status: {
      configVersion: { current: 'v1', desired: 'v2' },
      conditions: Object.entries(conditions).map(([type, [status, lastTransitionTime]]) => ({
        type,
        status: status as 'True' | 'False' | 'Unknown',
        lastTransitionTime,
        reason: 'R',
        message: '',
      })),
    },
  }
}

const working = (name: string) => aNode(name, { current: 'v1', desired: 'v2', state: 'Working' })

describe('pools', () => {
  const pools = [updatingPool(minutesAgo(60))]
  const nodes = [aNode('w-0', { current: 'v2' }), working('w-1')]

  test('counts and conditions of the closed set, by pool', () => {
    expect(lines({ pools, nodes }, 'mco_machine_count')).toEqual(['mco_machine_count{pool="worker"} 2'])
    expect(lines({ pools, nodes }, 'mco_pool_condition')).toEqual([
      'mco_pool_condition{pool="worker",condition="Updated"} 0',
      'mco_pool_condition{pool="worker",condition="Updating"} 1',
    ])
    expect(lines({ pools, nodes }, 'mco_pool_nodes')).toEqual([
      'mco_pool_nodes{pool="worker",state="Done"} 1',
      'mco_pool_nodes{pool="worker",state="Updating"} 1',
    ])
  })

  test('mco_state has the condition that turned true last, and no sentence', () => {
    const at = unix(minutesAgo(60))
    expect(lines({ pools, nodes }, 'mco_state')).toEqual([
      `mco_state{node="w-0",pool="worker",state="Updating",reason="Moving"} ${at}`,
      `mco_state{node="w-1",pool="worker",state="Updating",reason="Moving"} ${at}`,
    ])
  })

  test('a pool or node that is gone has no series', () => {
    expect(clusterMetrics(emptySnapshot, now)).toEqual([{ name: 'mco_mosc_count', labels: {}, value: 0 }])
  })

  test('an OS image of a user is told by the annotation of the rendered config', () => {
    const annotations = { 'machineconfiguration.openshift.io/os-image-url-overridden': 'true' }
    const machineConfigs = [{ metadata: { name: 'v2', annotations }, spec: {} }]
    expect(lines({ pools, machineConfigs }, 'os_image_url_override')).toEqual([
      'os_image_url_override{pool="worker"} 1',
    ])
    const plain = [{ metadata: { name: 'v2' }, spec: {} }]
    expect(lines({ pools, machineConfigs: plain }, 'os_image_url_override')).toEqual([
      'os_image_url_override{pool="worker"} 0',
    ])
  })
})

describe('progress of a rollout', () => {
  const progress = (snapshot: Partial<ClusterSnapshot>): number | undefined => {
    const [line] = lines(snapshot, 'mco_pool_last_progress_timestamp_seconds')
    return line === undefined ? undefined : Number(line.split(' ')[1])
  }
  const began = minutesAgo(60)
  const pools = [updatingPool(began)]

  test('begins with the rollout', () => {
    expect(progress({ pools, nodes: [working('w-1')] })).toBe(unix(began))
  })
  test('is the last phase that a node at work has completed, not what it says while it waits', () => {
    const conditions = {
      Updated: ['False', minutesAgo(50)],
      Cordoned: ['True', minutesAgo(7)],
      Drained: ['Unknown', minutesAgo(1)],
    } as const
    const machineConfigNodes = [report('w-1', conditions)]
    expect(progress({ pools, nodes: [working('w-1')], machineConfigNodes })).toBe(unix(minutesAgo(7)))
  })
  test('is the arrival of a node', () => {
    const machineConfigNodes = [report('w-0', { Updated: ['True', minutesAgo(20)], Drained: ['False', minutesAgo(3)] })]
    expect(progress({ pools, nodes: [aNode('w-0', { current: 'v2' })], machineConfigNodes })).toBe(unix(minutesAgo(20)))
  })
  test('is not what a node does that has given up and tries again', () => {
    const machineConfigNodes = [report('w-1', { Updated: ['False', minutesAgo(1)] })]
    const nodes = [aNode('w-1', { current: 'v1', desired: 'v2', state: 'Degraded' })]
    expect(progress({ pools, nodes, machineConfigNodes })).toBe(unix(began))
  })
  test('does not exist without a rollout, nor for a paused pool whose nodes rest', () => {
    const done = aPool('worker', {
      status: { conditions: [{ type: 'Updated', status: 'True', lastTransitionTime: began, reason: '', message: '' }] },
    })
    expect(progress({ pools: [done] })).toBeUndefined()
    const paused = [waitingPool()]
    const machineConfigNodes = [
      report('w-0', { Updated: ['True', minutesAgo(9000)] }),
      report('w-1', { Updated: ['False', minutesAgo(5)] }),
    ]
    const rests = [aNode('w-0', { current: 'v1' })]
    expect(progress({ pools: paused, nodes: rests, machineConfigNodes })).toBeUndefined()
    expect(progress({ pools: paused, nodes: [...rests, working('w-1')], machineConfigNodes })).toBe(unix(minutesAgo(5)))
  })
})

describe('nodes', () => {
  const pools = [updatingPool(minutesAgo(60))]

  test('a node at work has the time at which its update began', () => {
    const machineConfigNodes = [report('w-1', { Updated: ['False', minutesAgo(50)] })]
    expect(
      lines({ pools, nodes: [working('w-1')], machineConfigNodes }, 'mco_node_update_started_timestamp_seconds'),
    ).toEqual([
      `mco_node_update_started_timestamp_seconds{node="w-1",pool="worker",state="Updating"} ${unix(minutesAgo(50))}`,
    ])
  })
  test.each([
    ['Degraded', 'unexpected on-disk state validating against v1: content mismatch', true],
    ['Degraded', 'disk full', false],
    ['Unreconcilable', 'cannot change the partition table', false],
  ])('%s with "%s"', (state, reason, hasDrifted) => {
    const nodes = [aNode('w-1', { current: 'v1', desired: 'v2', state, reason })]
    expect(lines({ pools, nodes }, 'mco_node_failed')).toEqual([
      `mco_node_failed{node="w-1",pool="worker",state="${state}"} 1`,
    ])
    expect(lines({ pools, nodes }, 'mco_node_drift')).toEqual(
      hasDrifted ? ['mco_node_drift{node="w-1",pool="worker"} 1'] : [],
    )
  })
  test('an overdue reboot', () => {
    const nodes = [
      aNode('w-1', { current: 'v1', annotations: { 'machineconfig.io/reboot-overdue': 'it is not back' } }),
    ]
    expect(lines({ pools, nodes }, 'mco_node_reboot_overdue')).toEqual([
      'mco_node_reboot_overdue{node="w-1",pool="worker"} 1',
    ])
  })
  test('a control plane node in a custom pool alerts; the others have no series', () => {
    const labels = { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/infra': '' }
    const found = lines(
      { pools: [aPool('master'), aPool('worker'), aPool('infra')], nodes: [aNode('m-0', { labels }), aNode('w-0')] },
      'mcc_pool_alert',
    )
    expect(found).toEqual(['mcc_pool_alert{node="m-0"} 1'])
  })
})

describe('drains', () => {
  const draining = (started: string, blockers?: unknown) =>
    aNode('w-1', {
      current: 'v1',
      desired: 'v2',
      state: 'Working',
      unschedulable: true,
      annotations: {
        'machineconfiguration.openshift.io/desiredDrain': 'drain-v2',
        'machineconfiguration.openshift.io/lastAppliedDrain': 'uncordon-v1',
        'machineconfig.io/drain-started': started,
        ...(blockers !== undefined && {
          'machineconfig.io/drain-blockers': typeof blockers === 'string' ? blockers : JSON.stringify(blockers),
        }),
      },
    })
  const blocker = (pod: string) => ({
    namespace: 'shop',
    pod,
    reason: 'DisruptionBudget',
    budget: { name: 'web', disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
    message: 'm',
  })
  const pools = [updatingPool(minutesAgo(90))]

  test('the start, and the budget that says no', () => {
    const blockers = { since: '', attempts: 3, total: 12, blockers: [blocker('web-1')] }
    const nodes = [draining(minutesAgo(5), blockers)]
    expect(lines({ pools, nodes }, 'mco_drain_started_timestamp_seconds')).toEqual([
      `mco_drain_started_timestamp_seconds{node="w-1",pool="worker"} ${unix(minutesAgo(5))}`,
    ])
    expect(lines({ pools, nodes }, 'mco_drain_blocked_pods')).toEqual([
      'mco_drain_blocked_pods{node="w-1",pool="worker"} 12',
    ])
    expect(lines({ pools, nodes }, 'mco_drain_blocker_info')).toEqual([
      'mco_drain_blocker_info{node="w-1",blocked_namespace="shop",blocked_pod="web-1",budget="web",reason="DisruptionBudget"} 1',
    ])
  })
  test.each([
    [59, undefined, []],
    [60, undefined, ['mcc_drain_err{node="w-1"} 1']],
    [60, '2h', []],
    [121, '2h', ['mcc_drain_err{node="w-1"} 1']],
  ])('after %s minutes with the timeout %s of the pool', (minutes, timeout, expected) => {
    const annotations = timeout === undefined ? {} : { 'machineconfig.io/drain-timeout': timeout }
    const patient = [updatingPool(minutesAgo(200), { annotations })]
    expect(lines({ pools: patient, nodes: [draining(minutesAgo(minutes))] }, 'mcc_drain_err')).toEqual(expected)
  })
  test.each(['not json', '[]', '{"total":"many","blockers":[null]}', '{"total":1,"blockers":7}'])(
    'an annotation that somebody edited to %s blocks nothing',
    (text) => {
      expect(lines({ pools, nodes: [draining(minutesAgo(5), text)] }, 'mco_drain_blocked_pods')).toEqual([
        'mco_drain_blocked_pods{node="w-1",pool="worker"} 0',
      ])
    },
  )
  test('never more than a hundred blockers', () => {
    const many = { total: 300, blockers: Array.from({ length: 300 }, (_, index) => blocker(`web-${index}`)) }
    expect(lines({ pools, nodes: [draining(minutesAgo(5), many)] }, 'mco_drain_blocker_info')).toHaveLength(100)
  })
})

describe('the whole', () => {
  const pools = [updatingPool(minutesAgo(60))]
  const machineConfigNodes = [report('w-1', { Updated: ['False', minutesAgo(50)] })]
  const nodes = [aNode('w-0', { current: 'v2' }), working('w-1'), aNode('w-2', { current: 'v1', ready: 'False' })]
  const snapshot = { ...emptySnapshot, pools, nodes, machineConfigNodes }

  test('every sample has the labels that its family declares, and a series comes once', () => {
    const samples = clusterMetrics(snapshot, now)
    expect(samples.length).toBeGreaterThan(10)
    for (const { name, labels } of samples) expect(Object.keys(labels)).toEqual(clusterFamilies[name].labels)
    const series = samples.map(({ name, labels }) => name + metricLabels(labels))
    expect(series).toEqual([...new Set(series)])
  })

  test('what explain finds is counted, and named', () => {
    expect(lines(snapshot, 'mco_finding_info')).toContain(
      'mco_finding_info{code="NodeNotReady",severity="warning",subject="node/w-2"} 1',
    )
  })

  test('a pool without a spec says nothing and breaks nothing', () => {
    const bare = { metadata: { name: 'bare' } } as MachineConfigPool
    expect(lines({ ...snapshot, pools: [...pools, bare] }, 'mco_machine_count')).toEqual([
      'mco_machine_count{pool="worker"} 2',
    ])
  })

  test('whatever somebody wrote into annotations, every value is a number and nothing is thrown', () => {
    const nodeKeys = ['drain-started', 'drain-blockers', 'drain-request', 'reboot-overdue'].map(ours)
    const wireKeys = [
      'state',
      'reason',
      'desiredDrain',
      'lastAppliedDrain',
      'currentConfig',
      'desiredConfig',
      'post-config-action',
    ]
    const poolKeys = ['drain-timeout', 'paused-at', 'paused-by', 'pause-until', 'waiting-nodes', 'reboot-limit'].map(
      ours,
    )
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('Degraded', 'Working', 'Done', 'drain-v2', '2026-01-01T00:00:00Z', '9'.repeat(40)),
    )
    const annotations = (keys: readonly string[]) => fc.dictionary(fc.constantFrom(...keys), text)
    const wire = wireKeys.map((key) => `machineconfiguration.openshift.io/${key}`)
    fc.assert(
      fc.property(
        annotations([...nodeKeys, ...wire]),
        annotations(poolKeys),
        fc.boolean(),
        (onNode, onPool, paused) => {
          const pool = updatingPool(minutesAgo(60), { annotations: onPool, paused })
          const node = aNode('w-1', { annotations: onNode })
          const samples = clusterMetrics({ ...emptySnapshot, pools: [pool], nodes: [node] }, now)
          expect(samples.filter(({ value }) => !Number.isFinite(value))).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a thousand nodes take well under a second', () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      index < 900 ? aNode(`w-${index}`, { current: 'v2' }) : working(`w-${index}`),
    )
    const reports = many.map(({ metadata }) => report(metadata.name ?? '', { Updated: ['True', minutesAgo(50)] }))
    const started = performance.now()
    const samples = clusterMetrics({ ...snapshot, nodes: many, machineConfigNodes: reports }, now)
    expect(performance.now() - started).toBeLessThan(1000)
    expect(samples.filter(({ name }) => name === 'mco_state')).toHaveLength(1000)
  })
})

describe('certificates', () => {
  test('each bundle has the first of its ends; one without an end has none', () => {
    const certificate = (bundleFile: string, notAfter: string | null) => ({
      bundleFile,
      subject: 'CN=a',
      signer: 'CN=b',
      notBefore: null,
      notAfter,
    })
    const controllerConfig = {
      metadata: { name: 'machine-config-controller' },
      spec: {},
      status: {
        controllerCertificates: [
          certificate('RootCAData', '2030-01-02T00:00:00Z'),
          certificate('KubeAPIServerServingCAData', '2027-01-02T00:00:00Z'),
          certificate('KubeAPIServerServingCAData', '2026-05-02T00:00:00Z'),
          certificate('CloudProviderCAData', null),
        ],
      },
    } as unknown as ControllerConfig
    expect(lines({ controllerConfig }, 'mco_certificate_not_after_timestamp_seconds')).toEqual([
      `mco_certificate_not_after_timestamp_seconds{bundle="KubeAPIServerServingCAData"} ${unix('2026-05-02T00:00:00Z')}`,
      `mco_certificate_not_after_timestamp_seconds{bundle="RootCAData"} ${unix('2030-01-02T00:00:00Z')}`,
    ])
  })
})
