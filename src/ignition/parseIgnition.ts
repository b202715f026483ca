import { compactJson } from './compactJson.ts'
import { configShape } from './configShape.ts'
import { type Decoded, decode, type TypeFault, typeFaultText } from './decode.ts'
import { withoutAdvertisements } from './downgrade.ts'
import type { Checked, Issue } from './issues.ts'
import { type JsonResult, parseJson } from './jsonText.ts'
import { lineColumn, Positions } from './positions.ts'
import { jsonPath, Report, reportIssues, reportText } from './report.ts'
import type { IgnitionConfig } from './types.ts'
import { parseV2 } from './v2/parse.ts'
import { translateV2 } from './v2/translate.ts'
import type { V2Config } from './v2/types.ts'
import { validateInto } from './validate.ts'
import { findVersion, supportedVersions } from './version.ts'

/** A config that was read: `value` is its 3.5 form, absent exactly when `wireError` is present. */
export interface ParsedIgnition extends Checked<IgnitionConfig> {
  /** `ignition.version` as written. */
  readonly sourceVersion?: string
  /** Which parser took it. */
  readonly family?: 2 | 3
  /** The exact text that the original reports for the parse (or, with stage `convert`, for the translation). */
  readonly wireError?: string
  readonly stage?: 'unwrap' | 'parse' | 'convert'
  /** The 2.2 form of a spec 2 config, before it was translated. */
  readonly v2?: V2Config
}

/** Reads raw JSON text of any supported version (2.0-2.2, 3.0-3.5) into the 3.5 form. Never throws. */
export function parseIgnition(text: string): ParsedIgnition {
  if (text === '')
    return failed('parsing Ignition config spec v3 failed with error: not a config (empty)\nReport: ', [emptyIssue])
  const parsed = parseJson(text, { keepFractions: true, joinRepeated: true })
  if (!parsed.ok) return syntaxError(text, parsed)
  return fromDocument(parsed.value, () => text)
}

/** The same for an object that is already parsed; positions refer to its compact JSON text. */
export const ignitionFromValue = (value: unknown): ParsedIgnition => fromDocument(value, () => compactJson(value))

/** What a merge reports for a config that it cannot use: parse errors get one more prefix than conversion errors. */
export function mergeWireError({ wireError, stage }: ParsedIgnition): string | undefined {
  return stage === 'parse' ? `failed to parse Ignition config: ${wireError}` : wireError
}

function fromDocument(document: unknown, textOf: () => string): ParsedIgnition {
  const version = findVersion(document)
  switch (version.kind) {
    case 'wrongType':
      return typeError(version.fault, textOf())
    case 'invalid':
      return failed(versionError('invalid'), [versionIssue('is missing or is not of the form X.Y.0')])
    case 'unknown':
      return failed(versionError('unknown'), [versionIssue(`${JSON.stringify(version.declared)} is not known`)])
    case 'supported':
      break
    default:
      return version satisfies never
  }
  const { family, minor, declared } = version
  const result = family === 3 ? readV3(document, minor, textOf) : readV2(document, minor, textOf)
  return { sourceVersion: declared, ...result }
}

function readV3(document: unknown, minor: number, textOf: () => string): ParsedIgnition {
  const decoded = decode(configShape, document, minor)
  if (decoded.fault) return typeError(decoded.fault, textOf())
  const config = decoded.value as unknown as IgnitionConfig
  const report = new Report()
  validateInto(report, config, minor)
  reportKeys(report, decoded, minor)
  const positions = new Positions(textOf)
  const issues = reportIssues(report, positions)
  if (report.isFatal) return failed(`${v3Prefix}${reportText(report, positions)}`, issues)
  const kept = minor < 5 ? withoutAdvertisements(config) : config
  const lost = kept === config ? [] : reportIssues(lostAdvertisements(config), positions)
  return {
    family: 3,
    value: { ...kept, ignition: { ...kept.ignition, version: '3.5.0' } },
    issues: [...issues, ...lost],
  }
}

/** Keys that nobody will read. Only warnings: the original renders such configs, and so must we. */
function reportKeys(report: Report, { unused, nulls, misspelled }: Decoded, minor: number): void {
  for (const path of nulls) {
    const where = ['$', ...path].join('.')
    report.warning(
      path,
      `context tree does not match content tree at ${where}. Line and column reporting may be inconsistent. Unused keys may not be reported`,
      'found null, expected an object; leave the member out',
    )
  }
  for (const path of unused) {
    report.warning(
      path,
      `unused key ${path.at(-1)}`,
      `specification 3.${minor}.0 does not know it here, it has no effect`,
    )
  }
  for (const { path, name } of misspelled) {
    report.warning(path, `unused key ${path.at(-1)}`, `read as ${name}; write it exactly so, other readers are strict`)
  }
}

