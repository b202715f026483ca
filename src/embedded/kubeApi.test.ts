import { kubeClient } from '../kube/client.ts'
import { clusterConnection } from '../kube/clusterConnection.ts'
import { kubeApiContract } from '../kube/contract.ts'
import { httpTransport } from '../kube/httpTransport.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { startApiServer } from './server/start.ts'

kubeApiContract('the embedded server in process', async () => {
  const server = await startApiServer({ dataDir: ':memory:' })
  return { kube: kubeClient(inProcessTransport(server.handle)), close: () => server.close() }
})

kubeApiContract('the embedded server over HTTPS, found by its kubeconfig', async () => {
  const server = await startApiServer({ dataDir: ':memory:' })
  const transport = httpTransport(await clusterConnection({ kubeconfig: server.kubeconfigPath, env: {} }))
  return {
    kube: kubeClient(transport),
    close: async () => {
      transport.close()
      await server.close()
    },
  }
})
