import { beforeAll, describe, expect, it } from 'vitest'
import { fragment, ignition } from '../../test/kube/renderObjects.ts'
import { now, present, rendered, rolePool, settledCluster } from '../../test/unit/forecastBuilders.ts'
import { aNode } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { ManagedFieldsEntry } from '../api/meta.ts'
import { createAuthority } from '../certificates/issueCertificate.ts'
import { type Backlog, backlogOf } from './backlog.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

const dayMs = 86_400_000
const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs)

const base = fragment('00-worker', {})
const nodes = [aNode('w-1', { current: present }), aNode('w-2', { current: present })]

const file = (path: string, text: string, mode = 0o644): Readonly<Record<string, unknown>> => ({
  path,
  mode,
  contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
})
const withFiles = (name: string, ...files: readonly object[]): MachineConfig =>
  fragment(name, { config: ignition({ storage: { files } }) })

/** A settled cluster whose worker pool was paused before `fragments` came. */
function paused(before: readonly MachineConfig[], after: readonly MachineConfig[]): ClusterSnapshot {
  const cluster = settledCluster([rolePool('worker')], before, nodes)
  const generated = cluster.machineConfigs.filter(({ metadata }) => metadata.name?.startsWith('rendered-'))
  const pools = cluster.pools.map((pool) => ({ ...pool, spec: { ...pool.spec, paused: true } }))
  return rendered({ ...cluster, pools, machineConfigs: [...after, ...generated] })
}

function backlog(snapshot: ClusterSnapshot): Backlog {
  const found = backlogOf(snapshot, 'worker', now)
  if (!found) throw new Error('there is no backlog')
  return found
}

