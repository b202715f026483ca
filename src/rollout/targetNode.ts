import type { MachineConfigNode, MachineConfigNodeSpec } from '../api/machineConfigNode.ts'
import { nodeAnnotation } from '../api/names.ts'
import type { NodeView } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

/** The annotations that send a node to the target; null removes one. Undefined when it is sent there already. */
export function targetAnnotations(
  node: NodeView,
  target: RolloutTarget,
): Readonly<Record<string, string | null>> | undefined {
  const config = target.kind === 'layered' ? (target.buildConfig ?? target.config) : target.config
  const image = target.kind === 'layered' ? target.image : undefined
  const changes: Record<string, string | null> = {}
  if (node.annotations[nodeAnnotation.desiredConfig] !== config) changes[nodeAnnotation.desiredConfig] = config
  if (node.annotations[nodeAnnotation.desiredImage] !== image) changes[nodeAnnotation.desiredImage] = image ?? null
  return Object.keys(changes).length > 0 ? changes : undefined
}

/** The MachineConfigNode's spec for the target; it is written before the Node, so that it never lags behind. */
export function targetSpec(
  { spec }: MachineConfigNode,
  target: RolloutTarget,
  featureGates: ReadonlySet<string>,
): MachineConfigNodeSpec | undefined {
  const desired = target.kind === 'layered' ? (target.buildConfig ?? target.config) : target.config
  const image = target.kind === 'layered' ? target.image : undefined
  const shown = featureGates.has('ImageModeStatusReporting') ? image : spec.configImage?.desiredImage
  const isSame = spec.configVersion.desired === desired && spec.configImage?.desiredImage === shown
  if (isSame) return undefined
  const { configImage: _replaced, ...rest } = spec
  return { ...rest, configVersion: { desired }, ...(shown && { configImage: { desiredImage: shown } }) }
}
