import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../api/apps.ts'
import { Job } from '../../api/batch.ts'
import { Event, Namespace, Node, Pod, type PodSpec } from '../../api/core.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { PodDisruptionBudget } from '../../api/policy.ts'
import { kubeClient } from '../../kube/client.ts'
import { systemClock } from '../../kube/clock.ts'
import { type RunningEventRecorder, startEventRecorder } from '../../kube/eventRecorder.ts'
import { createInformers, type Informers } from '../../kube/informers.ts'
import { isTooManyRequests, type KubeApi } from '../../kube/kubeApi.ts'
import { silentLog } from '../../kube/log.ts'
import { runController } from '../../kube/runController.ts'
import { clusterControllers } from '../clusterControllers.ts'
import { inProcessTransport } from '../inProcessTransport.ts'
import { type RunningApiServer, startApiServer } from '../server/start.ts'
import { kubeletHeartbeats, kubeletPods } from './kubeletFleet.ts'
import { nodeLifecycle } from './nodeLifecycle.ts'
import { isReady, isTerminating } from './podStates.ts'
import { revisionAnnotation } from './revisions.ts'
import { SimulatedKubelet } from './simulatedKubelet.ts'

/** Whole flows through a real API server, with times cut down to milliseconds. */

let server: RunningApiServer
let kube: KubeApi
let informers: Informers
let kubelets: ReadonlyMap<string, SimulatedKubelet>
let running: readonly Promise<void>[]
let recorder: RunningEventRecorder
const stop = new AbortController()
const namespace = 'shop'

beforeAll(async () => {
  server = await startApiServer({ dataDir: ':memory:' })
  kube = kubeClient(inProcessTransport(server.handle))
  informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
  const base = { kube, informers, clock: systemClock, random: Math.random, log: silentLog }
  recorder = startEventRecorder({ ...base, component: 'cluster', namespace: 'default' })
  const ports = { ...base, eventsOf: () => recorder }
  kubelets = new Map(['worker-0', 'worker-1', 'worker-2'].map((name, index) => [name, kubelet(name, index)]))
  const timings = { startMs: 10, terminationScale: 1, terminationCapMs: 10, workMs: 10 }
  const controllers = [
    ...clusterControllers(ports).filter(({ name }) => name !== 'node-lifecycle'),
    nodeLifecycle({ ...ports, events: recorder, graceMs: 2_000 }),
    kubeletPods({ ...ports, kubelets, timings }),
    kubeletHeartbeats({ informers, kubelets }),
  ]
  running = controllers.map((controller) => runController(controller, ports, stop.signal))
  await kube.create(Namespace, { metadata: { name: namespace } })
  await Promise.all([...kubelets.values()].map((each) => each.join()))
  for (const kind of [Node, Pod, Deployment, DaemonSet, StatefulSet, Job, PodDisruptionBudget, Event])
    informers.use(kind)
  await informers.synced(stop.signal)
})

afterAll(async () => {
  stop.abort(new Error('the test has ended'))
  await Promise.all(running)
  await recorder.close()
  await informers.stopped()
  await server.close()
})

/** Boots take a second, because the start times of containers are whole seconds. */
function kubelet(name: string, index: number): SimulatedKubelet {
  const ports = { kube, clock: systemClock, random: Math.random, newId: randomUUID, signal: stop.signal }
  return new SimulatedKubelet({ name }, index, ports, { rebootMs: 1_000, leaseDurationMs: 2_000 })
}

/** Resolves with the first state of the cache that satisfies the condition; the test's own timeout is the limit. */
function eventually<T extends KubernetesObject, R>(
  kind: Kind<T>,
  condition: (all: readonly T[]) => R | undefined | false,
): Promise<R> {
  return new Promise((resolve) => {
    const check = () => {
      const result = condition(
        informers.cache.list(kind).filter(({ metadata }) => !metadata.namespace || metadata.namespace === namespace),
      )
      if (result === undefined || result === false) return
      queueMicrotask(() => unsubscribe())
      resolve(result)
    }
    const unsubscribe = informers.subscribe(kind, check)
    check()
  })
}

const podSpec = (more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'c', image: 'example.com/c' }],
  ...more,
})
const template = (app: string, more: Partial<PodSpec> = {}) => ({ metadata: { labels: { app } }, spec: podSpec(more) })
const of = (app: string) => (pod: Pod) => pod.metadata.labels?.app === app
const readyOf = (app: string) => (pod: Pod) => of(app)(pod) && isReady(pod) && !isTerminating(pod)

