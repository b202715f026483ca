import type { Plan, PlannedEffect, PlannedLine, PoolPlan } from '../forecast/plan/plan.ts'
import { describeProvenance } from '../forecast/provenance.ts'
import { formatImpact } from './formatChange.ts'
import type { Terminal } from './terminal.ts'

/** A plan for people: pool by pool what changes, what happens to nodes, in which order, and what stands in the way. */
export function formatPlan(terminal: Terminal, { pools, notPlanned, unreadable }: Plan): string {
  const left = [
    ...notPlanned.map(({ object, why }) => `${terminal.paint('yellow', 'not planned:')} ${object}: ${why}`),
    ...formatUnknown(terminal, unreadable),
  ]
  return [...pools.map((pool) => formatPool(terminal, pool)), ...(left.length > 0 ? [left.join('\n')] : [])].join(
    '\n\n',
  )
}

/** Kinds that could not be read, each with the reason: shared with `mco resume`. */
export const formatUnknown = (terminal: Terminal, unreadable: Plan['unreadable']): string[] =>
  Object.entries(unreadable).map(([kind, why]) => `${terminal.paint('yellow', 'not known:')} ${kind}: ${why}`)

function formatPool(terminal: Terminal, plan: PoolPlan): string {
  const title = terminal.paint('bold', `pool ${plan.pool}`)
  switch (plan.outcome) {
    case 'unchanged':
      return `${title}: nothing changes${plan.batches.length > 0 ? '; the rollout that it has goes on' : ''}`
    case 'refused':
      return `${title}: ${terminal.paint('red', 'refused')}, it keeps ${plan.from ?? 'what it has'}\n  ${plan.message}`
    case 'waits':
      return `${title}: is not rendered yet, because ${plan.message}`
    case 'ignored':
      return `${title}: is left alone, because ${plan.message}`
    case 'removed':
      return `${title}: is deleted; its nodes belong to the pools that select them then`
    case 'changes':
      return [
        `${title}: ${plan.from === plan.to ? `${plan.to} for other nodes, or in another way` : `${plan.from ?? 'nothing'} -> ${plan.to}`}`,
        ...formatLines(terminal, plan.changes),
        ...formatRollout(terminal, plan),
      ].join('\n')
    default:
      return plan.outcome satisfies never
  }
}

function formatLines(terminal: Terminal, lines: readonly PlannedLine[]): string[] {
  if (lines.length === 0) return []
  const marks = { added: '+', removed: '-', changed: '~' } as const
  const styles = { added: 'green', removed: 'red', changed: 'yellow' } as const
  return [
    '',
    ...lines.flatMap((line) => [
      `${terminal.paint(styles[line.change], marks[line.change])} ${terminal.paint('bold', line.subject)}${line.details.length > 0 ? `  ${line.details.join(', ')}` : ''}`,
      ...originOf(line).map((text) => `    ${terminal.paint('dim', text)}`),
      ...(line.patch?.split('\n').map((text) => `    ${text}`) ?? []),
    ]),
  ]
}

function originOf({ setBy, overridden, removedFrom, subject }: PlannedLine): string[] {
  if (removedFrom.length > 0) return [`was set by ${removedFrom.join(', ')}`]
  if (setBy.length === 0 && overridden.length === 0) return []
  return [`set by ${describeProvenance({ subject, setBy, overridden })}`]
}

/** What the nodes do: shared with `mco resume`. */
export function formatRollout(terminal: Terminal, plan: PoolPlan): string[] {
  const moved = plan.batches.reduce((count, { nodes }) => count + nodes.length, 0)
  if (plan.effects.length === 0) return ['', `No node of ${plan.machines} has to move.`]
  return [
    ...plan.effects.flatMap((effect) => ['', ...formatEffect(terminal, effect, plan)]),
    ...(plan.held ? ['', `${terminal.paint('yellow', 'Nothing moves now')}: ${plan.held.message}`] : []),
    ...formatOrder(terminal, plan, moved),
    ...formatObstacles(terminal, plan),
    ...(plan.estimate
      ? [
          '',
          `Estimate: ${durationText(plan.estimate.seconds)}, ${durationText(plan.estimate.secondsPerNode)} for a node (${plan.estimate.basis})`,
        ]
      : []),
  ]
}

function formatEffect(terminal: Terminal, effect: PlannedEffect, { machines }: PoolPlan): string[] {
  const [first = '', ...rest] = formatImpact(terminal, effect)
  return [first.replace('On a node', `On ${effect.nodes.length} of ${machines} nodes`), ...rest]
}

const shownBatches = 12
const shownNames = 8

function formatOrder(terminal: Terminal, plan: PoolPlan, moved: number): string[] {
  if (plan.batches.length === 0) return []
  const shown = plan.batches.slice(0, shownBatches)
  const rest = plan.batches.length - shown.length
  const when = plan.held ? 'Then' : 'Order'
  return [
    '',
    `${terminal.paint('bold', when)}, at most ${plan.maxUnavailable ?? 1} of ${plan.machines} nodes at a time:`,
    ...shown.map(({ number, nodes, atSeconds }) => {
      const time = atSeconds === 0 ? 'at once' : `after ${durationText(atSeconds)}`
      return `  ${String(number).padStart(3)}  ${namesText(nodes)}  (${time})`
    }),
    ...(rest > 0 ? [`  ... and ${rest} more batches, ${moved} nodes in all; -o json names them`] : []),
  ]
}

function formatObstacles(terminal: Terminal, { underWay, silent, stays, drains }: PoolPlan): string[] {
  const blockers = drains.flatMap(({ node, blockers: found }) => found.map(({ message }) => `  ${node}: ${message}`))
  const losses = drains.flatMap(({ node, losses: found }) => found.map(({ message }) => `  ${node}: ${message}`))
  const section = (title: string, lines: readonly string[]): string[] => {
    if (lines.length === 0) return []
    const more = lines.length - 20
    return ['', title, ...lines.slice(0, 20), ...(more > 0 ? [`  ... and ${more} more; -o json names them`] : [])]
  }
  return [
    ...section(
      terminal.paint('yellow', 'Stay where they are:'),
      stays.map(({ node, reason, message }) => `  ${node} (${reason}): ${message}`),
    ),
    ...section(
      terminal.paint('yellow', 'Not expected to arrive:'),
      silent.map((node) => `  ${node}: it is not Ready, or refuses the change`),
    ),
    ...section(
      'On their way already, counted as arriving:',
      underWay.map((node) => `  ${node}`),
    ),
    ...section(terminal.paint('red', 'Drains that would block today:'), blockers),
    ...section(terminal.paint('yellow', 'What the drains cost:'), losses),
  ]
}

const namesText = (names: readonly string[]): string =>
  names.slice(0, shownNames).join(', ') + (names.length > shownNames ? ` and ${names.length - shownNames} more` : '')

/** `45s`, `7m`, `2h30m`. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)}s`
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${minutes}m` : `${hours}h${rest === 0 ? '' : `${rest}m`}`
}
