import { describe, expect, it } from 'vitest'
import { ago, codes, config, files, found, next, old, worker } from '../../../test/unit/explainBuilders.ts'
import { aNode } from '../../../test/unit/rolloutBuilders.ts'

describe('explain, of a pool', () => {
  const waiting = [aNode('n1', { current: next, unschedulable: true }), aNode('n2', { current: old })]

  it('names who uses up the budget, who cordoned it, and a command that does not break more', () => {
    const [node = aNode('n1')] = waiting
    const cordoned = {
      ...node,
      metadata: {
        ...node.metadata,
        managedFields: [{ manager: 'kubectl-cordon', time: ago(9), fieldsV1: { 'f:spec': { 'f:unschedulable': {} } } }],
      },
    }
    const findings = found({ nodes: [cordoned, ...waiting.slice(1)] })
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['CapacityUsedUp', 'warning'],
      ['NodeCordoned', 'info'],
    ])
    expect(findings[0]?.why).toContain('n1 (cordoned by somebody else) uses up the budget')
    expect(findings[0]?.command).toContain('"maxUnavailable":2')
    expect(findings[1]).toMatchObject({
      what: `node n1 was cordoned by kubectl-cordon at ${ago(9)}`,
      since: ago(9),
      command: 'kubectl uncordon n1',
    })
  })

  it('never offers to send more nodes to a config that failed', () => {
    const nodes = [
      aNode('n1', { current: old, desired: next, state: 'Degraded', reason: 'x' }),
      aNode('n2', { current: old }),
    ]
    const finding = found({ nodes }).find(({ code }) => code === 'CapacityUsedUp')
    expect(finding?.why).toContain('n1 (degraded)')
    expect(finding?.command).toBeUndefined()
  })

  it('tells who paused it, and what waits', () => {
    const pools = [
      worker({
        paused: true,
        annotations: { 'machineconfig.io/paused-by': 'ada', 'machineconfig.io/paused-at': ago(60) },
      }),
    ]
    const [finding, ...others] = found({
      pools,
      nodes: [aNode('n1', { current: old })],
      machineConfigs: [config(old, files()), config(next, files('/etc/b'))],
    })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'PausedWithBacklog', since: ago(60) })
    expect(finding?.what).toBe(`pool worker is paused by ada since ${ago(60)}; 1 of 1 nodes wait for ${next}: /etc/b`)
  })

  it('does not deny a deadline behind a pause when it may not look at what waits', () => {
    const situation = { pools: [worker({ paused: true })], nodes: [aNode('n1', { current: old })] }
    const machineConfigs = [config(old, files()), config(next, files('/etc/b'))]
    expect(found({ ...situation, machineConfigs })[0]?.why).toMatch(/; nothing that waits has a deadline$/)
    const [finding] = found({ ...situation, machineConfigs: [], unreadable: { machineconfigs: '403' } })
    expect(finding?.code).toBe('PausedWithBacklog')
    expect(finding?.why).toContain(`deadlines of what waits are not known: MachineConfig ${old} could not be read`)
    expect(finding?.why).not.toContain('has a deadline')
  })

  it.each(['many', '50 percent', -1])('tells that maxUnavailable %j cannot be followed', (maxUnavailable) => {
    expect(found({ pools: [worker({ maxUnavailable })], nodes: [aNode('n1', { current: old })] })).toMatchObject([
      { code: 'InvalidMaxUnavailable' },
    ])
  })

  it('names every annotation that cannot be read', () => {
    const keys = ['drain-timeout', 'drain-force-after', 'drain-grace-period', 'reboot-limit', 'drain-skip-selector']
    const annotations = Object.fromEntries(keys.map((key) => [`machineconfig.io/${key}`, 'in )']))
    expect(
      found({ pools: [worker({ annotations })] }).map(({ code, what }) => [
        code,
        keys.find((key) => what.includes(key)),
      ]),
    ).toEqual(keys.map((key) => ['InvalidAnnotation', key]))
  })

  it.each(['nodeSelector', 'machineConfigSelector'])('tells that its empty %s selects nothing', (field) => {
    const pool = worker()
    expect(codes({ pools: [{ ...pool, spec: { ...pool.spec, [field]: {} } }] })).toContain('InvalidSelector')
  })

  const failing = (message: string) =>
    worker({
      status: {
        conditions: [{ type: 'RenderDegraded', status: 'True', reason: '', message, lastTransitionTime: ago(5) }],
      },
    })

  it('names the fragment and the place in it that cannot be rendered', () => {
    const bad = config('50-bad', {
      config: { ignition: { version: '3.5.0' }, storage: { files: [{ path: '/etc/x', mode: 1000 }] } },
    })
    const [finding, ...others] = found({
      pools: [
        failing('Failed to render configuration for pool worker: invalid mode 01750 for /etc/x, cannot exceed 0777'),
      ],
      machineConfigs: [config(old), config(next), config('49-fine', files('/etc/y')), bad],
    })
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      code: 'RenderFailed',
      severity: 'critical',
      since: ago(5),
      command: 'kubectl delete mc 50-bad',
    })
    expect(finding?.why).toContain('MachineConfig 50-bad, $.spec.config.storage.files[0].mode')
  })

  it('takes the fragment from the message when each is good by itself', () => {
    const machineConfigs = [
      config(old),
      config(next),
      config('50-a', files('/etc/y')),
      config('50-a-b', files('/etc/z')),
    ]
    const [finding] = found({
      pools: [failing('reconciliation failed between current config "x" and base config "50-a": no')],
      machineConfigs,
    })
    expect(finding?.command).toBe('kubectl delete mc 50-a')
  })

  it('tells that the result is too large, or nearly', () => {
    expect(
      codes({ pools: [failing('size validation failed: rendered MachineConfig x is too large (2 bytes)')] }),
    ).toEqual(['RenderedConfigTooLarge'])
    const large = config(next, { config: { ignition: { version: '3.5.0' }, filler: 'x'.repeat(1_400_000) } as never })
    expect(codes({ machineConfigs: [config(old), large] })).toEqual(['RenderedConfigNearLimit'])
  })

  it('tells what must settle before it is rendered', () => {
    const [finding] = found({ unreadable: {} })
    expect(finding).toMatchObject({
      code: 'RenderWaiting',
      severity: 'info',
      what: 'pool worker is not rendered: ControllerConfig machine-config-controller does not exist yet',
    })
  })

  it('tells that its target is gone', () => {
    expect(found({ machineConfigs: [config(old)] })).toMatchObject([
      { code: 'MissingRenderedConfig', subject: { kind: 'mcp', name: 'worker' } },
    ])
  })

  it('tells that no controller looks at it: by the lease, or by a change that nobody saw', () => {
    const lease = (minutes: number) => ({
      metadata: { name: 'machine-config-controller', namespace: 'openshift-machine-config-operator' },
      spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 137, renewTime: ago(minutes) },
    })
    expect(codes({ leaderLease: lease(6) })).toEqual(['ControllersNotRunning'])
    expect(codes({ leaderLease: lease(4) })).toEqual([])
    const pool = worker()
    const unseen = (minutes: number) => ({
      ...pool,
      metadata: { ...pool.metadata, generation: 2, managedFields: [{ manager: 'kubectl', time: ago(minutes) }] },
      status: { observedGeneration: 1 },
    })
    expect(codes({ pools: [unseen(6)] })).toEqual(['ControllersNotRunning'])
    expect(codes({ pools: [unseen(1)] })).toEqual([])
  })

  it('tells that its image is not ready', () => {
    const machineOSConfigs = [{ metadata: { name: 'c' }, spec: { machineConfigPool: { name: 'worker' } } } as never]
    expect(codes({ machineOSConfigs })).toEqual(['ImageNotReady'])
  })
})
