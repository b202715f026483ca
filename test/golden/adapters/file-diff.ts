import { changedFiles, changedUnits } from '../../../src/ignition/diff.ts'
import { ignitionFromValue } from '../../../src/ignition/parseIgnition.ts'
import type { IgnitionConfig } from '../../../src/ignition/types.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(topic, input: { readonly old: unknown; readonly new: unknown }) {
    const [old, next] = [read(input.old), read(input.new)]
    if (topic === 'paths') return { paths: changedFiles(old, next).toSorted() }
    const { added, removed, updated } = changedUnits(old, next)
    return { added: added.toSorted(), removed: removed.toSorted(), updated: updated.toSorted() }
  },
}

function read(value: unknown): IgnitionConfig {
  const { value: config, wireError } = ignitionFromValue(value)
  if (config === undefined) throw new Error(wireError)
  return config
}
