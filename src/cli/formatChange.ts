import type { ChangeEffect } from '../forecast/changeEffect.ts'
import type { Terminal } from './terminal.ts'

/** What is shown of a change: every difference, and what it does to a node by which rule. */
export type ShownChange = Pick<ChangeEffect, 'changes' | 'impact' | 'refusal' | 'actions' | 'drain' | 'drainReason'> & {
  readonly because: readonly Pick<ChangeEffect['because'][number], 'subject' | 'rule' | 'actions'>[]
}

export function formatChange(terminal: Terminal, report: ShownChange): string {
  if (report.changes.length === 0) return 'no difference'
  const marks = {
    added: terminal.paint('green', '+'),
    removed: terminal.paint('red', '-'),
    changed: terminal.paint('yellow', '~'),
  }
  const lines = report.changes.flatMap(({ change, subject, details, patch }) => [
    `${marks[change]} ${terminal.paint('bold', subject)}${details.length > 0 ? `  ${details.join(', ')}` : ''}`,
    ...(patch ? patch.split('\n').map((line) => `    ${paintPatch(terminal, line)}`) : []),
  ])
  return [...lines, '', ...formatImpact(terminal, report)].join('\n')
}

/** What it does to a node alone, without the differences. */
export function formatImpact(terminal: Terminal, report: Omit<ShownChange, 'changes'>): string[] {
  if (report.refusal !== undefined)
    return [`${terminal.paint('red', `On a node: ${report.impact}`)}: ${report.refusal}`]
  return [
    `On a node: ${terminal.paint('bold', report.impact)}${report.actions.length > 0 ? ` (${report.actions.join(', ')})` : ''}`,
    ...report.because.map(({ subject, rule, actions }) => `  ${subject}: ${actions.join(', ')}, because: ${rule}`),
    `  drain: ${report.drain ? 'yes' : 'no'}, because: ${report.drainReason}`,
  ]
}

function paintPatch(terminal: Terminal, line: string): string {
  if (line.startsWith('+')) return terminal.paint('green', line)
  if (line.startsWith('-')) return terminal.paint('red', line)
  return line.startsWith('@@') ? terminal.paint('cyan', line) : line
}
