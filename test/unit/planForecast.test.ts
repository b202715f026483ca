import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ControllerConfig, type ControllerConfigSpec } from '../../src/api/controllerConfig.ts'
import { Node, Pod } from '../../src/api/core.ts'
import type { Kind } from '../../src/api/kind.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import type { MachineConfiguration } from '../../src/api/machineConfiguration.ts'
import type { KubernetesObject } from '../../src/api/meta.ts'
import { nodeAnnotation, nodeLabel, operatorNamespace } from '../../src/api/names.ts'
import { type ChangeEffect, changeEffect } from '../../src/forecast/changeEffect.ts'
import type { ClusterSnapshot } from '../../src/forecast/clusterSnapshot.ts'
import { effectivePolicies } from '../../src/forecast/effectivePolicies.ts'
import { assumedSeconds } from '../../src/forecast/plan/nodeSeconds.ts'
import type { Plan } from '../../src/forecast/plan/plan.ts'
import { planChange } from '../../src/forecast/plan/planOf.ts'
import { silentLog } from '../../src/kube/log.ts'
import { fragmentParser } from '../../src/render/parseFragment.ts'
import { renderController } from '../../src/render/renderController.ts'
import { rolloutController } from '../../src/rollout/rolloutController.ts'
import { rolloutIndices } from '../../src/rollout/rolloutWatches.ts'
import { controllerConfig, fragment, hash, version, withFile } from '../kube/renderObjects.ts'
import { FakeCluster } from './fakeCluster.ts'
import { now, present, rolePool, settledCluster } from './forecastBuilders.ts'
import { aNode, aPod } from './rolloutBuilders.ts'

/**
 * What is planned is what happens, node by node: a random cluster and a random change are planned, and then the very change
 * is applied to a cluster on which the render and the rollout controller run. Its nodes answer after the time that their
 * own change takes, and those that are down do not.
 */
interface Shape {
  readonly nodes: readonly {
    readonly role: 'worker' | 'infra' | 'master' | 'arbiter'
    readonly zone: string | null
    /** `moving`: sent to an older target before the change. */
    readonly fate: 'fine' | 'cordoned' | 'down' | 'moving'
    readonly age: number
  }[]
  readonly maxUnavailable: number | string | undefined
  readonly policy: 'None' | 'Reboot'
  readonly paths: readonly string[]
  readonly role: 'worker' | 'infra' | 'master'
  readonly operatorOn: number
  /** Masters and the arbiter count as one control plane. */
  readonly withArbiter: boolean
}

const shape: fc.Arbitrary<Shape> = fc.record({
  nodes: fc.array(
    fc.record({
      role: fc.constantFrom(
        'worker' as const,
        'worker' as const,
        'infra' as const,
        'master' as const,
        'arbiter' as const,
      ),
      zone: fc.constantFrom('a', 'b', null),
      fate: fc.constantFrom(
        'fine' as const,
        'fine' as const,
        'fine' as const,
        'cordoned' as const,
        'down' as const,
        'moving' as const,
      ),
      age: fc.nat(3),
    }),
    { minLength: 1, maxLength: 14 },
  ),
  maxUnavailable: fc.constantFrom(undefined, 1, 2, 3, '10%', '40%', '100%'),
  policy: fc.constantFrom('None' as const, 'Reboot' as const),
  paths: fc.uniqueArray(fc.constantFrom('/etc/a', '/etc/b', '/etc/old'), { minLength: 1, maxLength: 3 }),
  role: fc.constantFrom('worker' as const, 'infra' as const, 'master' as const),
  operatorOn: fc.nat(13),
  withArbiter: fc.boolean(),
})

it('every plan foretells batches, order, actions and who stays behind, node by node', async () => {
  await fc.assert(
    fc.asyncProperty(shape, async (given) => {
      const before = clusterOf(given)
      const change = changeOf(given)
      const plan = planChange(before, { put: change, remove: [] }, now)
      const happened = await run(before, change)
      expect(withoutQuorum(planned(plan), given)).toEqual(withoutQuorum(happened, given))
    }),
    { numRuns: 200 },
  )
}, 60_000)

it('a thousand nodes move as planned, one after the other and in tenths', async () => {
  for (const maxUnavailable of [20, '10%']) {
    const nodes = Array.from({ length: 1000 }, (_, index) => ({
      role: 'worker' as const,
      zone: 'abc'[index % 3] ?? null,
      fate: index % 100 === 7 ? ('cordoned' as const) : ('fine' as const),
      age: index % 4,
    }))
    const given: Shape = {
      nodes,
      maxUnavailable,
      policy: 'Reboot',
      paths: ['/etc/a'],
      role: 'worker',
      operatorOn: 0,
      withArbiter: false,
    }
    const before = clusterOf(given)
    const plan = planChange(before, { put: changeOf(given), remove: [] }, now)
    const happened = await run(before, changeOf(given))
    expect(planned(plan)).toEqual(happened)
    expect(happened.stays).toHaveLength(10)
  }
}, 60_000)

