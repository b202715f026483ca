import { afterEach, describe, expect, it } from 'vitest'
import { Node } from '../../../src/api/core.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { MachineConfiguration } from '../../../src/api/machineConfiguration.ts'
import { nodeAnnotation as key } from '../../../src/api/names.ts'
import { policyGlobsAnnotation, poolPoliciesAnnotation } from '../../../src/forecast/effectivePolicies.ts'
import { text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, nodeAt, type World } from '../../daemon/world.ts'

afterEach(endWorlds)

const restart = (serviceName: string) => [{ type: 'Restart' as const, restart: { serviceName } }]

async function pool({ kube }: World, policies: string): Promise<void> {
  await kube.create(MachineConfigPool, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name: 'worker', annotations: { [poolPoliciesAnnotation]: policies } },
    spec: { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } } },
  })
}

const lastService = (it: World): unknown =>
  JSON.parse(text(it.root, 'var/lib/mco/services.log').trim().split('\n').at(-1) ?? '')

describe('node disruption policies on a node', () => {
  it("are its pool's over the cluster's, with globs where they are switched on", async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app/a.conf': '1', '/etc/own': '1' } })
    await it.kube.create(MachineConfiguration, {
      apiVersion: 'operator.openshift.io/v1',
      kind: 'MachineConfiguration',
      metadata: { name: 'cluster', annotations: { [policyGlobsAnnotation]: 'true' } },
      spec: { nodeDisruptionPolicy: { files: [{ path: '/etc/app/*.conf', actions: restart('app.service') }] } },
    })
    await pool(it, JSON.stringify({ files: [{ path: '/etc/own', actions: restart('own.service') }] }))
    await it.render({ name: 'rendered-2', files: { '/etc/app/a.conf': '2', '/etc/own': '1' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
    expect(lastService(it)).toMatchObject({ action: 'restart', unit: 'app.service' })
    await it.render({ name: 'rendered-3', files: { '/etc/app/a.conf': '2', '/etc/own': '3' } })
    await it.desire('rendered-3')
    await it.until(isDoneAt('rendered-3'))
    expect(lastService(it)).toMatchObject({ action: 'restart', unit: 'own.service' })
    expect(it.events).not.toContain('Normal Reboot')
  })

  it('name containerd on a node that runs it', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/containers/policy.json': '{}' } })
    const status = { nodeInfo: { containerRuntimeVersion: 'containerd://1.7.12' } }
    await it.kube.patch(Node, { name: 'node-1' }, { type: 'merge', body: { status } }, { subresource: 'status' })
    await it.render({ name: 'rendered-2', files: { '/etc/containers/policy.json': '[]' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
    expect(lastService(it)).toMatchObject({ action: 'restart', unit: 'containerd.service' })
  })

  it('stop a change when those of the pool cannot be read, before anything is touched', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await pool(it, '{"files":')
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    await it.desire('rendered-2')
    const failed = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(failed[key.reason]).toBe(
      'pool worker: annotation machineconfig.io/node-disruption-policy is not usable: it is not JSON; correct or remove it',
    )
    expect(text(it.root, 'etc/a')).toBe('1')
    expect(it.drains).toEqual([])
  })
})
