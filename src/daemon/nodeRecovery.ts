import { readDiskRecord } from './diskRecord.ts'
import { endUpdate } from './endUpdate.ts'
import { completeFirstBoot } from './firstBoot.ts'
import { driftRetryMs, laterBy, type NodeContext } from './nodeContext.ts'
import { degradeNode } from './nodeFailure.ts'
import { recover, type ServicesAfterUndo } from './recover.ts'
import { repeatAfterUndo } from './repeatAfterUndo.ts'
import { changedUnits } from './unitSteps.ts'
import { UnusableConfig } from './unusableConfig.ts'

/** What an earlier process left open in the journal; `clean` goes on with the node, a date comes back then. */
export async function recoverNode(context: NodeContext): Promise<Date | 'clean'> {
  const { ports, memory } = context
  const { host, journal, log, nodeName, onProgress } = ports
  const recovered = await recover(host, journal, onProgress)
  switch (recovered.kind) {
    case 'clean':
      memory.journalMayBeOpen = false
      return 'clean'
    case 'undone':
      memory.journalMayBeOpen = false
      log.warn('an interrupted update was undone', {
        node: nodeName,
        from: recovered.from,
        to: recovered.to,
        because: recovered.because,
      })
      await repeatServices(context, recovered.from, recovered.services)
      return 'clean'
    case 'committed':
      memory.journalMayBeOpen = false
      log.info('an update was completed by a boot', {
        node: nodeName,
        to: recovered.to,
        rebooted: recovered.rebooted,
      })
      return 'clean'
    case 'undoFailed':
      await degradeNode(context, `error rolling back: [${recovered.errors.join(', ')}]`, 'RollbackFailed')
      return laterBy(context, driftRetryMs)
    case 'actionsLeft':
      return endUpdate(context, recovered.state, {
        config: recovered.state.header.to,
        image: (await readDiskRecord(host)).image,
      })
    default:
      return recovered satisfies never
  }
}

async function repeatServices(
  { ports }: NodeContext,
  configName: string,
  { actions, steps }: ServicesAfterUndo,
): Promise<void> {
  const { host, clock, log, nodeName } = ports
  const context = {
    host,
    clock,
    configName,
    changedUnits: changedUnits(steps),
    onEvent: () => undefined,
    onLog: (message: string) => log.info(message, { node: nodeName }),
  }
  await repeatAfterUndo(context, actions)
}

/** On a machine where no unit has ended the installation before us. Answers true when a reboot is to come first. */
export async function endInstallation({ ports, memory }: NodeContext): Promise<boolean> {
  if (memory.firstBootDone) return false
  const { host, journal, log, nodeName } = ports
  const outcome = await completeFirstBoot(host, journal)
  if (outcome.kind === 'unreadable') throw new UnusableConfig(outcome.message)
  if (outcome.kind === 'refused') throw new UnusableConfig(`${outcome.config}: ${outcome.message}`)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  if (outcome.kind === 'complete')
    log.info('the installation was completed', {
      node: nodeName,
      config: outcome.config,
      reboot: outcome.rebootNeeded,
    })
  memory.firstBootDone = true
  memory.journalMayBeOpen = outcome.kind === 'complete' && outcome.rebootNeeded
  return memory.journalMayBeOpen
}
