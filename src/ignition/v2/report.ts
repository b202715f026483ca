import type { Path } from '../decode.ts'
import type { Issue } from '../issues.ts'
import type { Positions } from '../positions.ts'
import { jsonPath } from '../report.ts'

/** A finding of the spec 2 rules. Deprecated members are read, but they have no 3.x form. */
export interface V2Finding {
  readonly severity: 'error' | 'warning' | 'deprecated'
  readonly path: Path
  readonly text: string
}

export type AddFinding = (severity: V2Finding['severity'], path: Path, text: string | undefined) => void

/**
 * The report as the original's spec 2 library prints it. Without positions each line is `error: TEXT`. With them the text
 * up to the fault follows, exactly as the original does; it can hold contents, so only `issues` are for display.
 */
export function v2ReportText(findings: readonly V2Finding[], positions?: Positions): string {
  return findings
    .map(({ severity, path, text }) => {
      if (positions === undefined) return `${severity}: ${text}`
      const { place, exact } = positions.nearest(path)
      const offset = Math.max(0, place.end - 1)
      const { line, column, highlight } = highlightAt(positions.text, offset)
      return `${severity} at line ${line}, column ${column}\n${exact ? highlight : ''}${text}`
    })
    .join('\n')
}

export function v2Issues(findings: readonly V2Finding[], positions: Positions): readonly Issue[] {
  return findings.map(({ severity, path, text }) => {
    const { line, column } = positions.lineColumn(positions.nearest(path).place.start)
    return { severity: severity === 'error' ? 'error' : 'warning', path: jsonPath(path), message: text, line, column }
  })
}

/** The line before and the line of the fault up to it, with an arrow under its end; columns count bytes. */
function highlightAt(text: string, offset: number): { line: number; column: number; highlight: string } {
  const lines = text.slice(0, offset).split('\n')
  const last = lines.at(-1) ?? ''
  // The first column is 0 on the first line and 1 on all others: a quirk that the arrow shares.
  const column = Buffer.byteLength(last) + (lines.length > 1 ? 1 : 0)
  const before = lines.length > 1 ? `${numbered(lines.length - 1, lines.at(-2) ?? '')}\n` : ''
  const highlight = `${before}${numbered(lines.length, last)}\n${' '.repeat(column + 5)}^\n`
  return { line: lines.length, column, highlight }
}

const numbered = (line: number, text: string): string => `${String(line).padStart(5)}: ${text}`
