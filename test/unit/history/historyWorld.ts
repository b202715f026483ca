import { ControllerConfig } from '../../../src/api/controllerConfig.ts'
import { Node } from '../../../src/api/core.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../../src/api/names.ts'
import { PoolRollout } from '../../../src/api/poolRollout.ts'
import { historyController } from '../../../src/history/historyController.ts'
import { silentLog } from '../../../src/kube/log.ts'
import { renderController } from '../../../src/render/renderController.ts'
import { rolloutController } from '../../../src/rollout/rolloutController.ts'
import { rolloutIndices } from '../../../src/rollout/rolloutWatches.ts'
import { controllerConfig, fragment, hash, pool, version, withFile } from '../../kube/renderObjects.ts'
import { FakeCluster } from '../fakeCluster.ts'
import { aNode } from '../rolloutBuilders.ts'

type Annotations = Readonly<Record<string, string>>

/** A cluster of one pool with its real render, rollout and history controllers; daemons are moved by hand. */
export class HistoryWorld {
  readonly cluster = new FakeCluster(rolloutIndices)

  constructor(nodes: readonly string[] = ['w-0', 'w-1']) {
    this.startControllers()
    this.cluster.put(ControllerConfig, controllerConfig())
    this.cluster.put(
      MachineConfigPool,
      pool('worker', { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } } }),
    )
    this.cluster.put(MachineConfig, fragment('00-worker', { config: withFile('/etc/base') }))
    for (const name of nodes) this.cluster.put(Node, aNode(name, { current: 'rendered-worker-none' }))
  }

  startControllers(): void {
    const { cache, kube, clock, events } = this.cluster
    const ports = { cache, kube, clock, events, log: silentLog }
    this.cluster.attach(renderController({ ...ports, version, hash, featureGates: () => new Set() }))
    this.cluster.attach(rolloutController(ports))
    this.cluster.attach(historyController(ports))
  }

  /** New processes: they know nothing but what the API server holds. */
  startFresh(): void {
    this.cluster.detachAll()
    this.startControllers()
    this.cluster.replay()
  }

  get pool(): MachineConfigPool {
    return this.cluster.read(MachineConfigPool, { name: 'worker' })
  }

  /** Oldest first. */
  get history(): readonly PoolRollout[] {
    return this.cluster.all(PoolRollout).sort((a, b) => a.spec.revision - b.spec.revision)
  }

  get newest(): PoolRollout {
    const newest = this.history.at(-1)
    if (!newest) throw new Error('there is no rollout')
    return newest
  }

  put(name: string, path: string, content = path): void {
    this.cluster.put(MachineConfig, fragment(name, { config: withFile(path, content) }))
  }

  /** What a daemon reports: it has arrived at what it was told. */
  arrive(node: string): void {
    this.#annotate(node, (annotations) => ({
      [nodeAnnotation.currentConfig]: annotations[nodeAnnotation.desiredConfig],
      [nodeAnnotation.state]: 'Done',
    }))
  }

  giveUp(node: string, reason: string): void {
    this.#annotate(node, () => ({ [nodeAnnotation.state]: 'Degraded', [nodeAnnotation.reason]: reason }))
  }

  #annotate(node: string, change: (annotations: Annotations) => Record<string, string | undefined>): void {
    this.cluster.change(Node, { name: node }, (object) => {
      const annotations = object.metadata.annotations ?? {}
      return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...change(annotations) } } }
    })
  }

  /** Time passes and every daemon does what it is told, until nothing moves any more. */
  async converge(seconds = 30): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.cluster.advance(1_000)
      for (const { metadata } of this.cluster.all(Node)) {
        const { currentConfig, desiredConfig, state } = nodeAnnotation
        const { annotations = {}, name = '' } = metadata
        if (annotations[currentConfig] !== annotations[desiredConfig] || annotations[state] !== 'Done')
          this.arrive(name)
      }
    }
  }
}
