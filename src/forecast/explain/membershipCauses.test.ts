import { describe, expect, it } from 'vitest'
import { ago, config, found, next, ofNode, old, prefix, worker } from '../../../test/unit/explainBuilders.ts'
import { aNode, aPool } from '../../../test/unit/rolloutBuilders.ts'

describe('explain, of membership and clocks', () => {
  const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' })
  const pools = [
    worker(),
    aPool('master', { config: next }),
    aPool('edge', { config: next }),
    aPool('infra', { config: next }),
  ]

  it('names both custom pools, and a command that leaves one', () => {
    const [finding] = ofNode({ current: next, labels: { ...role('edge'), ...role('infra') } }, { pools })
    expect(finding).toMatchObject({
      code: 'CustomRoleConflict',
      command: 'kubectl label node n1 node-role.kubernetes.io/infra-',
    })
  })

  it('names the custom pool that a control-plane node ignores', () => {
    const [finding] = ofNode({ current: next, labels: { ...role('master'), ...role('edge') } }, { pools })
    expect(finding).toMatchObject({
      code: 'ControlPlaneCustomRole',
      why: expect.stringContaining('before edge'),
      command: 'kubectl label node n1 node-role.kubernetes.io/edge-',
    })
  })

  it('tells of a node without a pool, and of a fragment without one', () => {
    expect(ofNode({ current: next, labels: {} })).toMatchObject([{ code: 'NodeWithoutPool', severity: 'info' }])
    expect(ofNode({ current: old, desired: next, state: 'Working', labels: {} })).toMatchObject([
      { code: 'NodeWithoutPool', severity: 'warning' },
    ])
    const stray = { ...config('50-stray'), metadata: { name: '50-stray', labels: { [`${prefix}role`]: 'wrker' } } }
    expect(found({ machineConfigs: [config(old), config(next), stray] })).toMatchObject([
      { code: 'FragmentNotSelected', subject: { kind: 'mc', name: '50-stray' } },
    ])
  })

  it('tells whose clock is ahead, and when it is ours that is behind', () => {
    const at = (name: string, minutes: number) => {
      const node = aNode(name, { current: next })
      return {
        ...node,
        status: { conditions: [{ type: 'Ready', status: 'True' as const, lastHeartbeatTime: ago(-minutes) }] },
      }
    }
    expect(found({ nodes: [at('n1', 10), at('n2', 1)] })).toMatchObject([
      { code: 'ClockSkew', subject: { name: 'n1' }, why: expect.stringMatching(/^its clock is ahead/) },
    ])
    expect(found({ nodes: [at('n1', 10), at('n2', 11)] })[0]?.why).toMatch(/it is this one that is behind/)
  })
})
