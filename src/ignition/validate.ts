import { configShape } from './configShape.ts'
import { reportDuplicates } from './duplicates.ts'
import type { Issue } from './issues.ts'
import { Report, reportIssues, reportText } from './report.ts'
import type { IgnitionConfig } from './types.ts'
import { validateIgnitionSection } from './validateIgnitionSection.ts'
import { validateStorage } from './validateStorage.ts'
import { validateSystemd } from './validateSystemd.ts'

/**
 * Every rule of the Ignition specification (public configuration specification, "Validation"), on a config in 3.5 form.
 * `wireText` is the report as the original prints it, present exactly when there is an error.
 */
export function validateIgnition(config: IgnitionConfig): {
  readonly issues: readonly Issue[]
  readonly wireText?: string
} {
  const report = new Report()
  validateInto(report, config, 5)
  const issues = reportIssues(report)
  return report.isFatal ? { issues, wireText: reportText(report) } : { issues }
}

/** The rules of specification 3.`minor`.0, in the order in which the reference checks them. */
export function validateInto(report: Report, config: IgnitionConfig, minor: number): void {
  reportUnitConflicts(report, config)
  validateIgnitionSection(report, config.ignition, minor)
  if (config.storage) validateStorage(report, config.storage, minor)
  if (config.systemd) validateSystemd(report, config.systemd)
  reportDuplicates(report, configShape, config)
}

/** A file in systemd's folder and a unit of the same name would overwrite each other. */
function reportUnitConflicts(report: Report, { storage, systemd }: IgnitionConfig): void {
  const unitPaths = new Set<string>()
  for (const unit of systemd?.units ?? []) {
    if (unit.contents) unitPaths.add(`/etc/systemd/system/${unit.name}`)
    for (const dropin of unit.dropins ?? []) {
      if (dropin.contents) unitPaths.add(`/etc/systemd/system/${unit.name}.d/${dropin.name}`)
    }
  }
  if (unitPaths.size === 0 || storage === undefined) return
  for (const kind of ['files', 'directories', 'links'] as const) {
    for (const [index, { path }] of (storage[kind] ?? []).entries()) {
      if (!unitPaths.has(path)) continue
      report.error(
        ['storage', kind, index, 'path'],
        'path conflicts with systemd unit or dropin',
        `${path} is also written by systemd.units; keep only one of the two`,
      )
    }
  }
}
