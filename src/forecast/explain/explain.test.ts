import { describe, expect, it } from 'vitest'
import { aBudget, aNode, aPod, aPool } from '../../../test/unit/rolloutBuilders.ts'
import type { MachineConfig } from '../../api/machineConfig.ts'
import { type ClusterSnapshot, emptySnapshot } from '../clusterSnapshot.ts'
import { explain } from './explain.ts'

const now = new Date('2026-03-01T12:00:00Z')
const prefix = 'machineconfiguration.openshift.io/'

const rendered = (name: string): MachineConfig => ({ metadata: { name }, spec: {} })
const configs = [rendered('rendered-v0'), rendered('rendered-v1')]

const running = { phase: 'Running' as const, conditions: [{ type: 'Ready', status: 'True' as const }] }

const found = (snapshot: Partial<ClusterSnapshot>) =>
  explain({ ...emptySnapshot, unreadable: { controllerconfigs: 'x' }, machineConfigs: configs, ...snapshot }, now)

const codes = (snapshot: Partial<ClusterSnapshot>) => found(snapshot).map(({ code }) => code)

describe('explain', () => {
  it('says nothing about a cluster in which all is well', () => {
    expect(
      codes({ pools: [aPool('worker', { config: 'rendered-v1' })], nodes: [aNode('n1', { current: 'rendered-v1' })] }),
    ).toEqual([])
  })

  it('names pod, budget, arithmetic, placement, and a command that opens the budget', () => {
    const node = aNode('n1', {
      current: 'rendered-v0',
      desired: 'rendered-v1',
      state: 'Working',
      unschedulable: true,
      annotations: {
        [`${prefix}desiredDrain`]: 'drain-rendered-v1',
        'machineconfig.io/drain-started': '2026-03-01T11:59:00Z',
      },
    })
    const budget = aBudget('web', 0)
    const [finding, ...others] = found({
      pools: [aPool('worker', { config: 'rendered-v1' })],
      nodes: [node],
      pods: [{ ...aPod('web-0', { node: 'n1' }), status: running }],
      budgets: [{ ...budget, spec: { ...budget.spec, minAvailable: 1 } }],
    })
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      code: 'DrainBlockedByBudget',
      severity: 'warning',
      subject: { kind: 'node', name: 'n1' },
      since: '2026-03-01T11:59:00Z',
      what: 'pod default/web-0 cannot be evicted: PodDisruptionBudget web allows 0 disruptions (1 healthy, 1 required); no node can take a replacement: 1 of 1 node: being drained',
      why: 'minAvailable 1 of 1 pods: 1 healthy - 1 required leaves 0 to disrupt',
      command: `kubectl -n default patch pdb web --type=merge -p '{"spec":{"minAvailable":0}}'`,
    })
  })
})
