import type { MachineConfig } from '../api/machineConfig.ts'
import { machineConfigAnnotation } from '../api/names.ts'
import { mergeWireError, parseIgnition } from '../ignition/parseIgnition.ts'
import type { Fragment } from '../render/parseFragment.ts'
import type { MachineConfigView } from './configDiff.ts'

/** The comparable view of a MachineConfig, or why it cannot be read (the original's text). */
export type ViewResult =
  | { readonly kind: 'view'; readonly view: MachineConfigView }
  | { readonly kind: 'unreadable'; readonly error: string }

/**
 * A rendered config whose image was built in the cluster carries two annotations; only both together mark it.
 * Rendered configs always have an Ignition part; one without is refused.
 */
export function machineConfigView(config: Pick<MachineConfig, 'metadata'>, fragment: Fragment): ViewResult {
  const { ignition } = fragment
  if (ignition.kind === 'refused') return { kind: 'unreadable', error: ignition.mergeError }
  if (ignition.kind === 'none') return { kind: 'unreadable', error: mergeWireError(parseIgnition('')) ?? '' }
  const annotations = config.metadata.annotations ?? {}
  const layeredImage = annotations[machineConfigAnnotation.oclOsImageUrl]
  const isLayered = layeredImage !== undefined && annotations[machineConfigAnnotation.originalOsImageUrl] !== undefined
  return {
    kind: 'view',
    view: {
      name: fragment.name,
      osImageURL: fragment.osImageURL,
      ...(isLayered ? { layeredImage } : {}),
      kernelArguments: fragment.kernelArguments,
      extensions: fragment.extensions,
      fips: fragment.fips,
      kernelType: fragment.kernelType,
      ignition: ignition.config,
    },
  }
}
