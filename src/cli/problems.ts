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
  refuseErrors('the input cannot be read', issues)
}

/** For verbs that act on a machine: what `mco validate` calls an error ends the command, at its place in the files. */
export function refuseInvalid(issues: readonly FileIssue[]): void {
  refuseErrors('the input is not valid; nothing was touched', issues)
}

function refuseErrors(title: string, issues: readonly FileIssue[]): void {
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const lines = errors.map(({ file, line, column, path, message }) =>
    [`${file}:${line ?? 1}:${column ?? 1}: `, path === '' || path === '$' ? '' : `${path}: `, message].join(''),
  )
  throw new CliError(`${title}:\n  ${lines.join('\n  ')}`)
}
