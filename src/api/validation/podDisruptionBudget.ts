import { type FieldError, invalid, notSupported } from '../../schema/fieldError.ts'
import type { IntOrString } from '../intOrString.ts'
import type { PodDisruptionBudget } from '../policy.ts'
import { labelSelectorToQuery } from '../selectors.ts'

const evictionPolicies: readonly string[] = ['IfHealthyBudget', 'AlwaysAllow']

/** A PodDisruptionBudget's own rules (Kubernetes documentation, "Specifying a Disruption Budget"). */
export function validatePodDisruptionBudget({ spec = {} }: PodDisruptionBudget): readonly FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const query = labelSelectorToQuery(selector)
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalid('spec', 'minAvailable, maxUnavailable', 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...amountErrors(minAvailable, 'spec.minAvailable'),
    ...amountErrors(maxUnavailable, 'spec.maxUnavailable'),
    ...('error' in query ? [invalid('spec.selector', 'object', query.error)] : []),
    ...(policy === undefined || evictionPolicies.includes(policy)
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies)]),
  ]
}

function amountErrors(amount: IntOrString | undefined, path: string): readonly FieldError[] {
  if (amount === undefined) return []
  if (typeof amount === 'number') {
    return amount < 0 ? [invalid(path, amount, 'must be greater than or equal to 0')] : []
  }
  const percent = /^(\d+)%$/.exec(amount)?.[1]
  if (percent === undefined) {
    return [
      invalid(
        path,
        amount,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ]
  }
  return Number(percent) > 100 ? [invalid(path, amount, 'must not be greater than 100%')] : []
}