/** Said here and nowhere else: the original loses them without a word. */
function lostAdvertisements({ storage }: IgnitionConfig): Report {
  const report = new Report()
  for (const [volume, { clevis }] of (storage?.luks ?? []).entries()) {
    for (const [server, { advertisement }] of (clevis?.tang ?? []).entries()) {
      if (advertisement === undefined) continue
      const path = ['storage', 'luks', volume, 'clevis', 'tang', server, 'advertisement']
      report.warning(path, 'lost when 3.4 is read as 3.5', 'declare version 3.5.0 to keep it')
    }
  }
  return report
}

function readV2(document: unknown, minor: number, textOf: () => string): ParsedIgnition {
  const parsed = parseV2(document, minor, textOf)
  if (parsed.value === undefined) return failed(`${v2Prefix}${parsed.reportText}`, parsed.issues)
  const translated = translateV2(parsed.value)
  const known = { family: 2, v2: parsed.value } as const
  if (translated.value !== undefined) return { ...known, value: translated.value, issues: parsed.issues }
  const { wireError, message } = translated
  const issue: Issue = { severity: 'error', path: '$', message }
  return { ...known, issues: [...parsed.issues, issue], wireError, stage: 'convert' }
}

const v3Prefix = 'parsing Ignition config spec v3 failed with error: config is not valid\nReport: '
const v2Prefix = 'parsing Ignition spec v2 failed with error: config is not valid\nReport: '

const versionError = (kind: 'invalid' | 'unknown'): string =>
  `parsing Ignition config failed: ${kind} version. Supported spec versions: ${supportedVersions}`

const versionIssue = (found: string): Issue => ({
  severity: 'error',
  path: '$.ignition.version',
  message: `ignition.version ${found}; supported are 2.0.0 to 2.2.0 and 3.0.0 to 3.5.0, for example "version": "3.4.0"`,
})

const emptyIssue: Issue = {
  severity: 'error',
  path: '$',
  message: 'the config is empty; the smallest one is {"ignition":{"version":"3.4.0"}}',
}

const failed = (wireError: string, issues: readonly Issue[]): ParsedIgnition => ({ issues, wireError, stage: 'parse' })

function syntaxError(text: string, { message, offset }: JsonResult & { ok: false }): ParsedIgnition {
  const { line, column } = lineColumn(text, Math.max(0, offset - 1))
  return failed(`${v3Prefix}${unplacedError(text, offset, message)}`, [
    { severity: 'error', path: '$', message: `not JSON: ${message}`, line, column },
  ])
}

/** Go counts a wrong type's place behind a scalar, and behind the first character of a list or object. */
function typeError(fault: TypeFault, text: string): ParsedIgnition {
  const positions = new Positions(() => text)
  const { place } = positions.nearest(fault.path)
  const isContainer = fault.found === 'array' || fault.found === 'object'
  const message = typeFaultText(fault)
  const { line, column } = positions.lineColumn(place.start)
  return failed(`${v3Prefix}${unplacedError(text, isContainer ? place.start + 1 : place.end, message)}`, [
    {
      severity: 'error',
      path: jsonPath(fault.path),
      message: `found ${fault.found}, expected ${expectedNames[fault.expected]}`,
      line,
      column,
    },
  ])
}

/** Errors without a path carry the place one byte behind the fault; behind the end of the text there is none. */
function unplacedError(text: string, offset: number, message: string): string {
  const last = text.charCodeAt(offset - 1)
  if (offset >= text.length && !(last >= 0x80)) return `error at line 0 col 0: ${message}\n`
  const { line, byteColumn } = lineColumn(text, last >= 0x80 ? offset - 1 : offset)
  return `error at line ${line} col ${byteColumn + (last >= 0x80 ? 1 : 0)}: ${message}\n`
}

const expectedNames: Readonly<Record<TypeFault['expected'], string>> = {
  string: 'a string',
  int: 'a whole number (file modes too: 420 is octal 0644)',
  bool: 'true or false',
  list: 'a list',
  struct: 'an object',
}
