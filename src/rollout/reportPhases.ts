import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { type MachineConfigNodeWrite, type PhaseFacts, type PhaseReport, reportPhase } from './machineConfigNode.ts'

/** Several phases that follow each other at once, in one write: the object reads as after one write for each. */
export function reportPhases(
  facts: PhaseFacts,
  reports: readonly PhaseReport[],
  now: Date,
): MachineConfigNodeWrite | undefined {
  let write: MachineConfigNodeWrite | undefined
  for (const report of reports) {
    const stored = write ? afterWrite(facts, write) : facts.stored
    const next = reportPhase({ ...facts, ...(stored && { stored }) }, report, now)
    if (next) write = write?.verb === 'create' && next.verb === 'applyStatus' ? withStatus(write, next) : next
  }
  return write
}

type Create = Extract<MachineConfigNodeWrite, { verb: 'create' }>
type ApplyStatus = Extract<MachineConfigNodeWrite, { verb: 'applyStatus' }>

function afterWrite({ stored }: PhaseFacts, write: MachineConfigNodeWrite): MachineConfigNode | undefined {
  if (write.verb === 'create') return write.body
  return stored && { ...stored, status: write.body.status }
}

const withStatus = (create: Create, { body }: ApplyStatus): Create => ({
  ...create,
  body: { ...create.body, status: body.status },
})
