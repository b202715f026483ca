/** Where a pool's nodes must arrive. A layered pool runs an image built for its config, a plain one only the config. */
export type RolloutTarget =
  | { readonly kind: 'plain'; readonly config: string }
  | {
      readonly kind: 'layered'
      /** The pool's rendered config. */
      readonly config: string
      /** The rendered config that the build was made from; absent while there is no build. */
      readonly buildConfig?: string
      /** The finished image; absent until the first build has succeeded. */
      readonly image?: string
    }

/** `MachineConfig rendered-x` or `MachineConfig rendered-x / Image y`, as conditions and events name it. */
export function describeTarget(target: RolloutTarget): string {
  const config = `MachineConfig ${target.config}`
  return target.kind === 'layered' && target.image ? `${config} / Image ${target.image}` : config
}
