import { nodeToView } from '../../../src/rollout/nodeView.ts'
import { decideRolloutPass, type RolloutSources } from '../../../src/rollout/observePool.ts'
import { poolMembership } from '../../../src/rollout/poolMembership.ts'
import type { NodeWrite, PoolPass } from '../../../src/rollout/poolPass.ts'
import type { Adapter, Input } from '../adapter.ts'
import { withTimeMarks } from './pool-status.ts'

export const adapter: Adapter = {
  run(_topic, input) {
    const result = decideRolloutPass(input.pool, sourcesOf(input), new Date())
    const passes = result.kind === 'passes' ? result.passes : []
    const own = passes.find(({ snapshot }) => snapshot.pool.metadata.name === input.pool)?.pass
    const others = passes.filter(({ snapshot, pass }) => snapshot.pool.metadata.name !== input.pool && pass.status)
    const writes = passes.flatMap(({ pass }) => pass.nodeWrites)
    const events = passes.flatMap(({ pass }) => [...pass.events, ...pass.statusEvents])
    return {
      error: result.kind === 'error' ? result.message : (own?.error ?? null),
      events: events.map(({ type, reason, message }) => `${type} ${reason} ${message}`),
      nodeChanges: nodeChanges(input.nodes, writes),
      patches: patches(writes),
      statusUpdated: own?.status !== undefined,
      ...(own?.status && { status: withTimeMarks(own.status) }),
      ...(others.length > 0 && {
        otherPools: Object.fromEntries(
          others.map(({ snapshot, pass }) => [snapshot.pool.metadata.name, withTimeMarks(pass.status)]),
        ),
      }),
      ...(input.machineConfigNodes && { machineConfigNodeChanges: specChanges(passes.map(({ pass }) => pass)) }),
    }
  },
}

function sourcesOf(input: Input): RolloutSources {
  const named = (list: Input[] | undefined, name: string) => (list ?? []).find(({ metadata }) => metadata.name === name)
  const controllerConfig: Input = { spec: { infra: { status: { controlPlaneTopology: input.controlPlaneTopology } } } }
  return {
    pools: input.pools,
    membership: poolMembership(input.pools, input.nodes),
    machineOSConfigs: input.machineOSConfigs ?? [],
    machineOSBuilds: input.machineOSBuilds ?? [],
    featureGates: new Set(input.featureGates),
    machineConfigNode: (name) => named(input.machineConfigNodes, name),
    machineConfig: (name) => named(input.machineConfigs, name),
    osImageStream: () => input.osImageStream,
    controllerConfig: () => controllerConfig,
    operatorNode: () => input.operatorNode,
  }
}

function patches(writes: readonly NodeWrite[]): Record<string, string[]> {
  const byNode: Record<string, string[]> = {}
  for (const { node, body } of writes) byNode[node] = [...(byNode[node] ?? []), JSON.stringify(sorted(body))]
  return byNode
}

function nodeChanges(nodes: Input[], writes: readonly NodeWrite[]): Record<string, Input> {
  const changes: Record<string, Input> = {}
  for (const write of writes) {
    const change: Input = changes[write.node] ?? {}
    changes[write.node] = change
    if (write.kind === 'taints') {
      change.taints = (write.body.spec.taints ?? []).map(({ key, value = '', effect }) => `${key}=${value}:${effect}`)
      continue
    }
    const { annotations = {}, labels } = write.body.metadata
    const before = nodeToView(nodes.find(({ metadata }) => metadata.name === write.node)).annotations
    for (const [key, value] of Object.entries(annotations)) {
      // The recording compares values, and an absent annotation reads as the empty one.
      if (value === null) change.annotationsRemoved = [...(change.annotationsRemoved ?? []), key]
      else if (value !== (before[key] ?? '')) change.annotations = { ...change.annotations, [key]: value }
    }
    if (labels) change.labels = { ...change.labels, ...labels }
  }
  return changes
}

const specChanges = (passes: readonly PoolPass[]): Record<string, unknown> =>
  Object.fromEntries(passes.flatMap((pass) => pass.machineConfigNodeSpecs).map(({ name, spec }) => [name, spec]))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}
