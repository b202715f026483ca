import type { MachineConfig } from '../api/machineConfig.ts'

/** On a MachineConfig: paths whose contents are never shown, separated by commas. */
const secretPathsAnnotation = 'machineconfig.io/secret-paths'

/** Every path that an author marked as secret. */
export function secretPathsOf(configs: readonly MachineConfig[]): ReadonlySet<string> {
  const marks = configs.map(({ metadata }) => metadata.annotations?.[secretPathsAnnotation] ?? '')
  return new Set(
    marks
      .flatMap((mark) => mark.split(','))
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  )
}
