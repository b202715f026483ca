import { Node, Secret } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { operatorNamespace } from '../api/names.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isAlreadyExists } from '../kube/kubeApi.ts'
import { poolOfRendered } from '../render/renderedName.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { ownershipOf } from '../rollout/primaryPool.ts'
import { copyToRendered, renderedCopyName, renderedToCopy } from './copies.ts'
import type { CopyPorts } from './keepCopies.ts'
import { renderedConfigsOf } from './renderedConfigsOf.ts'

export interface RestorePorts extends CopyPorts {
  readonly events: EventRecorder
  /** A rendered config as it was before it was deleted, when this process has seen it. */
  readonly lastSeen: (name: string) => MachineConfig | undefined
}

/**
 * Creates the rendered configs of a pool again that are gone although the pool or a node still names them: with the same
 * name and content, from what was seen last or from the copy. They are owned by the pool and go with it; a finalizer
 * instead would hold up the removal of a cluster.
 */
export async function restoreRendered(
  pool: MachineConfigPool,
  ports: RestorePorts,
  signal: AbortSignal,
): Promise<void> {
  const { cache, kube, log, events } = ports
  const { name: poolName = '', uid = '' } = pool.metadata
  for (const name of neededConfigs(pool, cache.list(MachineConfigPool), cache.list(Node))) {
    if (cache.get(MachineConfig, { name })) continue
    const seen = ports.lastSeen(name)
    const copies = [
      seen && renderedToCopy(seen),
      cache.get(Secret, { name: renderedCopyName(name), namespace: operatorNamespace }),
    ]
    const owner = { name: poolName, uid }
    const rendered = copies.flatMap((copy) => (copy && copyToRendered(copy, name, owner)) ?? [])[0]
    if (!rendered) {
      log.error('a rendered config that is in use is gone, and there is no copy of it', {
        pool: poolName,
        config: name,
      })
      continue
    }
    try {
      await kube.create(MachineConfig, rendered, { signal })
    } catch (error) {
      if (isAlreadyExists(error)) continue
      throw error
    }
    const message = `${name} was deleted although it is in use; it was created again with the same content`
    events.event(pool, 'Warning', 'RenderedConfigRestored', message)
    log.warn('a rendered config that is in use was created again', { pool: poolName, config: name })
  }
}

/**
 * What the pool targets and last completed, what any node has or is to have of this pool, and what its own nodes have of a
 * pool that is gone: deleting that took its rendered configs away under them.
 */
function neededConfigs(
  pool: MachineConfigPool,
  pools: readonly MachineConfigPool[],
  nodes: readonly Node[],
): readonly string[] {
  const known = new Set(pools.map(({ metadata }) => metadata.name))
  const isOwn = (name: string) => poolOfRendered(name) === pool.metadata.name
  const isOrphan = (name: string) => {
    const origin = poolOfRendered(name)
    return origin !== undefined && !known.has(origin)
  }
  const targets = [pool.spec.configuration?.name ?? '', pool.status?.configuration?.name ?? ''].filter(isOwn)
  const used = nodes.flatMap((node) => {
    const names = renderedConfigsOf(node)
    const orphans = names.filter(isOrphan)
    return [...names.filter(isOwn), ...(orphans.length > 0 && isMember(node, pool, pools) ? orphans : [])]
  })
  return [...new Set([...targets, ...used])].sort()
}

function isMember(node: Node, pool: MachineConfigPool, pools: readonly MachineConfigPool[]): boolean {
  const ownership = ownershipOf(nodeToView(node), pools)
  return ownership.kind === 'owned' && ownership.primary.metadata.name === pool.metadata.name
}
