import fc from 'fast-check'
import { Node, Pod } from '../../src/api/core.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { PodDisruptionBudget } from '../../src/api/policy.ts'
import { drainController } from '../../src/drain/drainController.ts'
import { drainIndices } from '../../src/drain/drainWatches.ts'
import { silentLog } from '../../src/kube/log.ts'
import { machineConfigNodeController } from '../../src/rollout/machineConfigNodeController.ts'
import { isFailing, isInFlight } from '../../src/rollout/nodePredicates.ts'
import { nodeToView } from '../../src/rollout/nodeView.ts'
import { rolloutController } from '../../src/rollout/rolloutController.ts'
import { rolloutIndices } from '../../src/rollout/rolloutWatches.ts'
import { FakeCluster } from './fakeCluster.ts'
import { aBudget, aNode, aPod, aPool } from './rolloutBuilders.ts'
export const configs = ['fine-1', 'fine-2', 'fails', 'breaks'] as const
export const nodeNames = ['n0', 'n1', 'n2', 'n3']

export type Action =
  | { readonly kind: 'target'; readonly config: string }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'daemon' | 'outage' | 'recover' | 'cordon' | 'uncordon' | 'kubelet'; readonly node: string }
  | { readonly kind: 'budget'; readonly allowed: number }
  | { readonly kind: 'deliver' | 'step'; readonly choice: number }
  | { readonly kind: 'time'; readonly seconds: number }
  /** Faults of another kind: a daemon that is gone, a second custom role, a rendered config that was deleted. */
  | { readonly kind: 'deaf' | 'hears' | 'role' | 'unrole' | 'stick'; readonly node: string }
  | { readonly kind: 'lose'; readonly config: string }
  | { readonly kind: 'limit'; readonly value: number | string }

export const anyNodeName = fc.constantFrom(...nodeNames)
export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('target' as const), config: fc.constantFrom(...configs) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('daemon' as const, 'kubelet' as const), node: anyNodeName }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('outage' as const, 'recover' as const, 'cordon' as const, 'uncordon' as const),
      node: anyNodeName,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('budget' as const), allowed: fc.integer({ min: 0, max: 2 }) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constantFrom('deliver' as const, 'step' as const), choice: fc.nat(20) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time' as const), seconds: fc.nat(400) }) },
)

/** Of custom pools, which tests may create. */
const customRoles: readonly string[] = ['node-role.kubernetes.io/edge', 'node-role.kubernetes.io/infra']

/** One pool of four nodes with its controllers, and kubelets and daemons that take a step when they are told to. */
export class World {
  /** When each node was told to move last. */
  readonly toldAt = new Map<string, Date>()
  /** Nodes whose daemon is gone, and nodes on which no pod ever ends. */
  readonly deaf = new Set<string>()
  readonly sticky = new Set<string>()
  /** Nodes that a person cordoned and nobody has uncordoned since. */
  readonly cordonedByHand = new Set<string>()
  readonly violations: string[] = []
  readonly cluster = new FakeCluster([...rolloutIndices, ...drainIndices])
  readonly #max: number
  readonly #outages = new Set<string>()

  constructor(max: number) {
    this.#max = max
    const { cluster } = this
    const { cache, kube, clock, events } = cluster
    const ports = { cache, kube, clock, events, log: silentLog }
    for (const controller of [rolloutController(ports), drainController(ports), machineConfigNodeController(ports)]) {
      cluster.attach(controller)
    }
    cluster.fault = (write) => this.#check(write)
    cluster.put(MachineConfigPool, aPool('worker', { config: 'start', maxUnavailable: max }))
    cluster.put(PodDisruptionBudget, aBudget('web', 2, 4, 2))
    for (const name of ['start', ...configs, 'final']) cluster.put(MachineConfig, { metadata: { name }, spec: {} })
    for (const name of nodeNames) {
      cluster.put(Node, aNode(name, { current: 'start' }))
      cluster.put(Pod, readyPod(`web-on-${name}`, name))
    }
  }

