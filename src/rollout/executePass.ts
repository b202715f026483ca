import { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { messageOf, Retryable } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import type { PendingWrites } from './pendingWrites.ts'
import type { NodeWrite, PoolEvent, PoolPass } from './poolPass.ts'
import { sameValue } from './sameValue.ts'
import { waitingNodesAnnotation, waitingSummary } from './waitingSummary.ts'

export interface ExecutePorts {
  readonly kube: KubeApi
  readonly events: EventRecorder
  readonly log: Log
  readonly pendingNodes: PendingWrites<Node>
  /** The node as the pass saw it. */
  readonly node: (name: string) => Node | undefined
}

const fieldManager = 'rollout'
const parallelWrites = 10

/**
 * Carries out a pass: specs, nodes, events, status, in this order, each only where it differs. A node that could not be
 * written does not keep the others from being written; the pass fails at its end and is made again.
 */
export async function executePass(
  pool: MachineConfigPool,
  pass: PoolPass,
  ports: ExecutePorts,
  signal: AbortSignal,
): Promise<void> {
  await eachOf(pass.machineConfigNodeSpecs, ({ name, spec }) => writeSpec(name, spec, ports, signal))
  // One node's writes go one after the other, different nodes side by side.
  const results = await eachOf(perNode(pass), (writes) => writeNode(writes, ports, signal))
  const failures = results.filter((failure) => failure !== undefined)
  const tell = (events: readonly PoolEvent[]) => {
    for (const { type, reason, message } of events) ports.events.event(pool, type, reason, message)
  }
  if (failures.length === 0) tell(pass.events)
  if (pass.status) {
    await writeStatus(pool, pass, ports, signal)
    tell(pass.statusEvents)
  }
  if (failures.length > 0) throw new Retryable(`roll out pool ${pool.metadata.name}: ${failures.join('; ')}`)
}

/** Nodes that move come first: in a large pool the taints of the others take a while. */
function perNode({ nodeWrites, plan }: PoolPass): readonly NodeWrite[][] {
  const byNode = new Map<string, NodeWrite[]>(plan.move.map((name) => [name, []]))
  for (const write of nodeWrites) byNode.set(write.node, [...(byNode.get(write.node) ?? []), write])
  return [...byNode.values()]
}

/** A MachineConfigNode only shows what happens: that it could not be written must not stop the rollout. */
async function writeSpec(
  name: string,
  spec: MachineConfigNode['spec'],
  { kube, log }: ExecutePorts,
  signal: AbortSignal,
): Promise<void> {
  const body = { spec: { configVersion: spec.configVersion, configImage: spec.configImage ?? null } }
  try {
    await kube.patch(MachineConfigNode, { name }, { type: 'merge', body }, { signal, fieldManager })
  } catch (error) {
    log.warn('the spec of a MachineConfigNode was not written', { node: name, error: messageOf(error) })
  }
}

async function writeNode(
  writes: readonly NodeWrite[],
  { kube, pendingNodes, node }: ExecutePorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [first] = writes
  if (!first) return undefined
  const name = first.node
  let resourceVersion = node(name)?.metadata.resourceVersion
  for (const write of writes) {
    // A list is replaced whole, so the node must be the one that the list was computed from.
    const body =
      write.kind === 'taints' && resourceVersion ? { metadata: { resourceVersion }, ...write.body } : write.body
    try {
      const written = await kube.patch(Node, { name }, { type: 'strategic', body }, { signal, fieldManager })
      pendingNodes.record(written)
      resourceVersion = written.metadata.resourceVersion
    } catch (error) {
      if (isNotFound(error)) return undefined
      return `node ${name}: ${messageOf(error)}`
    }
  }
  return undefined
}

async function writeStatus(
  pool: MachineConfigPool,
  { status, plan }: PoolPass,
  { kube }: ExecutePorts,
  signal: AbortSignal,
): Promise<void> {
  const name = pool.metadata.name ?? ''
  let current = pool
  if (status && !sameValue(status, pool.status)) {
    // The other controllers' conditions are in the same list: an update of an older pool must be refused.
    current = await kube.updateStatus(MachineConfigPool, { ...pool, status }, { signal, fieldManager })
  }
  const summary = waitingSummary(pool.spec.configuration?.name ?? '', plan.hold)
  if (summary === current.metadata.annotations?.[waitingNodesAnnotation]) return
  const body = { metadata: { annotations: { [waitingNodesAnnotation]: summary ?? null } } }
  await kube.patch(MachineConfigPool, { name }, { type: 'merge', body }, { signal, fieldManager })
}

/** Runs `work` over `items`, a few at a time, and gives all results. */
async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: Math.min(parallelWrites, items.length) }, worker))
  return results
}