function deployment(app: string, replicas: number, more: Partial<PodSpec> = {}): Deployment {
  return {
    metadata: { name: app, namespace },
    spec: { replicas, selector: { matchLabels: { app } }, template: template(app, more) },
  }
}

describe('the cluster around the API server', () => {
  test('brings up nodes that are ready, with addresses and boot ids', async () => {
    const nodes = await eventually(Node, (all) => all.length === 3 && all.every(isNodeReady) && all)
    expect(nodes.map(({ metadata }) => metadata.name).sort()).toEqual(['worker-0', 'worker-1', 'worker-2'])
    expect(new Set(nodes.map(({ status }) => status?.nodeInfo?.bootID)).size).toBe(3)
  })

  test('spreads the pods of a deployment over the nodes and tells it', async () => {
    await kube.create(Deployment, deployment('spread', 3))
    await eventually(Deployment, (all) =>
      all.find(({ metadata, status }) => metadata.name === 'spread' && status?.availableReplicas === 3),
    )
    const pods = informers.cache.list(Pod).filter(of('spread'))
    expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(3)
    expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(3)
  })

  test('replaces an evicted pod, and refuses the eviction that its budget forbids', async () => {
    const app = 'guarded'
    await kube.create(PodDisruptionBudget, {
      metadata: { name: app, namespace },
      spec: { minAvailable: 2, selector: { matchLabels: { app } } },
    })
    await kube.create(Deployment, deployment(app, 3))
    await eventually(PodDisruptionBudget, (all) =>
      all.find(({ metadata, status }) => metadata.name === app && status?.disruptionsAllowed === 1),
    )
    const [first, second] = informers.cache.list(Pod).filter(readyOf(app))
    const name = (pod: Pod | undefined) => ({ name: pod?.metadata.name ?? '', namespace })
    await kube.evict(name(first))
    const refused = await kube.evict(name(second)).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(isTooManyRequests(refused)).toBe(true)
    await eventually(Pod, (all) => !all.some(({ metadata }) => metadata.uid === first?.metadata.uid))
    await eventually(PodDisruptionBudget, (all) =>
      all.find(
        ({ metadata, status }) =>
          metadata.name === app && status?.disruptionsAllowed === 1 && status.currentHealthy === 3,
      ),
    )
  })

  test('rolls a deployment to a new template and numbers its revisions, also of one that comes back', async () => {
    const app = 'rolling'
    await kube.create(Deployment, deployment(app, 3))
    await eventually(Pod, (all) => all.filter(readyOf(app)).length === 3)
    const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example.com/c:2' }] } } } }
    await kube.patch(Deployment, { name: app, namespace }, { type: 'strategic', body })
    await eventually(Pod, (all) => {
      const ours = all.filter(of(app))
      return (
        ours.length === 3 && ours.every((pod) => isReady(pod) && pod.spec?.containers[0]?.image === 'example.com/c:2')
      )
    })
    const atRevision = (revision: string) =>
      eventually(Deployment, (all) =>
        all.find(({ metadata }) => metadata.name === app && metadata.annotations?.[revisionAnnotation] === revision),
      )
    await atRevision('2')
    const back = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example.com/c' }] } } } }
    await kube.patch(Deployment, { name: app, namespace }, { type: 'strategic', body: back })
    await atRevision('3')
    const revisions = await eventually(ReplicaSet, (all) => {
      const ours = all.filter(({ metadata }) => metadata.labels?.app === app)
      const numbers = ours.map(({ metadata }) => metadata.annotations?.[revisionAnnotation]).sort()
      return numbers.at(-1) === '3' && numbers
    })
    expect(revisions).toEqual(['2', '3'])
  })

  test('runs a daemon pod on every node, also on a cordoned one', async () => {
    const app = 'agent'
    await kube.patch(Node, { name: 'worker-2' }, { type: 'merge', body: { spec: { unschedulable: true } } })
    await kube.create(DaemonSet, {
      metadata: { name: app, namespace },
      spec: { selector: { matchLabels: { app } }, template: template(app) },
    })
    const set = await eventually(DaemonSet, (all) => all.find(({ status }) => status?.numberReady === 3))
    expect(set.status).toMatchObject({ desiredNumberScheduled: 3, numberMisscheduled: 0 })
    await kube.patch(Node, { name: 'worker-2' }, { type: 'merge', body: { spec: { unschedulable: null } } })
  })

  test('starts the pods of a stateful set one after the other, and a deleted one anew under its name', async () => {
    const app = 'db'
    await kube.create(StatefulSet, {
      metadata: { name: app, namespace },
      spec: { replicas: 2, serviceName: app, selector: { matchLabels: { app } }, template: template(app) },
    })
    const pods = await eventually(Pod, (all) => all.filter(readyOf(app)).length === 2 && all.filter(of(app)))
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(['db-0', 'db-1'])
    const uid = pods.find(({ metadata }) => metadata.name === 'db-0')?.metadata.uid
    await kube.delete(Pod, { name: 'db-0', namespace })
    await eventually(Pod, (all) =>
      all.find((pod) => pod.metadata.name === 'db-0' && pod.metadata.uid !== uid && isReady(pod)),
    )
  })

  test('runs a job to its end', async () => {
    const job: Job = {
      metadata: { name: 'work', namespace },
      spec: { completions: 2, template: template('work', { restartPolicy: 'Never' }) },
    }
    await kube.create(Job, job)
    const done = await eventually(Job, (all) =>
      all.find(({ status }) => status?.conditions?.some(({ type }) => type === 'Complete')),
    )
    expect(done.status).toMatchObject({ succeeded: 2, active: 0 })
  })

  test('says why a pod has no place, and places it when a node fits', async () => {
    const pod: Pod = {
      metadata: { name: 'picky', namespace, labels: { app: 'picky' } },
      spec: podSpec({ nodeSelector: { disk: 'fast' } }),
    }
    await kube.create(Pod, pod)
    const waiting = await eventually(Pod, (all) =>
      all.find(({ metadata, status }) => metadata.name === 'picky' && status?.conditions?.length),
    )
    expect(waiting.status?.conditions).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.",
      },
    ])
    await eventually(Event, (all) =>
      all.find(({ reason, involvedObject }) => reason === 'FailedScheduling' && involvedObject.name === 'picky'),
    )
    await kube.patch(Node, { name: 'worker-1' }, { type: 'merge', body: { metadata: { labels: { disk: 'fast' } } } })
    const placed = await eventually(Pod, (all) => all.find((each) => each.metadata.name === 'picky' && isReady(each)))
    expect(placed.spec?.nodeName).toBe('worker-1')
  })

  test('keeps the boot id of a machine when only our process restarts', async () => {
    const again = kubelet('worker-2', 2)
    await again.join()
    expect(again.bootId).toBe(kubelets.get('worker-2')?.bootId)
  })

  test('reboots a node once, however many ask for it', async () => {
    const machine = kubelets.get('worker-2')
    const before = machine?.bootId
    await Promise.all([machine?.reboot({ bootId: 'boot-a' }), machine?.reboot({ bootId: 'boot-b' })])
    expect([before === 'boot-a', machine?.bootId]).toEqual([false, 'boot-a'])
  })

  test('reboots a node: not ready, a new boot id, its pods restarted', async () => {
    const machine = kubelets.get('worker-0')
    const before = machine?.bootId
    const unready = eventually(Node, (all) =>
      all.find((node) => node.metadata.name === 'worker-0' && !isNodeReady(node)),
    )
    const pods = () => informers.cache.list(Pod).filter(({ spec }) => spec?.nodeName === 'worker-0')
    const lasting = pods().filter(readyOf('agent'))
    expect(lasting).toHaveLength(1)
    await Promise.all([unready, machine?.reboot()])
    const node = await eventually(Node, (all) =>
      all.find((each) => each.metadata.name === 'worker-0' && isNodeReady(each) && !each.spec?.taints?.length),
    )
    expect(node.status?.nodeInfo?.bootID).not.toBe(before)
    const restarted = await eventually(Pod, (all) =>
      all.find(
        (pod) =>
          pod.metadata.uid === lasting[0]?.metadata.uid &&
          isReady(pod) &&
          pod.status?.containerStatuses?.[0]?.restartCount === 1,
      ),
    )
    expect(restarted.status?.phase).toBe('Running')
  })

  test('notices a node that has fallen silent, and its return', async () => {
    const machine = kubelets.get('worker-1')
    machine?.stop()
    const lost = await eventually(Node, (all) =>
      all.find((node) => node.metadata.name === 'worker-1' && node.spec?.taints?.length === 2),
    )
    expect(lost.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    })
    await eventually(Pod, (all) => all.every((pod) => pod.spec?.nodeName !== 'worker-1' || !isReady(pod)))
    await machine?.start()
    await eventually(Node, (all) =>
      all.find((node) => node.metadata.name === 'worker-1' && isNodeReady(node) && !node.spec?.taints?.length),
    )
    await eventually(Pod, (all) =>
      all.every((pod) => pod.spec?.nodeName !== 'worker-1' || isReady(pod) || pod.status?.phase === 'Succeeded'),
    )
  })
})

function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
}
