import { finishActions } from './finishActions.ts'
import type { JournalState } from './journal.ts'
import { laterBy, type NodeContext } from './nodeContext.ts'
import { failUpdate } from './nodeFailure.ts'
import type { ConfigTarget } from './nodeSync.ts'
import { needsReboot } from './postConfigActions.ts'

const rebootLimitMs = 10 * 60_000

/** Services, or the reboot; also for an update that an earlier process left with everything on disk. */
export async function endUpdate(context: NodeContext, state: JournalState, to: ConfigTarget): Promise<Date> {
  const { ports, memory, sigterm } = context
  // The shutdown ends this process first.
  if (needsReboot(state.header.actions)) sigterm.remove()
  const outcome = await finishActions(ports, state)
  switch (outcome.kind) {
    case 'done':
      memory.journalMayBeOpen = false
      return ports.clock.now()
    case 'rebooted':
      return ports.clock.now()
    case 'rebooting': {
      // The machine ends this process. If it does not, the request is made again.
      const until = laterBy(context, rebootLimitMs)
      memory.reboot = { requestedIn: await ports.host.power.bootId(), until }
      return until
    }
    case 'failed':
      return failUpdate(context, { config: state.header.from, image: '' }, to, outcome)
    default:
      return outcome satisfies never
  }
}
