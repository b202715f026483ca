import { randomUUID } from 'node:crypto'
import { kubeClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { startEventRecorder } from '../src/kube/eventRecorder.ts'
import { createInformers } from '../src/kube/informers.ts'
import { silentLog } from '../src/kube/log.ts'
import { runController } from '../src/kube/runController.ts'
import { Deployment, DaemonSet } from '../src/api/apps.ts'
import { clusterControllers } from '../src/embedded/clusterControllers.ts'
import { kubeletHeartbeats, kubeletPods } from '../src/embedded/cluster/kubeletFleet.ts'
import { defaultPodTimings } from '../src/embedded/cluster/podLifecycle.ts'
import { defaultKubeletTimings, SimulatedKubelet } from '../src/embedded/cluster/simulatedKubelet.ts'
import { inProcessTransport } from '../src/embedded/inProcessTransport.ts'
import { startApiServer } from '../src/embedded/server/start.ts'
const server = await startApiServer({ dataDir: ':memory:' })
const kube = kubeClient(inProcessTransport(server.handle))
const stop = new AbortController()
const informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
const base = { kube, informers, clock: systemClock, random: Math.random, log: silentLog }
const recorder = startEventRecorder({ ...base, component: 'c', namespace: 'default' })
const ports = { ...base, eventsOf: () => recorder }
const kubelets = new Map(Array.from({ length: 1000 }, (_, i) => [`w-${i}`, new SimulatedKubelet({ name: `w-${i}` }, i, { kube, clock: systemClock, random: Math.random, newId: randomUUID, signal: stop.signal }, defaultKubeletTimings)]))
const cs = [...clusterControllers(ports), kubeletPods({ ...ports, kubelets, timings: defaultPodTimings }), kubeletHeartbeats({ informers, kubelets })]
const run = cs.map((c) => runController(c, ports, stop.signal))
let t = performance.now()
const mark = (what: string) => { const c = process.cpuUsage(last); last = process.cpuUsage(); console.log(what, Math.round(performance.now() - t), 'ms wall', Math.round((c.user + c.system) / 1000), 'ms cpu', Math.round(process.memoryUsage().rss / 2 ** 20), 'MB'); t = performance.now() }
let last = process.cpuUsage()
const all = [...kubelets.values()]
await Promise.all(Array.from({ length: 16 }, async () => { for (let k = all.shift(); k; k = all.shift()) await k.join() }))
mark('joined 1000')
const template = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'i' }] } })
await kube.create(DaemonSet, { metadata: { name: 'ds', namespace: 'default' }, spec: { selector: { matchLabels: { app: 'ds' } }, template: template('ds') } })
await kube.create(Deployment, { metadata: { name: 'd', namespace: 'default' }, spec: { replicas: 2000, selector: { matchLabels: { app: 'd' } }, template: template('d') } })
for (;;) {
  const [ds, d] = [await kube.get(DaemonSet, { name: 'ds', namespace: 'default' }), await kube.get(Deployment, { name: 'd', namespace: 'default' })]
  if (ds.status?.numberReady === 1000 && d.status?.readyReplicas === 2000) break
  if (performance.now() - t > 120000) { console.log(ds.status, d.status); break }
  await new Promise((r) => setTimeout(r, 200))
}
mark('3000 pods ready')
await new Promise((r) => setTimeout(r, 12000)); mark('settling 12 s')
await new Promise((r) => setTimeout(r, 20000)); mark('idle 20 s')
stop.abort(new Error('done')); await Promise.all(run); await recorder.close(100); await server.close(); process.exit(0)
