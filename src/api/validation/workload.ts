import { deepEqual } from '../../schema/deepEqual.ts'
import { type FieldError, invalid, required } from '../../schema/fieldError.ts'
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../apps.ts'
import { isEmptyLabelSelector, labelSelectorToQuery, matchesLabels } from '../selectors.ts'

type Workload = Deployment | ReplicaSet | DaemonSet | StatefulSet

/**
 * What holds a workload and its pods together (Kubernetes documentation, "Deployments", "Selector"): it selects the pods
 * that it makes, and for as long as it lives the same ones.
 */
export function validateWorkload({ spec }: Workload, old?: Workload): readonly FieldError[] {
  if (!spec) return [required('spec')]
  const replicas = 'replicas' in spec ? (spec.replicas ?? 0) : 0
  return [
    ...(replicas < 0 ? [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
    ...selectorErrors(spec),
    ...(old?.spec && !deepEqual(spec.selector, old.spec.selector)
      ? [invalid('spec.selector', spec.selector, 'field is immutable')]
      : []),
  ]
}

function selectorErrors({ selector, template }: NonNullable<Workload['spec']>): readonly FieldError[] {
  if (!selector) return [required('spec.selector')]
  if (isEmptyLabelSelector(selector)) return [invalid('spec.selector', selector, 'empty selector is invalid')]
  const query = labelSelectorToQuery(selector)
  if ('error' in query) return [invalid('spec.selector', selector, query.error)]
  const labels = template?.metadata?.labels ?? {}
  return matchesLabels(query.value, labels)
    ? []
    : [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]
}