  async act(action: Action): Promise<void> {
    const { cluster } = this
    switch (action.kind) {
      case 'target':
        return this.#changePool({ configuration: { name: action.config } })
      case 'pause':
        return this.#changePool({ paused: action.paused })
      case 'daemon':
        return this.#daemon(action.node)
      case 'kubelet':
        return this.#kubelet(action.node)
      case 'outage':
        this.#outages.add(action.node)
        return this.#ready(action.node, 'Unknown')
      case 'recover':
        this.#outages.delete(action.node)
        return this.#ready(action.node, this.#isBroken(action.node) ? 'False' : 'True')
      case 'cordon':
      case 'uncordon':
        if (action.kind === 'cordon') this.cordonedByHand.add(action.node)
        else this.cordonedByHand.delete(action.node)
        cluster.change(Node, { name: action.node }, (node) => ({
          ...node,
          spec: { ...node.spec, unschedulable: action.kind === 'cordon' },
        }))
        return
      case 'deaf':
        this.deaf.add(action.node)
        return
      case 'stick':
        this.sticky.add(action.node)
        return
      case 'hears':
        this.deaf.delete(action.node)
        return
      case 'role':
      case 'unrole':
        cluster.change(Node, { name: action.node }, (node) => {
          const own = Object.entries(node.metadata.labels).filter(([key]) => !customRoles.includes(key))
          const more = action.kind === 'role' ? customRoles.map((key) => [key, '']) : []
          return { ...node, metadata: { ...node.metadata, labels: Object.fromEntries([...own, ...more]) } }
        })
        return
      case 'lose':
        if (cluster.all(MachineConfig).some(({ metadata }) => metadata.name === action.config))
          cluster.remove(MachineConfig, { name: action.config })
        return
      case 'limit':
        return this.#changePool({ maxUnavailable: action.value })
      case 'budget':
        cluster.change(PodDisruptionBudget, { name: 'web', namespace: 'default' }, (budget) => ({
          ...budget,
          status: { ...budget.status, disruptionsAllowed: action.allowed },
        }))
        return
      case 'deliver':
        return cluster.deliver(action.choice)
      case 'step':
        await cluster.step((count) => action.choice % Math.max(1, count))
        return
      case 'time':
        cluster.nowMs += action.seconds * 1_000
        return cluster.wakeDue()
    }
  }

  /** Ends all faults, and lets everybody work until the final config is everywhere or nothing moves any more. */
  async heal(): Promise<void> {
    for (const node of nodeNames) {
      await this.act({ kind: 'recover', node })
      const { annotations } = nodeToView(this.cluster.read(Node, { name: node }))
      if (!(annotations[nodeAnnotation.desiredDrain] ?? '').startsWith('drain-'))
        await this.act({ kind: 'uncordon', node })
    }
    await this.act({ kind: 'budget', allowed: 4 })
    await this.act({ kind: 'pause', paused: false })
    await this.act({ kind: 'target', config: 'final' })
    await this.run(60)
  }

