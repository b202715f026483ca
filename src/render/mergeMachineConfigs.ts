import { kernelType, poolName } from '../api/names.ts'
import { emptyConfig, IgnitionMerger } from '../ignition/merge.ts'
import type { File, IgnitionConfig } from '../ignition/types.ts'
import { compareBytes } from './byteOrder.ts'
import type { Fragment } from './parseFragment.ts'

/** Images that apply when no MachineConfig of a user names others. */
export interface DefaultImages {
  readonly osImage: string
  readonly extensionsImage: string
}

/** All seven members of a rendered spec; none is ever absent. */
export interface MergedSpec {
  readonly osImageURL: string
  readonly baseOSExtensionsContainerImage: string
  readonly config: IgnitionConfig
  readonly kernelArguments: readonly string[]
  readonly extensions: readonly string[]
  readonly fips: boolean
  readonly kernelType: string
}

export type Merge =
  | { readonly kind: 'merged'; readonly spec: MergedSpec }
  /** No fragment at all. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * The order in which fragments are merged, later wins: those of role `worker` first, then all others, each part by name.
 * So a custom pool's fragments beat the inherited ones whatever their names are (spec: render 5.1).
 */
export function mergeOrder<F extends Pick<Fragment, 'name' | 'role'>>(fragments: readonly F[]): F[] {
  const isInherited = ({ role }: F) => role === poolName.worker
  return [...fragments].sort((a, b) => Number(isInherited(b)) - Number(isInherited(a)) || compareBytes(a.name, b.name))
}

/** Merges fragments that stand in merge order, in one pass over each of them (spec: render 5.2, 5.3). */
export function mergeMachineConfigs(ordered: readonly Fragment[], images: DefaultImages): Merge {
  if (ordered.length === 0) return { kind: 'empty' }
  const unlabelled = ordered.find((fragment) => !fragment.labelled)
  if (unlabelled) return refused(`cannot find label in MachineConfig ${unlabelled.name}`)
  const config = mergeConfigs(ordered)
  if ('refusal' in config) return refused(config.refusal)
  const extensions = ordered.flatMap((fragment) => fragment.extensions)
  const kernel = kernelOf(ordered)
  if (kernel !== kernelType.default && extensions.includes('kernel-devel')) {
    return refused(`installing kernel-devel extension is not supported with kernelType: ${kernel}`)
  }
  const byUsers = ordered.filter((fragment) => fragment.generatedBy === '')
  const spec: MergedSpec = {
    osImageURL: byUsers.findLast((fragment) => fragment.osImageURL !== '')?.osImageURL ?? images.osImage,
    baseOSExtensionsContainerImage:
      byUsers.findLast((fragment) => fragment.extensionsImage !== '')?.extensionsImage ?? images.extensionsImage,
    config: config.merged,
    kernelArguments: ordered.flatMap((fragment) => fragment.kernelArguments),
    extensions,
    fips: ordered.some((fragment) => fragment.fips),
    kernelType: kernel,
  }
  return { kind: 'merged', spec }
}

const refused = (message: string): Merge => ({ kind: 'refused', message })

/** A later `default` does not undo an earlier special kernel: names depend on this. */
function kernelOf(ordered: readonly Fragment[]): string {
  const special = ordered.findLast((fragment) => isSpecialKernel(fragment.kernelType))
  return special?.kernelType ?? kernelType.default
}

const isSpecialKernel = (type: string): boolean => type === kernelType.realtime || type === kernelType.pages64k

function mergeConfigs(ordered: readonly Fragment[]): { merged: IgnitionConfig } | { refusal: string } {
  const merger = new IgnitionMerger()
  let first = true
  let merged = false
  for (const { ignition } of ordered) {
    if (ignition.kind === 'refused') return { refusal: ignition.mergeError }
    if (first) merger.add(ignition.kind === 'none' ? emptyConfig : ignition.config)
    else if (ignition.kind === 'parsed') merger.add(ignition.config, { mapFile: withCompression })
    else continue
    if (!first) merged = true
    first = false
  }
  return { merged: merger.result({ mapFile: merged ? finishMerged : overwriteByDefault }) }
}

/** An uncompressed override must not inherit `gzip` from the file that it replaces: it says so with an empty value. */
function withCompression(file: File): File {
  if (file.contents?.compression !== undefined) return file
  return { ...file, contents: { ...file.contents, compression: '' } }
}

function finishMerged(file: File): File {
  if (file.contents?.compression !== '') return overwriteByDefault(file)
  const { compression: _none, ...contents } = file.contents
  const { contents: _replaced, ...rest } = file
  return overwriteByDefault(Object.keys(contents).length === 0 ? rest : { ...rest, contents })
}

/** First-boot Ignition shall behave like the daemon, which always overwrites. */
const overwriteByDefault = (file: File): File => (file.overwrite === undefined ? { ...file, overwrite: true } : file)
