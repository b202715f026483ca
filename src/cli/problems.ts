import { CliError } from './exitCodes.ts'
import type { FileIssue } from './input.ts'
import type { Terminal } from './terminal.ts'

/** `file:line:column: error: $.json.path: message`, the form that editors and CI systems understand. */
export function formatProblem(terminal: Terminal, { file, line, column, severity, path, message }: FileIssue): string {
  const place = [file, line ?? 1, column ?? 1].join(':')
  const label = terminal.paint(severity === 'error' ? 'red' : 'yellow', `${severity}:`)
  return `${terminal.paint('bold', `${place}:`)} ${label} ${path === '' || path === '$' ? '' : `${path}: `}${message}`
}

/** For verbs that need the whole input: a document that cannot be read ends the command. */
export function refuseSyntaxErrors(issues: readonly FileIssue[]): void {
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const lines = errors.map(({ file, line, column, message }) => `${file}:${line ?? 1}:${column ?? 1}: ${message}`)
  throw new CliError(`the input cannot be read:\n  ${lines.join('\n  ')}`)
}
