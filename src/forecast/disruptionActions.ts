import { type ClusterPolicies, type PolicyAction, policyForPath } from './disruptionPolicies.ts'

/** Why an action is needed: the changed thing and the rule that says so. */
export interface Because {
  /** A file path, `unit NAME`, `ssh keys`, or a field such as `kernelArguments`. */
  readonly subject: string
  readonly rule: string
  readonly actions: readonly PolicyAction[]
}

export interface DisruptionActions {
  readonly actions: readonly PolicyAction[]
  readonly because: readonly Because[]
}

export interface ChangedParts {
  readonly files: readonly string[]
  readonly units: readonly string[]
  readonly passwd: boolean
}

const reboot: PolicyAction = { type: 'Reboot' }

/**
 * The actions for a set of changes on a running node, in the order of the changes; one change without a policy means
 * Reboot, and Reboot stands alone. Equal actions that follow each other in the list are kept as the original keeps them:
 * the executor skips what it has just done.
 */
export function disruptionActions(changed: ChangedParts, policies: ClusterPolicies): DisruptionActions {
  const because: Because[] = [
    ...changed.files.map((path) => becauseOfFile(path, policies)),
    ...changed.units.map((name) => becauseOfUnit(name, policies)),
    ...(changed.passwd
      ? [{ subject: 'ssh keys', rule: 'policy for SSH keys and passwords', actions: policies.sshkey.actions }]
      : []),
  ]
  const all = because.flatMap((entry) => entry.actions)
  if (all.some((action) => action.type === 'Reboot')) return { actions: [reboot], because }
  const real = all.filter((action) => action.type !== 'None')
  return { actions: real.length > 0 ? real : all.slice(0, 1), because }
}

/**
 * Does the list ask for a drain? `depends` means that the special action for registries.conf decides, by what changed in
 * that file (registriesDrain.ts).
 */
export function drainForActions(actions: readonly PolicyAction[]): boolean | 'depends' {
  if (actions.some((action) => action.type === 'Reboot' || action.type === 'Drain')) return true
  return actions.some((action) => action.type === 'Special') ? 'depends' : false
}

function becauseOfFile(path: string, policies: ClusterPolicies): Because {
  const policy = policyForPath(path, policies.files, policies)
  if (!policy) return { subject: path, rule: 'no node disruption policy for this path', actions: [reboot] }
  return { subject: path, rule: `node disruption policy for ${policy.path}`, actions: policy.actions }
}

function becauseOfUnit(name: string, policies: ClusterPolicies): Because {
  const policy = policies.units.find((candidate) => candidate.name === name)
  if (!policy) return { subject: `unit ${name}`, rule: 'no node disruption policy for this unit', actions: [reboot] }
  return { subject: `unit ${name}`, rule: `node disruption policy for unit ${name}`, actions: policy.actions }
}
