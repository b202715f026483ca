import type { IgnitionConfig } from '../ignition/types.ts'
import type { Fragment } from './parseFragment.ts'

/** One path that several MachineConfigs write. */
export interface Overlap {
  readonly path: string
  /** In merge order. */
  readonly writers: readonly string[]
  /** The last writer: what it says is on the machine. */
  readonly winner: string
}

/**
 * Paths that more than one fragment writes, sorted. Nothing is wrong with that, the later fragment wins; but whoever wrote
 * the earlier one should know. `ordered` stands in merge order.
 */
export function overlaps(ordered: readonly Pick<Fragment, 'name' | 'ignition'>[]): Overlap[] {
  const writersOf = new Map<string, string[]>()
  for (const { name, ignition } of ordered) {
    if (ignition.kind !== 'parsed') continue
    for (const path of new Set(writtenPaths(ignition.config))) {
      const writers = writersOf.get(path)
      if (writers) writers.push(name)
      else writersOf.set(path, [name])
    }
  }
  return [...writersOf]
    .flatMap(([path, writers]) => {
      const winner = writers.at(-1)
      return writers.length > 1 && winner !== undefined ? [{ path, writers, winner }] : []
    })
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** Units are files in the systemd directory; a fragment that only enables or masks one writes nothing. */
function writtenPaths({ storage = {}, systemd = {} }: IgnitionConfig): string[] {
  const nodes = [...(storage.files ?? []), ...(storage.directories ?? []), ...(storage.links ?? [])]
  const units = (systemd.units ?? []).flatMap(({ name, contents, dropins = [] }) => [
    ...(contents ? [`/etc/systemd/system/${name}`] : []),
    ...dropins.flatMap((dropin) => (dropin.contents ? [`/etc/systemd/system/${name}.d/${dropin.name}`] : [])),
  ])
  return [...nodes.map(({ path }) => path), ...units]
}