/** In the terms of both worlds: names in a batch are sorted, since all of them start at once. */
interface Course {
  readonly batches: readonly (readonly string[])[]
  readonly impacts: Readonly<Record<string, ChangeEffect['impact']>>
  readonly stays: readonly string[]
}

function planned({ pools }: Plan): Course {
  const batches = pools.flatMap(({ pool, batches: own }) => own.map((batch) => ({ pool, ...batch })))
  const moved = new Set(batches.flatMap(({ nodes }) => nodes))
  const impacts = pools.flatMap(({ effects }) =>
    effects.flatMap(({ impact, nodes }) => nodes.filter((node) => moved.has(node)).map((node) => [node, impact])),
  )
  return {
    batches: batches.sort(byTimeAndPool).map(({ nodes }) => nodes.toSorted()),
    impacts: Object.fromEntries(impacts.toSorted()) as Course['impacts'],
    stays: pools.flatMap(({ stays }) => stays.map(({ node, reason }) => `${node} ${reason}`)).sort(),
  }
}

/** Masters and the arbiter wait for each other before they wait for anything else: of them only the names are compared. */
const withoutQuorum = (course: Course, { withArbiter }: Shape): Course =>
  withArbiter
    ? { ...course, stays: course.stays.map((stay) => stay.replace(/^((?:master|arbiter)\S*) .*/, '$1')) }
    : course

const byTimeAndPool = (
  a: { readonly pool: string; readonly atSeconds: number },
  b: { readonly pool: string; readonly atSeconds: number },
): number => a.atSeconds - b.atSeconds || (a.pool < b.pool ? -1 : 1)

const poolNames = ['arbiter', 'infra', 'master', 'worker']

function clusterOf({ nodes, maxUnavailable, operatorOn, policy, withArbiter }: Shape): ClusterSnapshot {
  const spec = maxUnavailable === undefined ? {} : { maxUnavailable }
  const pools = poolNames.map((name) => rolePool(name, spec))
  const fragments = ['arbiter', 'master', 'worker'].map((role) =>
    fragment(`00-${role}`, { config: withFile('/etc/old', 'old') }, { role }),
  )
  const machines = nodes.map(({ role, zone, fate, age }, index) =>
    aNode(`${role}-${index}`, {
      current: present,
      ...(fate === 'moving' && { desired: olderTarget, state: 'Working' }),
      created: `2025-01-0${age + 1}T00:00:00Z`,
      ready: fate === 'down' ? 'False' : 'True',
      unschedulable: fate === 'cordoned',
      labels: {
        ...(role === 'infra' && { [nodeLabel.worker]: '' }),
        [`${nodeLabel.rolePrefix}${role}`]: '',
        ...(zone !== null && { [nodeLabel.zone]: zone }),
      },
    }),
  )
  const host = machines[operatorOn % machines.length]?.metadata.name ?? ''
  const operator = aPod('operator', { node: host, labels: { 'k8s-app': 'machine-config-operator' } })
  const pods = [{ ...operator, metadata: { ...operator.metadata, namespace: operatorNamespace } }]
  const machineConfiguration: MachineConfiguration = {
    metadata: { name: 'cluster' },
    spec: { nodeDisruptionPolicy: { files: [{ path: '/etc/a', actions: [{ type: policy }] }] } },
  }
  const settled = settledCluster(pools, fragments, machines)
  const topology = withArbiter ? 'HighlyAvailableArbiter' : 'HighlyAvailable'
  const infra = { status: { controlPlaneTopology: topology } }
  const older = fragment(olderTarget, { config: withFile('/etc/older', 'x') })
  return {
    ...settled,
    machineConfigs: [...settled.machineConfigs, { ...older, metadata: { name: olderTarget } }],
    // Of the infrastructure only the topology is read here.
    controllerConfig: controllerConfig({ infra: infra as unknown as ControllerConfigSpec['infra'] }),
    pods,
    machineConfiguration,
  }
}

/** A rendered config that is nobody's target any more. */
const olderTarget = 'rendered-older'

const changeOf = ({ paths, role }: Shape): readonly KubernetesObject[] =>
  paths.map((path, index) => ({
    kind: 'MachineConfig',
    ...fragment(`9${index}-x`, { config: withFile(path, 'new') }, { role }),
  }))

