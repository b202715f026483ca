import type { File, IgnitionConfig } from '../ignition/types.ts'
import type { Fragment } from './parseFragment.ts'

/** A merged file that will not be what its authors meant. */
export interface ContentHazard {
  readonly path: string
  readonly message: string
}

/**
 * Two traps of merging files by member, which the rendered name forbids to repair (spec: render 5.3): a later fragment that
 * sets only a mode drops the compression of an earlier one's content, and one that replaces the content keeps the earlier
 * one's hash. `ordered` stands in merge order.
 */
export function contentHazards(
  ordered: readonly Pick<Fragment, 'name' | 'ignition'>[],
  merged: IgnitionConfig,
): ContentHazard[] {
  const writers = writersByPath(ordered)
  return (merged.storage?.files ?? []).flatMap((file) => {
    const own = writers.get(file.path) ?? []
    const hazard = own.length > 1 ? (lostCompression(file, own) ?? staleHash(file, own)) : undefined
    return hazard === undefined ? [] : [{ path: file.path, message: hazard }]
  })
}

interface Writer {
  readonly name: string
  readonly file: File
}

function writersByPath(ordered: readonly Pick<Fragment, 'name' | 'ignition'>[]): Map<string, Writer[]> {
  const writers = new Map<string, Writer[]>()
  for (const { name, ignition } of ordered) {
    if (ignition.kind !== 'parsed') continue
    for (const file of ignition.config.storage?.files ?? []) {
      const known = writers.get(file.path)
      if (known) known.push({ name, file })
      else writers.set(file.path, [{ name, file }])
    }
  }
  return writers
}

const writerOfSource = (writers: readonly Writer[]): Writer | undefined =>
  writers.findLast(({ file }) => file.contents?.source !== undefined)

function lostCompression({ path, contents }: File, writers: readonly Writer[]): string | undefined {
  const source = writerOfSource(writers)
  const compression = source?.file.contents?.compression
  if (!source || !compression || contents?.compression === compression) return undefined
  const last = writers.at(-1)?.name
  return `${path} loses the compression that ${source.name} gave it, because ${last} changes it without contents: repeat source and compression in ${last}`
}

function staleHash({ path, contents }: File, writers: readonly Writer[]): string | undefined {
  const source = writerOfSource(writers)
  const hash = writers.findLast(({ file }) => file.contents?.verification?.hash !== undefined)
  if (!source || !hash || !contents?.verification?.hash || writers.indexOf(hash) >= writers.indexOf(source))
    return undefined
  return `${path} keeps the hash of ${hash.name}, but its content comes from ${source.name}: give ${source.name} a verification.hash`
}
