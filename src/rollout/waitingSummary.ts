import type { Held } from './decideRollout.ts'

/** On a MachineConfigPool: which nodes wait and why, as compact JSON; absent when none does. */
export const waitingNodesAnnotation = 'machineconfig.io/waiting-nodes'

const shownNodes = 10

export interface WaitingSummary {
  readonly target: string
  readonly waiting: number
  readonly reasons: Readonly<Record<string, number>>
  /** The first ten; `waiting` counts them all. */
  readonly nodes: readonly Held[]
}

/** The text of the annotation; undefined when nothing waits. */
export function waitingSummary(target: string, hold: readonly Held[]): string | undefined {
  if (hold.length === 0) return undefined
  const reasons: Record<string, number> = {}
  for (const { reason } of hold) reasons[reason] = (reasons[reason] ?? 0) + 1
  const nodes = hold.toSorted((a, b) => (a.node < b.node ? -1 : 1)).slice(0, shownNodes)
  return JSON.stringify({ target, waiting: hold.length, reasons, nodes } satisfies WaitingSummary)
}
