import type { MachineConfig } from '../api/machineConfig.ts'
import { machineConfigAnnotation } from '../api/names.ts'

/** Every path that an author marked as secret: its content is never shown. Sorted, each once. */
export function secretPathsOf(configs: readonly Pick<MachineConfig, 'metadata'>[]): readonly string[] {
  const marks = configs.map(({ metadata }) => metadata.annotations?.[machineConfigAnnotation.secretPaths] ?? '')
  const paths = marks
    .flatMap((mark) => mark.split(','))
    .map((path) => path.trim())
    .filter((path) => path !== '')
  return [...new Set(paths)].sort()
}
