import { layeringToTarget } from '../../../src/rollout/layering.ts'
import { reportPhase } from '../../../src/rollout/machineConfigNode.ts'
import { isAtTarget } from '../../../src/rollout/machineConfigNodeCounts.ts'
import { nodeToView } from '../../../src/rollout/nodeView.ts'
import type { Adapter, Input } from '../adapter.ts'
import { withTimeMarks } from './pool-status.ts'

export const adapter: Adapter = {
  run: (topic, input) => (topic === 'updated' ? updated(input) : conditions(input)),
}

function updated({ machineConfigNode, pool, layered, machineOSConfig, machineOSBuild }: Input): unknown {
  const target = layeringToTarget(
    layered ? { kind: 'layered', config: machineOSConfig, build: machineOSBuild } : { kind: 'plain' },
    pool.spec.configuration.name,
  )
  return { updated: isAtTarget(machineConfigNode ?? undefined, target) }
}

function conditions({ machineConfigNode, node, parent, child, pool, featureGates }: Input): unknown {
  const facts = {
    ...(machineConfigNode && { stored: machineConfigNode }),
    node: { ...nodeToView(node), phase: node.status.phase },
    pool,
    featureGates: new Set<string>(featureGates),
  }
  const write = reportPhase(facts, { parent, ...(child && { child }) }, new Date())
  return { error: null, writes: write ? [recorded(write)] : [] }
}

function recorded({ verb, body }: NonNullable<ReturnType<typeof reportPhase>>): Input {
  const marked: Input = { ...body, status: withTimeMarks(body.status) }
  if (verb === 'applyStatus') return { verb: 'apply', subresource: 'status', body: marked }
  // The original creates through a typed client, whose object carries no type members.
  const { metadata, spec, status } = marked
  return { verb: 'create', subresource: '', body: { metadata, spec, status } }
}
