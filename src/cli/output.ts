import { Option } from 'commander'
import { formatYaml } from '../ignition/document.ts'
import type { Terminal } from './terminal.ts'

/** How a command prints its result: for people, or as one JSON or YAML value for programs. */
export type OutputFormat = 'text' | 'json' | 'yaml'

export const outputOption = (formats: readonly string[] = ['text', 'json', 'yaml']): Option =>
  new Option('-o, --output <format>', 'how to print the result').choices([...formats]).default(formats[0])

/** Prints `value` for programs, or calls `text` for people. */
export function print(terminal: Terminal, format: OutputFormat, value: unknown, text: () => string): void {
  if (format === 'json') terminal.out(JSON.stringify(value, null, 2))
  else if (format === 'yaml') terminal.out(formatYaml(value).trimEnd())
  else terminal.out(text())
}
