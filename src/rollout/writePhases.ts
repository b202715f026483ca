import type { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { isAlreadyExists, isConflict, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { PhaseReport } from './machineConfigNode.ts'
import { nodeToView } from './nodeView.ts'
import { reportPhases } from './reportPhases.ts'

export interface PhaseTarget {
  readonly node: Node
  /** The node's primary pool, or `not-yet-set`. */
  readonly pool: string
  readonly featureGates: ReadonlySet<string>
  /** What a cache holds; read from the API server when absent. */
  readonly stored?: MachineConfigNode
}

const manager = { fieldManager: 'machine-config-operator' } as const
const attempts = 4

/**
 * Writes phases, in their order and in one write, to the node's MachineConfigNode, unless it says them already. The
 * daemon and the drain controller write the same list of conditions: each write names the version that it was computed
 * from, and is computed again when the other one was faster. Answers the object as it then is, if it was written.
 */
export async function writePhases(
  kube: KubeApi,
  target: PhaseTarget,
  reports: readonly PhaseReport[],
  now: Date,
  signal: AbortSignal,
): Promise<MachineConfigNode | undefined> {
  let stored = target.stored
  for (let attempt = 1; ; attempt++) {
    if (!stored || attempt > 1) stored = await read(kube, target.node, signal)
    const node = { ...nodeToView(target.node), ...(target.node.status?.phase && { phase: target.node.status.phase }) }
    const { pool, featureGates } = target
    const write = reportPhases({ node, pool, featureGates, ...(stored && { stored }) }, reports, now)
    if (!write) return undefined
    try {
      if (write.verb === 'create') {
        const created = await kube.create(MachineConfigNode, withOwner(write.body, target.node), { signal, ...manager })
        // The status of a new object is only kept when it is written to the subresource.
        const status = { ...write.body.status, observedGeneration: (created.metadata.generation ?? 0) + 1 }
        return await apply(kube, target.node, { ...statusApply(write.body, created), status }, signal)
      }
      return await apply(kube, target.node, { ...write.body, metadata: versioned(write.body.metadata, stored) }, signal)
    } catch (error) {
      const isRace = isConflict(error) || isAlreadyExists(error) || isNotFound(error)
      if (!isRace || attempt === attempts) throw error
    }
  }
}

async function read(kube: KubeApi, node: Node, signal: AbortSignal): Promise<MachineConfigNode | undefined> {
  try {
    return await kube.get(MachineConfigNode, { name: node.metadata.name ?? '' }, { signal })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function apply(kube: KubeApi, node: Node, body: unknown, signal: AbortSignal): Promise<MachineConfigNode> {
  const key = { name: node.metadata.name ?? '' }
  return await kube.patch(
    MachineConfigNode,
    key,
    { type: 'apply', body, force: true },
    { signal, subresource: 'status', ...manager },
  )
}

const statusApply = ({ apiVersion, kind, metadata }: MachineConfigNode, created: MachineConfigNode) => ({
  apiVersion,
  kind,
  metadata: versioned({ name: metadata.name ?? '' }, created),
})

function versioned(metadata: { readonly name: string }, stored: MachineConfigNode | undefined) {
  const resourceVersion = stored?.metadata.resourceVersion
  return resourceVersion ? { ...metadata, resourceVersion } : metadata
}

/** The object ends with its Node. */
export function withOwner(object: MachineConfigNode, { metadata }: Node): MachineConfigNode {
  const owner = { apiVersion: 'v1', kind: 'Node', name: metadata.name ?? '', uid: metadata.uid ?? '' }
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
}
