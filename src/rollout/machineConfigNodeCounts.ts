import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { machineConfigNodeCondition } from '../api/names.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

/** What the MachineConfigNodes of one pool add up to. Objects without conditions, or of nodes elsewhere, are skipped. */
export interface MachineConfigNodeCounts {
  readonly updated: ReadonlySet<string>
  readonly degraded: ReadonlySet<string>
  /** Nodes that have every pinned image set they list. */
  readonly pinned: ReadonlySet<string>
}

export function countMachineConfigNodes(
  machineConfigNodes: readonly MachineConfigNode[],
  members: ReadonlySet<string>,
  target: RolloutTarget,
): MachineConfigNodeCounts {
  const counts = { updated: new Set<string>(), degraded: new Set<string>(), pinned: new Set<string>() }
  for (const machineConfigNode of machineConfigNodes) {
    const name = machineConfigNode.metadata.name ?? ''
    if (!members.has(name) || (machineConfigNode.status?.conditions ?? []).length === 0) continue
    const verdict = verdictOf(machineConfigNode, target)
    if (verdict) counts[verdict].add(name)
    if (hasEveryPinnedSet(machineConfigNode)) counts.pinned.add(name)
  }
  return counts
}

/** The first condition that decides wins: the list is kept with Updated before NodeDegraded. */
function verdictOf(machineConfigNode: MachineConfigNode, target: RolloutTarget): 'updated' | 'degraded' | undefined {
  for (const type of trueConditions(machineConfigNode)) {
    if (type === machineConfigNodeCondition.updated && isAtTarget(machineConfigNode, target)) return 'updated'
    if (type === machineConfigNodeCondition.nodeDegraded) return 'degraded'
  }
  return undefined
}

/** An object never changes once read, and a pass counts those of the whole pool: each is searched once. */
const searched = new WeakMap<MachineConfigNode, readonly string[]>()

function trueConditions(machineConfigNode: MachineConfigNode): readonly string[] {
  const known = searched.get(machineConfigNode)
  if (known) return known
  const conditions = machineConfigNode.status?.conditions ?? []
  const types = conditions.filter(({ status }) => status === 'True').map(({ type }) => type)
  searched.set(machineConfigNode, types)
  return types
}

/** The object says that its node was told the pool's config (and image): the daemon has accepted it. */
export function isAtTarget(machineConfigNode: MachineConfigNode | undefined, target: RolloutTarget): boolean {
  const config = machineConfigNode?.status?.configVersion?.desired ?? ''
  const image = machineConfigNode?.status?.configImage?.desiredImage ?? ''
  if (config === '' || config !== target.config) return false
  if (target.kind === 'plain') return image === ''
  return config === target.buildConfig && target.image !== undefined && image === target.image
}

const hasEveryPinnedSet = ({ status }: MachineConfigNode): boolean =>
  (status?.pinnedImageSets ?? []).every(
    ({ currentGeneration = 0, desiredGeneration = 0 }) =>
      desiredGeneration > 0 && currentGeneration === desiredGeneration,
  )
