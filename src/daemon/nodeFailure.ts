import { eventReason, nodeAnnotation, nodeState } from '../api/names.ts'
import type { DegradeWord } from './daemonMetrics.ts'
import { giveBackNode } from './drainGrant.ts'
import { annotationsOf, laterBy, type NodeContext, type NodeCore } from './nodeContext.ts'
import { phases, reasonText } from './nodeReport.ts'
import { type ConfigTarget, retryCapMs, sameTarget } from './nodeSync.ts'

const retryBaseMs = 60_000

/** A person should look; the reason replaces an older one. */
export async function degradeNode(core: NodeCore, message: string, word: DegradeWord): Promise<void> {
  const { report, nodeName, log, metrics, clock } = core.ports
  const state = word === 'Unreconcilable' ? nodeState.unreconcilable : nodeState.degraded
  metrics.state(state, word, clock.now())
  const reason = reasonText(message)
  const { [nodeAnnotation.state]: known, [nodeAnnotation.reason]: knownReason } = annotationsOf(core)
  if (known !== state || knownReason !== reason) log.error('node degraded', { node: nodeName, state, reason })
  core.memory.reportedIdle = ''
  await report.annotate({ [nodeAnnotation.state]: state, [nodeAnnotation.reason]: reason })
  report.phase(phases.degraded(nodeName, message))
}

/** Back at the old config where the undo succeeded: the node takes pods again and follows any new target. */
export async function failUpdate(
  context: NodeContext,
  from: ConfigTarget,
  to: ConfigTarget,
  { message, undone }: { readonly message: string; readonly undone: boolean },
): Promise<Date> {
  const { ports, memory, drains } = context
  memory.journalMayBeOpen = !undone
  const word = undone ? 'UpdateFailed' : 'RollbackFailed'
  ports.metrics.updateState(to.config, word, ports.clock.now())
  await degradeNode(context, message, word)
  if (undone) await giveBackNode(drains, from.config)
  return paceRetry(context, to)
}

/** Nothing was touched. */
export async function refuseUpdate(
  context: NodeContext,
  from: ConfigTarget,
  to: ConfigTarget,
  message: string,
  word: 'UpdateFailed' | 'Unreconcilable',
): Promise<void> {
  const { report } = context.ports
  if (word === 'Unreconcilable' && annotationsOf(context)[nodeAnnotation.reason] !== reasonText(message))
    report.event('Warning', eventReason.failedToReconcile, message)
  report.phase(phases.incompatible(message))
  await degradeNode(context, message, word)
  await giveBackNode(context.drains, from.config)
  paceRetry(context, to)
}

function paceRetry(core: NodeCore, target: ConfigTarget): Date {
  const { memory } = core
  const attempts = memory.failed && sameTarget(memory.failed.target, target) ? memory.failed.attempts + 1 : 1
  const retryAt = laterBy(core, Math.min(retryBaseMs * 2 ** (attempts - 1), retryCapMs))
  memory.failed = { target, attempts, retryAt }
  return retryAt
}
