import { nodeAnnotation, nodeState } from '../api/names.ts'
import { readDiskRecord } from './diskRecord.ts'
import { endUpdate } from './endUpdate.ts'
import { annotationsOf, type NodeContext, type NodeCore, newUpdateId } from './nodeContext.ts'
import { phases } from './nodeReport.ts'
import type { ConfigTarget } from './nodeSync.ts'
import { drained } from './nodeUpdate.ts'
import { applyPlan } from './transaction.ts'

/** When the machine should be back from the reboot that this process asked for; undefined when none is awaited. */
export async function awaitedReboot({ ports, memory }: NodeCore): Promise<Date | undefined> {
  const { host, clock } = ports
  if (!memory.reboot) return undefined
  const isPending = clock.now() < memory.reboot.until && (await host.power.bootId()) === memory.reboot.requestedIn
  if (!isPending) memory.reboot = undefined
  return memory.reboot?.until
}

/** The journal has no reboot open any more, so a reboot that the annotation announces has happened. */
export function acknowledgeReboot(core: NodeCore): void {
  if (annotationsOf(core)[nodeAnnotation.postConfigAction] !== nodeState.rebooting) return
  core.ports.report.phase(phases.rebooted())
  core.ports.report.annotateLater({ [nodeAnnotation.postConfigAction]: '' })
}

/** An update without steps, for what follows it: the boot is seen through as any other, and asked for again if it fails. */
export async function bootAgain(context: NodeContext, { config }: ConfigTarget): Promise<Date | undefined> {
  const { host, journal, clock, log, nodeName } = context.ports
  // Mostly it is drained still, and this ends at once.
  const grant = await drained(context, { config, drain: true })
  if (grant.kind === 'waiting') return grant.again
  log.info('the machine runs what is not on its disk and boots again', { node: nodeName, config })
  context.memory.journalMayBeOpen = true
  const plan = { steps: [], contents: new Map(), refusals: [], problems: [], notes: [] }
  const id = newUpdateId(context)
  await applyPlan({ host, journal, plan, id, from: config, to: config, actions: [{ type: 'Reboot' }] })
  const state = await journal.read()
  const { image } = await readDiskRecord(host)
  return state ? endUpdate(context, state, { config, image }) : clock.now()
}
