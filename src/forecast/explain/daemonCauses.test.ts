import { describe, expect, it } from 'vitest'
import { ago, codes, next, ofNode, old, prefix, report, running } from '../../../test/unit/explainBuilders.ts'
import { aNode } from '../../../test/unit/rolloutBuilders.ts'
import type { Pod } from '../../api/core.ts'

describe('explain, of a daemon', () => {
  const daemonSets = [{ metadata: { name: 'machine-config-daemon', namespace: 'openshift-machine-config-operator' } }]
  const daemonPod = (state: Readonly<Record<string, unknown>>): Pod => ({
    metadata: {
      ...{ name: 'mcd-1', namespace: 'openshift-machine-config-operator', creationTimestamp: ago(60) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'machine-config-daemon', uid: 'u' }],
    },
    spec: { containers: [], nodeName: 'n1' },
    status: {
      phase: 'Running',
      containerStatuses: [{ ...{ name: 'd', ready: false, restartCount: 3, image: '', imageID: '' }, state }],
    },
  })

  it('tells that its pod is missing, or why it is not ready', () => {
    expect(ofNode({ current: next }, { daemonSets })).toMatchObject([
      { code: 'DaemonNotRunning', severity: 'critical' },
    ])
    const crashing = ofNode(
      { current: next },
      { daemonSets, pods: [daemonPod({ waiting: { reason: 'CrashLoopBackOff' } })] },
    )
    expect(crashing).toMatchObject([{ code: 'DaemonNotRunning', what: expect.stringContaining('CrashLoopBackOff') }])
    const ready = { ...daemonPod({}), status: running }
    expect(ofNode({ current: next }, { daemonSets, pods: [ready] })).toEqual([])
    expect(ofNode({ current: next }, { daemonSets, unreadable: { pods: '403', controllerconfigs: 'x' } })).toEqual([])
  })

  it('tells that a machine never reported', () => {
    expect(ofNode({ created: ago(6) })).toMatchObject([{ code: 'DaemonNeverReported', since: ago(6) }])
  })

  const fields = (minutes: number) => [
    {
      manager: 'rollout',
      time: ago(minutes),
      fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${prefix}desiredConfig`]: {} } } },
    },
  ]
  it.each([
    [4, []],
    [6, ['DaemonSilent']],
  ])('that was told to move %i minutes ago and has not begun: %j', (minutes, expected) => {
    const node = aNode('n1', { current: old, desired: next, state: 'Done' })
    expect(codes({ nodes: [{ ...node, metadata: { ...node.metadata, managedFields: fields(minutes) } }] })).toEqual(
      expected,
    )
  })

  it.each([
    [14, []],
    [16, ['NodeSlow']],
  ])('at one phase for %i minutes: %j', (minutes, expected) => {
    const machineConfigNodes = [report(['AppliedFilesAndOS', 'Unknown', minutes], ['Updated', 'False', minutes + 1])]
    expect(
      codes({ nodes: [aNode('n1', { current: old, desired: next, state: 'Working' })], machineConfigNodes }),
    ).toEqual(expected)
  })

  it('and not of its silence while its kubelet is away', () => {
    const node = aNode('n1', { current: old, desired: next, state: 'Done', ready: 'Unknown' })
    expect(codes({ nodes: [{ ...node, metadata: { ...node.metadata, managedFields: fields(30) } }] })).toEqual([
      'NodeNotReady',
    ])
  })

  it('tells that a node is not back from its reboot, and not that it is not ready', () => {
    const annotations = { [`${prefix}post-config-action`]: 'Rebooting' }
    const [finding, ...others] = ofNode(
      { current: old, desired: next, state: 'Working', ready: 'Unknown', annotations },
      { machineConfigNodes: [report(['RebootedNode', 'Unknown', 12])] },
    )
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'RebootOverdue', severity: 'critical', since: ago(12) })
  })
})
