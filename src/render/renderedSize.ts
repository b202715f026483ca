import type { MachineConfig } from '../api/machineConfig.ts'

/** The default limit of etcd for one object: a larger rendered config could never be stored. */
export const maxRenderedBytes = 1_572_864
/** From here on a person should be told that little room is left. */
const warnAtBytes = maxRenderedBytes * 0.8

export type RenderedSize =
  | { readonly kind: 'fits'; readonly bytes: number; readonly nearLimit: boolean }
  | { readonly kind: 'tooLarge'; readonly bytes: number; readonly message: string }

export function renderedSize(rendered: MachineConfig): RenderedSize {
  const bytes = Buffer.byteLength(JSON.stringify(rendered))
  if (bytes <= maxRenderedBytes) return { kind: 'fits', bytes, nearLimit: bytes > warnAtBytes }
  return {
    kind: 'tooLarge',
    bytes,
    message:
      `rendered MachineConfig ${rendered.metadata.name} is too large (${bytes} bytes, max ${maxRenderedBytes} bytes). ` +
      "This will exceed etcd's size limit. Consider reducing the number or size of MachineConfigs, particularly large " +
      'registry mirror configurations (ImageDigestMirrorSet/ImageContentSourcePolicy)',
  }
}
