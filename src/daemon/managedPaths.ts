import type { MachineConfigView } from '../forecast/configDiff.ts'
import { changedFiles, changedUnits } from '../ignition/diff.ts'
import { dropinPath, unitPath } from './hostPaths.ts'

/** Every path that a config has an opinion about, in config order. */
export function managedPaths(config: MachineConfigView): readonly string[] {
  const { files = [], directories = [], links = [] } = config.ignition.storage ?? {}
  const units = config.ignition.systemd?.units ?? []
  return [
    ...[...directories, ...files, ...links].map((node) => node.path),
    ...units.flatMap((unit) => [
      unitPath(unit.name),
      ...(unit.dropins ?? []).map((dropin) => dropinPath(unit.name, dropin.name)),
    ]),
  ]
}

/** The paths at which a config puts something: files, unit files with contents or a mask, drop-ins with contents. */
export function writtenPaths(config: MachineConfigView): ReadonlySet<string> {
  const files = (config.ignition.storage?.files ?? []).map((file) => file.path)
  const units = (config.ignition.systemd?.units ?? []).flatMap((unit) => [
    ...(unit.contents || unit.mask ? [unitPath(unit.name)] : []),
    ...(unit.dropins ?? []).filter((dropin) => dropin.contents).map((dropin) => dropinPath(unit.name, dropin.name)),
  ])
  return new Set([...files, ...units])
}

/** What an update between two configs can touch: the changed files, and the changed units with all their drop-ins. */
export function changedSubjects(
  old: MachineConfigView,
  next: MachineConfigView,
): { readonly paths: ReadonlySet<string>; readonly units: ReadonlySet<string> } {
  const { added, updated, removed } = changedUnits(old.ignition, next.ignition)
  const units = new Set([...added, ...updated, ...removed])
  const ofUnits = [old, next].flatMap((config) =>
    (config.ignition.systemd?.units ?? [])
      .filter((unit) => units.has(unit.name))
      .flatMap((unit) => [
        unitPath(unit.name),
        ...(unit.dropins ?? []).map((dropin) => dropinPath(unit.name, dropin.name)),
      ]),
  )
  return { paths: new Set([...changedFiles(old.ignition, next.ignition), ...ofUnits]), units }
}
