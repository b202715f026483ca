import { expect, it } from 'vitest'
import { Node } from '../api/core.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { kubeClient } from '../kube/client.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { seedCluster } from './seed.ts'
import { startApiServer } from './server/start.ts'

const build = { version: '1.0.0', hash: 'a'.repeat(40) }

it('does not bring back a custom pool that a user deleted while its machines stay', async () => {
  const server = await startApiServer({ dataDir: ':memory:' })
  try {
    const kube = kubeClient(inProcessTransport(server.handle))
    const start = () => seedCluster(kube, build, ['edge', 'infra'], new Date())
    const pools = async () => (await kube.list(MachineConfigPool)).items.map(({ metadata }) => metadata.name).sort()
    await start()
    expect(await pools()).toEqual(['edge', 'infra', 'master', 'worker'])
    await kube.create(Node, { metadata: { name: 'i-0', labels: { 'node-role.kubernetes.io/infra': '' } } })
    for (const name of ['edge', 'infra']) await kube.delete(MachineConfigPool, { name })
    await start()
    expect(await pools()).toEqual(['edge', 'master', 'worker'])
  } finally {
    await server.close()
  }
})
