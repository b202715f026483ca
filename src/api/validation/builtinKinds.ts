import type { FieldError } from '../../schema/fieldError.ts'
import { dns1123LabelErrors, dns1123SubdomainErrors, pathSegmentErrors } from '../../schema/names.ts'
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../apps.ts'
import { Lease } from '../coordination.ts'
import { ConfigMap, Namespace, Node, Pod, Secret, Service } from '../core.ts'
import type { Kind } from '../kind.ts'
import type { KubernetesObject } from '../meta.ts'
import { PodDisruptionBudget } from '../policy.ts'
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../rbac.ts'
import { validateConfigMap } from './configMap.ts'
import { validateLease } from './lease.ts'
import { validateNode } from './node.ts'
import type { NameRule } from './objectMeta.ts'
import { validatePod } from './pod.ts'
import { validatePodDisruptionBudget } from './podDisruptionBudget.ts'
import { validateSecret } from './secret.ts'
import { validateWorkload } from './workload.ts'

/** What a built-in kind checks beyond its schema and its metadata. `old` is the stored object on updates. */
export type ValidateKind = (object: KubernetesObject, old?: KubernetesObject) => readonly FieldError[]

const none: ValidateKind = () => []

const rules = new Map<string, ValidateKind>([
  rule(Node, validateNode),
  rule(Pod, validatePod),
  rule(PodDisruptionBudget, validatePodDisruptionBudget),
  rule(Lease, validateLease),
  rule(ConfigMap, validateConfigMap),
  rule(Secret, validateSecret),
  rule(Deployment, validateWorkload),
  rule(ReplicaSet, validateWorkload),
  rule(DaemonSet, validateWorkload),
  rule(StatefulSet, validateWorkload),
])

function rule<T extends KubernetesObject>(
  kind: Kind<T>,
  validate: (object: T, old?: T) => readonly FieldError[],
): [string, ValidateKind] {
  // The map is read by group and kind, so an object that reaches a rule is of that rule's kind.
  return [keyOf(kind), (object, old) => validate(object as T, old as T | undefined)]
}

export function validationOfKind(kind: Pick<Kind<KubernetesObject>, 'group' | 'kind'>): ValidateKind {
  return rules.get(keyOf(kind)) ?? none
}

const nameRules = new Map<string, NameRule>([
  [keyOf(Namespace), dns1123LabelErrors],
  [keyOf(Service), dns1123LabelErrors],
  ...[Role, ClusterRole, RoleBinding, ClusterRoleBinding].map((kind): [string, NameRule] => [
    keyOf(kind),
    pathSegmentErrors,
  ]),
])

/** How objects of a kind may be named: labels for namespaces, path segments for roles, DNS subdomains for the rest. */
export function nameRuleOf(kind: Pick<Kind<KubernetesObject>, 'group' | 'kind'>): NameRule {
  return nameRules.get(keyOf(kind)) ?? dns1123SubdomainErrors
}

function keyOf({ group, kind }: Pick<Kind<KubernetesObject>, 'group' | 'kind'>): string {
  return `${group}/${kind}`
}
