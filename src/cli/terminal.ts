import process from 'node:process'

/** Where a command writes: people get tables and colour on a terminal, pipes get plain text. */
export interface Terminal {
  readonly isTty: boolean
  /** Characters per line; tables are not wrapped, long texts are. */
  readonly columns: number
  out(text: string): void
  err(text: string): void
  paint(style: Style, text: string): string
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

/** Standard output and error of this process; colour only on a terminal and without NO_COLOR (no-color.org). */
export function processTerminal(): Terminal {
  const isTty = process.stdout.isTTY === true
  const colour = isTty && !process.env.NO_COLOR
  return {
    isTty,
    columns: process.stdout.columns ?? 120,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    paint: (style, text) => (colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text),
  }
}

/** Columns padded to their widest cell, two spaces apart; the last column is never padded. Colour codes take no room. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => visibleLength(row[column] ?? ''))))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - visibleLength(cell)),
        )
        .join('  '),
    )
    .join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with the escape character
const colourCode = /\u001b\[\d+m/g

const visibleLength = (text: string): number => text.replace(colourCode, '').length
