import type { ControllerConfig } from '../../api/controllerConfig.ts'
import { bundleNames } from './bundleCatalogue.ts'
import { readBundleState } from './bundleState.ts'

/** What a person should know about the bundles of nodes; nothing while every source is as it should be. */
export function bundleProblems(config: ControllerConfig | undefined): readonly string[] {
  const state = readBundleState(config?.metadata.annotations)
  return bundleNames.flatMap((name) => {
    const { problem } = state[name] ?? {}
    return problem
      ? [`bundle ${name} is not renewed since ${problem.since} (${problem.reason}): ${problem.message}`]
      : []
  })
}
