import type { FindingSeverity } from '../forecast/finding.ts'
import type { Style } from './terminal.ts'

export const severityStyles: Readonly<Record<FindingSeverity, Style>> = {
  critical: 'red',
  warning: 'yellow',
  info: 'dim',
}