/** The controllers on a cluster that holds what the snapshot holds, until nothing moves any more. */
async function run(before: ClusterSnapshot, change: readonly KubernetesObject[]): Promise<Course> {
  const cluster = new FakeCluster([...rolloutIndices])
  cluster.nowMs = now.getTime()
  const ports = {
    cache: cluster.cache,
    kube: cluster.kube,
    clock: cluster.clock,
    events: cluster.events,
    log: silentLog,
  }
  const put = <T extends KubernetesObject>(kind: Kind<T>, objects: readonly T[]): void => {
    for (const object of objects) cluster.put(kind, object)
  }
  put(MachineConfigPool, before.pools)
  put(MachineConfig, before.machineConfigs)
  put(Node, before.nodes)
  put(Pod, before.pods)
  if (before.controllerConfig) put(ControllerConfig, [before.controllerConfig])
  cluster.attach(renderController({ ...ports, version, hash }))
  cluster.attach(rolloutController(ports))
  put(MachineConfig, change as readonly MachineConfig[])
  await cluster.advance(10_000)
  return follow(cluster, before)
}

async function follow(cluster: FakeCluster, before: ClusterSnapshot): Promise<Course> {
  const { parse } = fragmentParser()
  const settings = { policies: effectivePolicies({ settings: before.machineConfiguration }), parse }
  const batches: string[][] = []
  const impacts: Record<string, ChangeEffect['impact']> = {}
  const arrivals = new Map<string, number>()
  const desired = new Map(before.nodes.map((node) => [nameOf(node), configsOf(node).desiredConfig]))
  const start = (node: Node): ChangeEffect['impact'] => {
    const { currentConfig, desiredConfig } = configsOf(node)
    const [from, to] = [currentConfig, desiredConfig].map((name) => cluster.read(MachineConfig, { name }))
    const impact = from && to ? changeEffect(from, to, settings).impact : 'unknown'
    const isUp = node.status?.conditions?.every(({ type, status }) => type !== 'Ready' || status === 'True')
    if (isUp) arrivals.set(nameOf(node), cluster.nowMs + assumedSeconds[impact] * 1000)
    return impact
  }
  for (const node of before.nodes) if (configsOf(node).currentConfig !== configsOf(node).desiredConfig) start(node)
  for (;;) {
    for (const pool of poolNames) {
      const isSent = (node: Node) =>
        poolOf(node) === pool && desired.get(nameOf(node)) !== configsOf(node).desiredConfig
      const started = cluster.all(Node).filter(isSent)
      if (started.length > 0) batches.push(started.map(nameOf).sort())
      for (const node of started) {
        desired.set(nameOf(node), configsOf(node).desiredConfig)
        impacts[nameOf(node)] = start(node)
      }
    }
    const next = Math.min(...arrivals.values())
    if (!Number.isFinite(next)) break
    await cluster.advance(next - cluster.nowMs)
    for (const [name, at] of [...arrivals]) {
      if (at > cluster.nowMs) continue
      arrivals.delete(name)
      cluster.change(Node, { name }, finished)
    }
    await cluster.advance(0)
  }
  const pools = new Map(cluster.all(MachineConfigPool).map((pool) => [pool.metadata.name ?? '', pool]))
  const left = cluster.all(Node).filter((node) => configsOf(node).desiredConfig !== targetOf(pools.get(poolOf(node))))
  return {
    batches,
    impacts: Object.fromEntries(Object.entries(impacts).sort()) as Course['impacts'],
    stays: left.map((node) => `${nameOf(node)} ${whyLeft(node)}`).sort(),
  }
}

const nameOf = ({ metadata }: KubernetesObject): string => metadata.name ?? ''
const poolOf = (node: Node): string => nameOf(node).replace(/-\d+$/, '')
const targetOf = (pool: MachineConfigPool | undefined): string | undefined => pool?.spec.configuration?.name

const configsOf = ({ metadata: { annotations = {} } }: Node) => ({
  currentConfig: annotations[nodeAnnotation.currentConfig] ?? '',
  desiredConfig: annotations[nodeAnnotation.desiredConfig] ?? '',
})

const finished = (node: Node): Node => ({
  ...node,
  metadata: {
    ...node.metadata,
    annotations: {
      ...node.metadata.annotations,
      [nodeAnnotation.currentConfig]: configsOf(node).desiredConfig,
      [nodeAnnotation.state]: 'Done',
    },
  },
})

/** Independent of the controllers' own words: a cordon, an outage, or somebody who uses the budget up. */
function whyLeft({ spec, status }: Node): string {
  if (spec?.unschedulable) return 'Cordoned'
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value !== 'True')
    ? 'NotReady'
    : 'AtCapacity'
}
