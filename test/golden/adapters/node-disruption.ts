import { disruptionActions, drainForActions } from '../../../src/forecast/disruptionActions.ts'
import { mergePolicies, policyForPath } from '../../../src/forecast/disruptionPolicies.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(topic, input) {
    if (topic === 'path-match') {
      const policy = policyForPath(input.path, mergePolicies(input.policies).files)
      return { found: policy !== undefined, actions: policy?.actions ?? [] }
    }
    const clusterPolicies = mergePolicies(input.policies)
    if (topic === 'merge') return { clusterPolicies }
    const changed = { files: input.changedFiles, units: input.changedUnits, passwd: input.sshChanged }
    const { actions } = disruptionActions(changed, clusterPolicies)
    const drain = drainForActions(actions)
    return { actions, drain: drain === 'depends' ? 'depends on registries.conf' : drain }
  },
}