describe('backlogOf', () => {
  it('is undefined when nothing waits, paused or not', () => {
    expect(backlogOf(paused([base], [base]), 'worker', now)).toBeUndefined()
    expect(backlogOf(paused([base], [base]), 'no-such-pool', now)).toBeUndefined()
    const open = settledCluster([rolePool('worker')], [base], nodes)
    const moving = rendered({
      ...open,
      machineConfigs: [...open.machineConfigs, withFiles('99-a', file('/etc/a', 'a'))],
    })
    expect(backlogOf(moving, 'worker', now)).toBeUndefined()
  })

  it('names each change with its source, who changed it, since when and what it causes', () => {
    const managedFields: ManagedFieldsEntry[] = [
      {
        manager: 'argocd',
        operation: 'Apply',
        time: '2026-02-20T08:00:00Z',
        fieldsV1: { 'f:spec': { 'f:config': {} } },
      },
    ]
    const chrony = withFiles('99-chrony', file('/etc/chrony.conf', 'pool a\n'))
    const owned = { ...chrony, metadata: { ...chrony.metadata, managedFields } }
    const found = backlog(paused([base], [base, owned]))
    expect(found).toMatchObject({ pool: 'worker', reason: 'Paused', severity: 'info', warnings: [], goingOn: [] })
    expect(found.items).toEqual([
      {
        subject: '/etc/chrony.conf',
        change: 'added',
        details: ['mode 0644'],
        sources: [
          {
            fragment: '99-chrony',
            sets: ['contents', 'mode'],
            changedBy: { manager: 'argocd', operation: 'Apply', time: '2026-02-20T08:00:00Z' },
          },
        ],
        overridden: [],
        gone: [],
        since: '2026-02-20T08:00:00Z',
        impact: 'reboot',
        actions: ['Reboot'],
        rule: 'no node disruption policy for this path',
        nodes: ['w-1', 'w-2'],
        deadlines: [],
        brings: [],
      },
    ])
    expect(found.nodes.map(({ node, impact, drain }) => [node, impact, drain])).toEqual([
      ['w-1', 'reboot', true],
      ['w-2', 'reboot', true],
    ])
  })

  it('never holds contents, and says what a removal comes from', () => {
    const secret = withFiles('99-token', file('/etc/token', 'hunter2', 0o600), file('/etc/open', 'hunter3'))
    const found = backlog(paused([base, secret], [base]))
    expect(JSON.stringify(found)).not.toMatch(/hunter/)
    expect(found.items.map(({ subject, change, gone }) => [subject, change, gone])).toEqual([
      ['/etc/token', 'removed', ['99-token']],
      ['/etc/open', 'removed', ['99-token']],
    ])
  })

  it('says that a change is not known when the config of a node is gone', () => {
    const snapshot = paused([base], [base, withFiles('99-a', file('/etc/a', 'a'))])
    const current = snapshot.nodes[0]?.metadata.annotations?.['machineconfiguration.openshift.io/currentConfig']
    const machineConfigs = snapshot.machineConfigs.filter(({ metadata }) => metadata.name !== current)
    const found = backlog({ ...snapshot, machineConfigs })
    expect(found.items).toEqual([])
    expect(found.nodes[0]).toMatchObject({ impact: 'unknown', refusal: expect.stringContaining(current ?? '') })
  })

  it('says of configs that may not be read that they could not be, not that they are gone', () => {
    const snapshot = paused([base], [base, withFiles('99-a', file('/etc/a', 'a'))])
    const found = backlog({ ...snapshot, machineConfigs: [], unreadable: { machineconfigs: '403' } })
    expect(found.items).toEqual([])
    expect(found.nodes.map(({ impact, refusal }) => [impact, refusal])).toEqual([
      ['unknown', expect.stringMatching(/^MachineConfig rendered-worker-\w+ could not be read: .* not known$/)],
      ['unknown', expect.stringContaining('could not be read')],
    ])
  })

  it('says of a removal that makes an old config the target again that it waits since the pool is not updated', () => {
    const extra = withFiles('99-a', file('/etc/a', 'a'))
    const updated = (lastTransitionTime: string): ClusterSnapshot => {
      const snapshot = paused([base, extra], [base])
      const conditions = [{ type: 'Updated', status: 'False' as const, reason: '', message: '', lastTransitionTime }]
      return { ...snapshot, pools: snapshot.pools.map((pool) => ({ ...pool, status: { ...pool.status, conditions } })) }
    }
    const sinceOf = (snapshot: ClusterSnapshot) => backlog(snapshot).items.map(({ since }) => since)
    expect(sinceOf(updated('2026-03-02T10:00:00Z'))).toEqual(['2026-03-02T10:00:00Z'])
    expect(sinceOf(updated('2026-01-01T10:00:00Z'))).toEqual([now.toISOString()])
  })

  it('is also made of what waits for a correct maxUnavailable', () => {
    const cluster = settledCluster([rolePool('worker', { maxUnavailable: '5 nodes' })], [base], nodes)
    const waiting = rendered({
      ...cluster,
      machineConfigs: [...cluster.machineConfigs, withFiles('99-a', file('/a', 'a'))],
    })
    expect(backlog(waiting)).toMatchObject({
      reason: 'InvalidMaxUnavailable',
      nodes: [{ node: 'w-1' }, { node: 'w-2' }],
    })
    expect(backlog(waiting)).not.toHaveProperty('pause')
  })

  it('counts the image of a layered pool as a change, and waits for it as long as it is built', () => {
    const snapshot = paused([base], [base, withFiles('99-a', file('/etc/a', 'a'))])
    const target = snapshot.pools[0]?.spec.configuration?.name ?? ''
    const config = {
      metadata: { name: 'layered' },
      spec: { machineConfigPool: { name: 'worker' } },
      status: { currentImagePullSpec: 'registry.example.com/os@sha256:11' },
    } as unknown as MachineOSConfig
    const build = {
      metadata: { name: 'build' },
      spec: { machineConfig: { name: target }, machineOSConfig: { name: 'layered' } },
      status: {
        conditions: [{ type: 'Succeeded', status: 'True' }],
        digestedImagePushSpec: 'registry.example.com/os@sha256:11',
      },
    } as unknown as MachineOSBuild
    const built = backlog({ ...snapshot, machineOSConfigs: [config], machineOSBuilds: [build] })
    expect(built.items.map(({ subject, details }) => [subject, details])).toEqual([
      ['/etc/a', ['mode 0644']],
      ['OS image of the pool', ['(none) -> registry.example.com/os@sha256:11']],
    ])
    expect(built.nodes.map(({ impact }) => impact)).toEqual(['reboot', 'reboot'])
    const open = snapshot.pools.map((pool) => ({ ...pool, spec: { ...pool.spec, paused: false } }))
    expect(backlog({ ...snapshot, pools: open, machineOSConfigs: [config] })).toMatchObject({
      reason: 'ImageNotReady',
      items: [{ subject: '/etc/a' }],
    })
  })

  it('warns of a pause whose end has passed, and of one that cannot be read', () => {
    const snapshot = paused([base], [base, withFiles('99-a', file('/etc/a', 'a'))])
    const until = (text: string): ClusterSnapshot => ({
      ...snapshot,
      pools: snapshot.pools.map((pool) => ({
        ...pool,
        metadata: { ...pool.metadata, annotations: { 'machineconfig.io/pause-until': text } },
      })),
    })
    expect(backlog(until('2026-02-01T00:00:00Z'))).toMatchObject({
      severity: 'warning',
      warnings: ['the pause was meant to end at 2026-02-01T00:00:00Z; it does not end by itself'],
    })
    expect(backlog(until('soon'))).toMatchObject({ severity: 'warning', warnings: [expect.stringContaining('"soon"')] })
    expect(backlog(until('2026-04-01T00:00:00Z')).severity).toBe('info')
  })

  describe('with certificates', () => {
    const path = '/opt/anything/signers.txt'
    const pems = new Map<string, string>()
    beforeAll(async () => {
      const authority = async (key: string, name: string, days: number): Promise<void> => {
        const { certificatePem } = await createAuthority(name, inDays(-300), { notAfter: inDays(days) })
        pems.set(key, certificatePem)
      }
      await authority('soon', 'signer@100', 10)
      await authority('later', 'signer@100', 40)
      await authority('expired', 'signer@100', -2)
      await authority('next', 'signer@200', 400)
      await authority('other', 'unrelated', 3)
    })
    const pem = (...keys: readonly string[]): string => keys.map((key) => pems.get(key) ?? '').join('\n')
    const rotation = (held: string, waiting: string): Backlog =>
      backlog(paused([base, withFiles('01-ca', file(path, held))], [base, withFiles('01-ca', file(path, waiting))]))

    it('takes the end of what nodes hold now as the deadline, whatever the path', () => {
      const found = rotation(pem('later'), pem('later', 'next'))
      expect(found.severity).toBe('warning')
      expect(found.nearestDeadline).toBe(inDays(40).toISOString())
      expect(found.items[0]).toMatchObject({
        deadlines: [{ path, expires: inDays(40).toISOString(), renewedUntil: inDays(400).toISOString() }],
        brings: [{ expires: inDays(400).toISOString() }],
      })
      expect(found.warnings[0]).toMatch(/signer@100 expires on 2026-04-10, and its successor waits here/)
    })

    it('is critical under 14 days, and after the end', () => {
      expect(rotation(pem('soon'), pem('next')).severity).toBe('critical')
      const lost = rotation(pem('expired'), pem('next'))
      expect(lost.severity).toBe('critical')
      expect(lost.warnings[0]).toMatch(/has expired on 2026-02-27/)
    })

    it('takes the longest of what nodes hold of one signer, and leaves alone what is not renewed', () => {
      const found = rotation(pem('soon', 'later', 'other'), pem('soon', 'later', 'other', 'next'))
      expect(found.nearestDeadline).toBe(inDays(40).toISOString())
    })

    it('sees no deadline in garbage, and in certificates that only come', () => {
      expect(rotation('-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n', 'y')).toMatchObject({
        severity: 'info',
        items: [{ deadlines: [], brings: [] }],
      })
      expect(rotation('none', pem('next'))).toMatchObject({ severity: 'info', items: [{ deadlines: [] }] })
    })
  })
})
