import { describeStep, type StepBody } from './step.ts'
import type { Progress } from './transaction.ts'

/** More than these are counted: a condition is read by people. */
const maxListed = 20

/** What an update is about to do: the lines of a dry run, in one sentence. */
export function planText(steps: readonly StepBody[]): string {
  if (steps.length === 0) return 'No steps'
  const listed = steps.slice(0, maxListed).map((step, index) => `${index + 1}. ${describeStep(step)}`)
  const rest = steps.length - listed.length
  return [`${steps.length} steps: ${listed[0]}`, ...listed.slice(1), ...(rest > 0 ? [`and ${rest} more`] : [])].join(
    '; ',
  )
}

/** How far it has come. */
export const progressText = ({ phase, step, position, count }: Progress): string =>
  `Step ${position} of ${count} is ${phase === 'undo' ? 'taken back' : 'done'}: ${describeStep(step)}`