  /** `look` sees every state in which a daemon has just done something that no controller has answered. */
  async run(rounds: number, look: () => void = () => undefined): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await this.cluster.advance(30_000)
      for (const node of nodeNames) {
        this.#kubelet(node)
        this.#daemon(node)
        look()
      }
    }
    await this.cluster.settle()
  }

  summary(): string[] {
    return this.cluster.all(Node).map(({ metadata, spec }) => {
      const annotations = metadata.annotations ?? {}
      const cordon = spec?.unschedulable ? 'cordoned' : 'schedulable'
      return `${metadata.name} ${annotations[nodeAnnotation.currentConfig]} ${annotations[nodeAnnotation.state]} ${cordon}`
    })
  }

  #check(write: Parameters<NonNullable<FakeCluster['fault']>>[0]): undefined {
    const { verb, kind, name, body } = write
    if (kind === 'Node' && body?.spec?.unschedulable === false) this.cordonedByHand.delete(name)
    const config = body?.metadata?.annotations?.[nodeAnnotation.desiredConfig]
    if (verb !== 'patch' || kind !== 'Node' || config === undefined) return
    this.toldAt.set(name, new Date(this.cluster.nowMs))
    const pool = this.cluster.cache.get(MachineConfigPool, { name: 'worker' })
    if (pool?.spec.paused) this.violations.push(`${name} moves to ${config} in a paused pool`)
    const nodes = this.cluster.all(Node).map(nodeToView)
    if (nodes.some((node) => node.name === name && isInFlight(node))) return
    const disrupted = nodes.filter((node) => isInFlight(node) && !isFailing(node)).length + 1
    if (disrupted > this.#max) this.violations.push(`${name} is node ${disrupted} of ${this.#max} to move`)
  }

  #changePool(spec: object): void {
    this.cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({ ...pool, spec: { ...pool.spec, ...spec } }))
  }

  #isBroken(name: string): boolean {
    return nodeToView(this.cluster.read(Node, { name })).annotations[nodeAnnotation.currentConfig] === 'breaks'
  }

  #ready(name: string, status: string): void {
    this.cluster.change(Node, { name }, (node) => ({ ...node, status: { conditions: [{ type: 'Ready', status }] } }))
  }

  /** Ends pods that were told to end, and starts their replacement where there is room. */
  #kubelet(name: string): void {
    const key = { name: `web-on-${name}`, namespace: 'default' }
    const pod = this.cluster.all(Pod).find(({ metadata }) => metadata.name === key.name)
    if (pod?.metadata.deletionTimestamp && !this.sticky.has(name)) this.cluster.remove(Pod, key)
    if (!pod && !this.cluster.read(Node, { name }).spec?.unschedulable) this.cluster.put(Pod, readyPod(key.name, name))
  }

  /** One step of the node's daemon, by the protocol on the Node's annotations. */
  #daemon(name: string): void {
    if (this.#outages.has(name) || this.deaf.has(name)) return
    const { annotations } = nodeToView(this.cluster.read(Node, { name }))
    const current = annotations[nodeAnnotation.currentConfig] ?? ''
    const desired = annotations[nodeAnnotation.desiredConfig] ?? ''
    const request = annotations[nodeAnnotation.desiredDrain] ?? ''
    const isAnswered = request === (annotations[nodeAnnotation.lastAppliedDrain] ?? '')
    const isStuck = ['Degraded', 'Unreconcilable'].includes(annotations[nodeAnnotation.state] ?? '')
    if (current === desired && request.startsWith('drain-')) {
      this.#annotate(name, { desiredDrain: `uncordon-${current}` })
    } else if (current === desired) {
      if (isAnswered && annotations[nodeAnnotation.state] !== 'Done')
        this.#annotate(name, { state: 'Done', reason: '' })
    } else if (request !== `drain-${desired}`) {
      this.#annotate(name, { desiredDrain: `drain-${desired}`, ...(!isStuck && { state: 'Working' }) })
    } else if (isAnswered && desired === 'fails') {
      this.#annotate(name, { state: 'Degraded', reason: 'cannot write files' })
    } else if (isAnswered) {
      this.#annotate(name, { currentConfig: desired, desiredDrain: `uncordon-${desired}` })
      this.#ready(name, desired === 'breaks' ? 'False' : 'True')
    }
  }

  #annotate(name: string, changes: Partial<Record<keyof typeof nodeAnnotation, string>>): void {
    const annotations = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [nodeAnnotation[key as keyof typeof nodeAnnotation], value]),
    )
    this.cluster.change(Node, { name }, ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    }))
  }
}

function readyPod(name: string, node: string): Pod {
  const pod = aPod(name, { node })
  return { ...pod, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }
}
