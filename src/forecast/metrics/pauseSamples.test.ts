import { beforeAll, describe, expect, test } from 'vitest'
import { fragment, ignition } from '../../../test/kube/renderObjects.ts'
import { now, present, rendered, rolePool, settledCluster } from '../../../test/unit/forecastBuilders.ts'
import { aNode } from '../../../test/unit/rolloutBuilders.ts'
import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { createAuthority } from '../../certificates/issueCertificate.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { clusterMetrics } from './clusterMetrics.ts'

const unix = (time: Date): number => Math.floor(time.getTime() / 1000)
const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
const base = fragment('00-worker', {})
const nodes = [aNode('w-1', { current: present }), aNode('w-2', { current: present })]

const withFile = (name: string, path: string, text: string): MachineConfig => {
  const source = `data:;base64,${Buffer.from(text).toString('base64')}`
  return fragment(name, { config: ignition({ storage: { files: [{ path, mode: 0o644, contents: { source } }] } }) })
}

/** Fragments that nodes have, then a pause with these annotations, then fragments that wait. */
function paused(
  before: readonly MachineConfig[],
  after: readonly MachineConfig[],
  metadata: Partial<MachineConfigPool['metadata']> = {},
): ClusterSnapshot {
  const cluster = settledCluster([rolePool('worker')], before, nodes)
  const generated = cluster.machineConfigs.filter(({ metadata: { name } }) => name?.startsWith('rendered-'))
  const pools = cluster.pools.map((pool) => ({
    ...pool,
    metadata: { ...pool.metadata, ...metadata },
    spec: { ...pool.spec, paused: true },
  }))
  return rendered({ ...cluster, pools, machineConfigs: [...after, ...generated] })
}

function values(snapshot: ClusterSnapshot, name: string): Readonly<Record<string, number>> {
  const samples = clusterMetrics(snapshot, now).filter((one) => one.name === name)
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.source ?? labels.pool ?? '', value]))
}

describe('a pool that is not paused', () => {
  test('is told so, and has no times', () => {
    const open = settledCluster([rolePool('worker')], [base], nodes)
    expect(values(open, 'mco_pool_paused')).toEqual({ worker: 0 })
    expect(values(open, 'mco_pool_backlog_items')).toEqual({ worker: 0 })
    expect(values(open, 'mco_pool_paused_timestamp_seconds')).toEqual({})
  })
})

describe('a paused pool', () => {
  test('says since when and until when, by its annotations', () => {
    const annotations = {
      'machineconfig.io/paused-at': '2026-02-01T08:00:00Z',
      'machineconfig.io/pause-until': '2026-02-02T08:00:00+01:00',
    }
    const snapshot = paused([base], [base], { annotations })
    expect(values(snapshot, 'mco_pool_paused')).toEqual({ worker: 1 })
    expect(values(snapshot, 'mco_pool_paused_timestamp_seconds')).toEqual({
      worker: unix(new Date('2026-02-01T08:00Z')),
    })
    expect(values(snapshot, 'mco_pool_pause_until_timestamp_seconds')).toEqual({
      worker: unix(new Date('2026-02-02T07:00Z')),
    })
  })

  test('says since when also where nobody recorded it, by the API server’s record', () => {
    const managedFields = [
      {
        manager: 'kubectl-patch',
        operation: 'Update' as const,
        time: '2026-01-31T08:00:00Z',
        fieldsV1: { 'f:spec': { 'f:paused': {} } },
      },
    ]
    const snapshot = paused([base], [base], { managedFields })
    expect(values(snapshot, 'mco_pool_paused_timestamp_seconds')).toEqual({
      worker: unix(new Date('2026-01-31T08:00Z')),
    })
  })

  test('has no time that nobody can read', () => {
    const annotations = { 'machineconfig.io/paused-at': 'yesterday', 'machineconfig.io/pause-until': 'Tuesday' }
    const snapshot = paused([base], [base], { annotations })
    expect(values(snapshot, 'mco_pool_paused_timestamp_seconds')).toEqual({})
    expect(values(snapshot, 'mco_pool_pause_until_timestamp_seconds')).toEqual({})
  })

  test('counts what waits', () => {
    const waiting = [withFile('99-a', '/etc/a', 'a'), withFile('99-b', '/etc/b', 'b')]
    expect(values(paused([base], [base, ...waiting]), 'mco_pool_backlog_items')).toEqual({ worker: 2 })
  })
})

describe('deadlines', () => {
  let ending = ''
  let lasting = ''
  beforeAll(async () => {
    ending = (await createAuthority('signer', now, { notAfter: inDays(9) })).certificatePem
    lasting = (await createAuthority('signer', now, { notAfter: inDays(400) })).certificatePem
  })

  test('are those of what nodes hold, by the fragment that would renew it', () => {
    const snapshot = paused(
      [base, withFile('50-ca', '/etc/ca.crt', ending)],
      [base, withFile('50-ca', '/etc/ca.crt', lasting), withFile('99-a', '/etc/a', 'a')],
    )
    const found = values(snapshot, 'mco_pool_backlog_deadline_timestamp_seconds')
    expect(found).toEqual({ '50-ca': unix(inDays(9)) })
  })

  test('of the kubelet signer are told as in the original: the newest end of what nodes have', async () => {
    const signerName = 'kube-apiserver-to-kubelet-signer@'
    const signer = async (end: string): Promise<string> => {
      const notAfter = new Date(end)
      return (await createAuthority(signerName, new Date('2022-01-01T00:00:00Z'), { notAfter })).certificatePem
    }
    const held = `${await signer('2022-12-05T00:00:00Z')}junk\n${await signer('2022-12-07T02:25:08Z')}`
    const path = '/etc/kubernetes/kubelet-ca.crt'
    const before = [base, withFile('50-ca', path, held)]
    const after = [base, withFile('50-ca', path, held + (await signer('2023-12-07T00:00:00Z')))]
    const name = 'machine_config_controller_paused_pool_kubelet_ca'
    expect(values(paused(before, after), name)).toEqual({ worker: 1670379908 })
    expect(values(paused(before, before), name)).toEqual({ worker: 0 })
    const unpaused = paused(before, after)
    const pools = unpaused.pools.map((pool) => ({ ...pool, spec: { ...pool.spec, paused: false } }))
    expect(values({ ...unpaused, pools }, name)).toEqual({ worker: 0 })
  })
})
