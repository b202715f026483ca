import { machineConfigNodeCondition as condition } from '../api/names.ts'
import type { PhaseReport } from '../rollout/machineConfigNode.ts'
import { type Blocker, describeBlockers } from './drainBlockers.ts'

/** What a drain says on the MachineConfigNode; the texts are those that `oc describe machineconfignode` users know. */

export const cordonedPhase = (): PhaseReport => ({
  parent: {
    state: condition.updateExecuted,
    status: 'Unknown',
    reason: `${condition.updateExecuted}${condition.cordoned}`,
    message: 'Cordoned Node as part of update executed phase',
  },
  child: {
    state: condition.cordoned,
    status: 'True',
    reason: `${condition.updateExecuted}${condition.cordoned}`,
    message: 'Cordoned node. The node is reporting Unschedulable = true',
  },
})

export interface Drainers {
  readonly desired: string
  readonly current: string
}

export const drainingPhase = ({ desired, current }: Drainers): PhaseReport =>
  drainedPhaseOf(
    'Unknown',
    'Draining Node as part of update executed phase',
    `Draining node. The drain will not be complete until desired drainer ${desired} matches current drainer ${current}`,
  )

/** `Drained` alone changes while a drain is held up: the phase it belongs to goes on. */
export const blockedPhase = ({ desired, current }: Drainers, blockers: readonly Blocker[]): PhaseReport => ({
  parent: {
    state: condition.drained,
    status: 'Unknown',
    reason: `${condition.updateExecuted}${condition.drained}`,
    message:
      `Error: Node Drain has not succeeded. Error is: ${describeBlockers(blockers)} ` +
      `The drain will not be complete until desired drainer ${desired} matches current drainer ${current}`,
  },
})

export const drainedPhase = (desired: string): PhaseReport =>
  drainedPhaseOf(
    'True',
    'Drained Node as part of update executed phase',
    `Drained node. The drain is complete as the desired drainer matches current drainer: ${desired}`,
  )

function drainedPhaseOf(status: 'True' | 'Unknown', parent: string, message: string): PhaseReport {
  const reason = `${condition.updateExecuted}${condition.drained}`
  return {
    parent: { state: condition.updateExecuted, status: 'Unknown', reason, message: parent },
    child: { state: condition.drained, status, reason, message },
  }
}

export const uncordonedPhase = (): PhaseReport =>
  uncordonPhaseOf('True', 'UnCordoned node. The node is reporting Unschedulable = false')

export const uncordonFailedPhase = (error: string): PhaseReport =>
  uncordonPhaseOf('Unknown', `Error: Node could not be uncordoned. Error is: ${error}`)

function uncordonPhaseOf(status: 'True' | 'Unknown', message: string): PhaseReport {
  const reason = `${condition.updateComplete}${condition.uncordoned}`
  return {
    parent: {
      state: condition.updateComplete,
      status,
      reason,
      message: 'Uncordoned Node as part of update complete phase',
    },
    child: { state: condition.uncordoned, status, reason, message },
  }
}
