import { Node } from '../api/core.ts'
import { apiVersionOf } from '../api/kind.ts'
import { MachineConfigNode, type MachineConfigNodeSpec } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation, notYetSet } from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, own, settled, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'
import { isAlreadyExists, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { machineConfigNodeSpec } from './machineConfigNode.ts'
import { nodeToView } from './nodeView.ts'
import { ownershipOf } from './primaryPool.ts'
import { sameValue } from './sameValue.ts'
import { withOwner } from './writePhases.ts'

export interface MachineConfigNodePorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly log: Log
  readonly featureGates?: () => ReadonlySet<string>
}

const fieldManager = 'machine-config-node'
const noGates: ReadonlySet<string> = new Set()
/** The rollout writes a new target here before it writes the Node: a difference this young is no mistake. */
const targetLagMs = 5_000

/** One MachineConfigNode for every Node: made, kept in its pool, and removed with it. */
export function machineConfigNodeController(ports: MachineConfigNodePorts): Controller {
  const { cache, kube, clock, log, featureGates = () => noGates } = ports
  const differsSince = new Map<string, number>()

  return {
    name: 'machine-config-node',
    watches: [
      watching(Node, ({ old, now }) =>
        whatCounts(old) === whatCounts(now) ? [] : [(now ?? old)?.metadata.name ?? ''],
      ),
      own(MachineConfigNode),
      watching(MachineConfigPool, ({ old, now }) => {
        const isSelectorNew = JSON.stringify(old?.spec.nodeSelector) !== JSON.stringify(now?.spec.nodeSelector)
        return isSelectorNew ? nodeNames(cache) : []
      }),
    ],
    coalesceMs: 50,
    workers: 2,
    reconcile,
  }

  async function reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const node = cache.get(Node, { name: key })
    const stored = cache.get(MachineConfigNode, { name: key })
    if (!node) {
      differsSince.delete(key)
      if (stored) await remove(stored, signal)
      return settled
    }
    if (isComing(node)) return settled
    const pool = primaryPoolName(node)
    const spec = machineConfigNodeSpec(nodeToView(node), pool, featureGates())
    if (!stored) return create(node, spec, signal)
    const isTargetOnly = sameValue({ ...stored.spec, ...withoutTarget(spec) }, stored.spec)
    if (isTargetOnly && isTargetSame(stored.spec, spec, featureGates())) {
      differsSince.delete(key)
      return settled
    }
    const isKnown = stored.spec.configVersion.desired !== notYetSet
    if (isTargetOnly && isKnown) {
      const nowMs = clock.now().getTime()
      const since = differsSince.get(key) ?? nowMs
      differsSince.set(key, since)
      if (nowMs - since < targetLagMs) return again(new Date(since + targetLagMs))
    }
    differsSince.delete(key)
    const body = { spec }
    await kube.patch(MachineConfigNode, { name: key }, { type: 'merge', body }, { signal, fieldManager })
    return settled
  }

  function primaryPoolName(node: Node): string {
    const ownership = ownershipOf(nodeToView(node), cache.list(MachineConfigPool))
    return ownership.kind === 'owned' ? (ownership.primary.metadata.name ?? notYetSet) : notYetSet
  }

  async function create(node: Node, spec: MachineConfigNodeSpec, signal: AbortSignal): Promise<Outcome> {
    const object = withOwner(
      {
        apiVersion: apiVersionOf(MachineConfigNode),
        kind: MachineConfigNode.kind,
        metadata: { name: node.metadata.name ?? '' },
        spec,
      },
      node,
    )
    try {
      await kube.create(MachineConfigNode, object, { signal, fieldManager })
      log.info('a MachineConfigNode was made', { node: node.metadata.name })
    } catch (error) {
      // The daemon was faster: its object comes by the watch and is looked at then.
      if (!isAlreadyExists(error)) throw error
    }
    return settled
  }

  async function remove({ metadata }: MachineConfigNode, signal: AbortSignal): Promise<void> {
    const preconditions = metadata.uid ? { uid: metadata.uid } : {}
    try {
      await kube.delete(MachineConfigNode, { name: metadata.name ?? '' }, { signal, fieldManager, preconditions })
      log.info('the MachineConfigNode of a node that is gone was removed', { node: metadata.name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

const isComing = ({ status }: Node): boolean => status?.phase === 'Pending' || status?.phase === 'Provisioning'

const withoutTarget = ({ node, pool }: MachineConfigNodeSpec) => ({ node, pool })

/** Without the gate the image is not shown, and what may stand there is left alone. */
const isTargetSame = (
  stored: MachineConfigNodeSpec,
  wanted: MachineConfigNodeSpec,
  featureGates: ReadonlySet<string>,
): boolean =>
  stored.configVersion.desired === wanted.configVersion.desired &&
  (!featureGates.has('ImageModeStatusReporting') ||
    stored.configImage?.desiredImage === wanted.configImage?.desiredImage)

function whatCounts(node: Node | undefined): string {
  const annotations = node?.metadata.annotations ?? {}
  return JSON.stringify([
    node?.metadata.uid,
    node?.metadata.labels,
    node?.status?.phase,
    annotations[nodeAnnotation.desiredConfig],
    annotations[nodeAnnotation.desiredImage],
  ])
}

/** Before Nodes are known completely none is missed: each comes as an add of its own. */
function nodeNames(cache: Cache): string[] {
  try {
    return cache.list(Node).map(({ metadata }) => metadata.name ?? '')
  } catch (error) {
    if (error instanceof Retryable) return []
    throw error
  }
}
