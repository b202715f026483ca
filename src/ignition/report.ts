import type { Path } from './decode.ts'
import type { Issue } from './issues.ts'
import type { Positions } from './positions.ts'

/** One finding. `text` is the original's wording, which reaches the wire; `hint` is what we add for people. */
export interface Finding {
  readonly severity: Issue['severity']
  readonly path: Path
  readonly text: string
  readonly hint?: string
}

/** Findings in the order in which the reference reports them. */
export class Report {
  readonly findings: Finding[] = []

  error(path: Path, text: string | undefined, hint?: string): void {
    this.add('error', path, text, hint)
  }

  warning(path: Path, text: string | undefined, hint?: string): void {
    this.add('warning', path, text, hint)
  }

  /** Is there a finding that makes the config unusable? */
  get isFatal(): boolean {
    return this.findings.some((finding) => finding.severity === 'error')
  }

  private add(severity: Issue['severity'], path: Path, text: string | undefined, hint: string | undefined): void {
    if (text !== undefined) this.findings.push({ severity, path, text, ...(hint !== undefined && { hint }) })
  }
}

/** The report as the original prints it: `error at $.storage.files.0.path, line 1 col 61: path not absolute`. */
export function reportText({ findings }: Report, positions?: Positions): string {
  return findings
    .map(({ severity, path, text }) => {
      const where = ['$', ...path].join('.')
      if (positions === undefined) return `${severity} at ${where}: ${text}\n`
      const { place } = positions.nearest(path)
      // The reference counts from behind an opening bracket.
      const { line, byteColumn } = positions.lineColumn(place.start + (place.isContainer ? 1 : 0))
      return `${severity} at ${where}, line ${line} col ${byteColumn}: ${text}\n`
    })
    .join('')
}

export function reportIssues({ findings }: Report, positions?: Positions): readonly Issue[] {
  return findings.map(({ severity, path, text, hint }) => {
    const issue = { severity, path: jsonPath(path), message: hint === undefined ? text : `${text}: ${hint}` }
    if (positions === undefined) return issue
    const { line, column } = positions.lineColumn(positions.nearest(path).place.start)
    return { ...issue, line, column }
  })
}

/** `$.storage.files[0].mode` */
export const jsonPath = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '$')
