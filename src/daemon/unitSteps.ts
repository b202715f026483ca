import { templateOf } from '../host/unitFile.ts'
import type { Step } from './step.ts'

/** Where a service manager reads units: a file of ours may be in any of these, as a unit or as an ordinary file. */
const unitFile = /^\/(?:etc|run|lib|usr\/lib|usr\/local\/lib)\/systemd\/system\/(.+)$/

/** Units that steps bring, replace or take away, by the name of their file. */
export function changedUnits(steps: readonly Step[]): ReadonlySet<string> {
  const parts = steps.map(unitPartOf).filter((part) => part !== undefined)
  return new Set(parts.filter((part) => !part.includes('/')))
}

/** Whether a name is among changed units, as itself or as an instance of a template. */
export function isAmong(units: ReadonlySet<string>, name: string): boolean {
  const template = templateOf(name)
  return units.has(name) || (template !== undefined && units.has(template))
}

/** Whether the service manager has to read again what steps leave on the disk: units, drop-ins, links. */
export const touchesUnitFiles = (steps: readonly Step[]): boolean =>
  steps.some((step) => unitPartOf(step) !== undefined)

const unitPartOf = (step: Step): string | undefined =>
  'path' in step ? (unitFile.exec(step.path) ?? [])[1] : undefined
