import { describe, expect, it } from 'vitest'
import { aNode, aPool } from '../../../test/unit/rolloutBuilders.ts'
import { emptySnapshot } from '../clusterSnapshot.ts'
import type { Finding, FindingSubject } from '../finding.ts'
import { findingsAbout } from './findingsAbout.ts'

const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' })
const label = 'machineconfiguration.openshift.io/role'
const pool = (name: string) => {
  const object = aPool(name, { config: `rendered-${name}` })
  return { ...object, spec: { ...object.spec, machineConfigSelector: { matchLabels: { [label]: name } } } }
}
const snapshot = {
  ...emptySnapshot,
  pools: [pool('worker'), pool('edge'), pool('infra')],
  nodes: [
    aNode('w1', { current: 'rendered-old', desired: 'rendered-worker' }),
    aNode('e1', { current: 'rendered-edge', labels: role('edge') }),
    aNode('both', { current: 'rendered-edge', labels: { ...role('edge'), ...role('infra') } }),
  ],
  machineConfigs: [{ metadata: { name: '50-edge', labels: { [label]: 'edge' } }, spec: {} }],
}
const subjects = ['node/w1', 'node/e1', 'node/both', 'mcp/worker', 'mcp/edge', 'mcp/infra', 'mc/50-edge', 'mc/60-other']
const toSubject = (text: string): FindingSubject => {
  const [kind, name = ''] = text.split('/')
  return { kind: kind as FindingSubject['kind'], name }
}
const findings = subjects.map(
  (text): Finding => ({
    ...{ code: 'X', severity: 'info', subject: toSubject(text) },
    ...{ what: 'w', why: 'y', remedy: 'r', evidence: [] },
  }),
)

describe('findingsAbout', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['node/w1', ['node/w1', 'mcp/worker']],
    ['node/both', ['node/both', 'mcp/edge', 'mcp/infra']],
    ['mcp/edge', ['node/e1', 'node/both', 'mcp/edge']],
    ['mc/50-edge', ['node/e1', 'node/both', 'mcp/edge', 'mc/50-edge']],
    ['mc/rendered-old', ['node/w1']],
    ['mc/rendered-edge', ['node/e1', 'node/both', 'mcp/edge']],
    ['mc/nothing', undefined],
    ['mcp/nothing', undefined],
    ['node/nothing', undefined],
  ])('%s', (text, expected) => {
    const about = findingsAbout(findings, snapshot, toSubject(text))
    expect(about?.map(({ subject }) => `${subject.kind}/${subject.name}`)).toEqual(expected)
  })
})
