import { poolCondition } from '../api/names.ts'
import { buildPhase, type Layering } from './layering.ts'
import type { ConditionValue } from './poolConditions.ts'
import { describeTarget, type RolloutTarget } from './rolloutTarget.ts'

export interface UpdatingFacts {
  readonly target: RolloutTarget
  readonly layering: Layering
  readonly paused: boolean
  readonly allUpdated: boolean
  /** RenderDegraded, NodeDegraded or PinnedImageSetsDegraded was True before this pass. */
  readonly wasDegraded: boolean
}

/**
 * The pool's Updating condition, as the steps that lead to it: the general rule first, then what the image build of a
 * layered pool adds. The steps matter, because a status that flips on the way gets a new transition time.
 */
export function updatingSteps(facts: UpdatingFacts): readonly ConditionValue[] {
  const general = generalStep(facts)
  const layered = layeredStep(facts)
  return layered ? [general, layered] : [general]
}

function generalStep({ target, paused, allUpdated }: UpdatingFacts): ConditionValue {
  if (allUpdated) return updating(false, '')
  if (paused) return updating(false, `Pool is paused; will not update to ${describeTarget(target)}`)
  return updating(true, `All nodes are updating to ${describeTarget(target)}`)
}

function layeredStep({ layering, paused, allUpdated, wasDegraded }: UpdatingFacts): ConditionValue | undefined {
  if (layering.kind === 'plain' || !layering.config) return undefined
  const phase = layering.build ? buildPhase(layering.build) : 'none'
  if (phase === 'succeeded' && allUpdated) return undefined
  if (!paused && wasDegraded) return updating(false, 'Pool update paused due to degraded condition')
  const build = `(mosb: ${layering.build?.metadata.name ?? ''})`
  const config = `(mosc: ${layering.config.metadata.name ?? ''})`
  return paused ? pausedStep(phase, build, config) : runningStep(phase, build, config)
}

type Phase = ReturnType<typeof buildPhase> | 'none'

function runningStep(phase: Phase, build: string, config: string): ConditionValue {
  switch (phase) {
    case 'none':
      return updating(true, `Pool is waiting for a new OS image build to start ${config}`)
    case 'initial':
    case 'prepared':
      return updating(true, `Pool is waiting for OS image build to start ${build}`)
    case 'building':
      return updating(true, `Pool is waiting for OS image build to complete ${build}`)
    case 'succeeded':
      return updating(true, `Pool is waiting for nodes to apply OS image ${build}`)
    case 'failed':
      return updating(false, `Pool update stopped due to OS image build failure ${build}`)
    case 'interrupted':
      return updating(false, `Pool update stopped due to OS image build being interrupted ${build}`)
  }
}

function pausedStep(phase: Phase, build: string, config: string): ConditionValue {
  const paused = (status: boolean, text: string) => updating(status, `Pool is paused; ${text}`)
  switch (phase) {
    case 'none':
      return paused(true, `waiting for a new OS image build to start ${config}`)
    case 'initial':
      return paused(true, `OS image build has been created but not yet started ${build}`)
    case 'prepared':
      return paused(true, `OS image build has been prepared but will not rollout ${build}`)
    case 'building':
      return paused(true, `OS image build in progress ${build}`)
    case 'succeeded':
      return paused(false, `OS image build completed successfully ${build}`)
    case 'failed':
      return paused(false, `OS image build failed ${build}`)
    case 'interrupted':
      return paused(false, `OS image build was interrupted ${build}`)
  }
}

const updating = (status: boolean, message: string): ConditionValue => ({
  type: poolCondition.updating,
  status: status ? 'True' : 'False',
  message,
})
