import type { Path } from './decode.ts'
import { extensionOf } from './goPath.ts'
import { goQuote } from './goText.ts'
import type { Report } from './report.ts'
import type { Dropin, Systemd, Unit } from './types.ts'
import { readUnitFile } from './unitFile.ts'

/** `systemd`: names and contents of units and drop-ins. */
export function validateSystemd(report: Report, { units = [] }: Systemd): void {
  warnOfTemplates(report, units)
  for (const [index, unit] of units.entries()) validateUnit(report, ['systemd', 'units', index], unit)
}

export const unitExtensions: ReadonlySet<string> = new Set(
  [
    'service',
    'socket',
    'device',
    'mount',
    'automount',
    'swap',
    'target',
    'path',
    'timer',
    'snapshot',
    'slice',
    'scope',
  ].map((name) => `.${name}`),
)

function validateUnit(report: Report, path: Path, { name, contents, enabled, dropins = [] }: Unit): void {
  if (!unitExtensions.has(extensionOf(name))) {
    report.error(
      [...path, 'name'],
      'invalid systemd unit extension',
      `${name || 'the name'} must end in .service, .socket, .timer …`,
    )
  }
  if (contents !== undefined) {
    const { sections, fault } = readUnitFile(contents)
    if (fault !== undefined) report.error([...path, 'contents'], `invalid unit content: ${fault}`)
    else if (enabled === true && contents !== '' && !sections.has('Install')) {
      report.warning([...path, 'contents'], noInstallText(name), 'add [Install] with WantedBy=')
    }
  }
  for (const [index, dropin] of dropins.entries()) validateDropin(report, [...path, 'dropins', index], dropin)
}

export const noInstallText = (name: string): string =>
  `unit ${goQuote(name)} is enabled, but has no install section so enable does nothing`

function validateDropin(report: Report, path: Path, { name, contents }: Dropin): void {
  const fault = contents === undefined ? undefined : readUnitFile(contents).fault
  if (fault !== undefined) report.error([...path, 'contents'], `invalid unit content: ${fault}`)
  if (extensionOf(name) !== '.conf') {
    report.error([...path, 'name'], 'invalid systemd drop-in extension', `${name || 'the name'} must end in .conf`)
  }
}

/** An enabled instance `a@b.service` takes its install section from the template `a@.service`. */
function warnOfTemplates(report: Report, units: readonly Unit[]): void {
  const byName = new Map(units.map((unit) => [unit.name, unit]))
  for (const [index, { name, enabled }] of units.entries()) {
    const stem = enabled === true ? /^(.+?)@(.+?)\.service$/.exec(name)?.[1] : undefined
    const template = stem === undefined ? undefined : byName.get(`${stem}@.service`)
    if (!template?.contents) continue
    const { sections, fault } = readUnitFile(template.contents)
    if (fault !== undefined || sections.has('Install')) continue
    report.warning(
      ['systemd', 'units', index, 'contents'],
      `template unit ${goQuote(template.name)} for ${goQuote(name)} doesn't have Install section`,
    )
  }
}
