import type { LooseCondition } from '../api/meta.ts'
import { poolCondition } from '../api/names.ts'
import { buildPhase, type Layering } from './layering.ts'
import { type ConditionValue, isConditionTrue } from './poolConditions.ts'

/**
 * What the rollout says about ImageBuildDegraded: the build controller raises it, a newer build or the end of layering
 * clears it here. Undefined leaves the condition as it is.
 */
export function imageBuildCondition(
  layering: Layering,
  conditions: readonly LooseCondition[],
): ConditionValue | undefined {
  const wasDegraded = isConditionTrue(conditions, poolCondition.imageBuildDegraded)
  if (layering.kind === 'plain' || !layering.config) {
    const message = 'No layered pool objects found, clearing stale build degraded condition'
    return wasDegraded ? cleared('NoLayeredObjects', message) : undefined
  }
  if (!layering.build) {
    const message = 'MachineOSConfig updated/created, waiting for MachineOSBuild'
    return wasDegraded ? cleared('BuildPending', message) : undefined
  }
  switch (buildPhase(layering.build)) {
    case 'building':
    case 'prepared':
      return cleared('Building', 'New build started')
    case 'succeeded':
      return cleared('BuildSuccess', 'Build completed successfully')
    case 'initial':
    case 'failed':
    case 'interrupted':
      return undefined
  }
}

const cleared = (reason: string, message: string): ConditionValue => ({
  type: poolCondition.imageBuildDegraded,
  status: 'False',
  reason,
  message,
})
