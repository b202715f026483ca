import { Condition, intOrString, kindSchema, LabelSelector, microTime, Time } from './metaSchemas.ts'
import { define, int32, int64, list, listMap, mapOf, ref, str, strings } from './schemaBuilder.ts'

/** Schemas of policy/v1, coordination.k8s.io/v1 and rbac.authorization.k8s.io/v1 (Kubernetes API reference). */
const policy = 'io.k8s.api.policy.v1.'
const rbac = 'io.k8s.api.rbac.v1.'

export const PodDisruptionBudget = kindSchema(
  policy,
  'How many pods of a group may be missing at once because of evictions.',
  {
    spec: ref(
      define(`${policy}PodDisruptionBudgetSpec`, 'The budget.', {
        maxUnavailable: intOrString('Pods that may be missing; excludes minAvailable.'),
        minAvailable: intOrString('Pods that must stay available.'),
        selector: ref(LabelSelector, 'Pods that the budget is about.', { 'x-kubernetes-patch-strategy': 'replace' }),
        unhealthyPodEvictionPolicy: str('IfHealthyBudget or AlwaysAllow: when a pod that is not ready may be evicted.'),
      }),
      'The budget.',
    ),
    status: ref(
      define(
        `${policy}PodDisruptionBudgetStatus`,
        'What is known.',
        {
          conditions: listMap(Condition, ['type'], 'Observed aspects.'),
          currentHealthy: int32('Pods that are healthy.'),
          desiredHealthy: int32('Pods that must stay healthy.'),
          disruptedPods: mapOf(Time, 'Pods that are being evicted, and since when.'),
          disruptionsAllowed: int32('Pods that may be evicted now.'),
          expectedPods: int32('Pods that the budget counts.'),
          observedGeneration: int64('Generation that the status is about.'),
        },
        { zeroed: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] },
      ),
      'What is known.',
    ),
  },
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
)

const coordination = 'io.k8s.api.coordination.v1.'
export const Lease = kindSchema(
  coordination,
  'Says who holds something, and until when.',
  {
    spec: ref(
      define(`${coordination}LeaseSpec`, 'Holder and time.', {
        acquireTime: microTime('When the holder got it.'),
        holderIdentity: str('Who holds it.'),
        leaseDurationSeconds: int32('Seconds after renewTime that it has run out.'),
        leaseTransitions: int32('How often the holder changed.'),
        preferredHolder: str('Who should hold it.'),
        renewTime: microTime('When the holder last renewed it.'),
        strategy: str('How the holder is chosen.'),
      }),
      'Holder and time.',
    ),
  },
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
)

const PolicyRule = define(
  `${rbac}PolicyRule`,
  'Verbs that are allowed on resources.',
  {
    apiGroups: strings('API groups; empty string for core, * for all.'),
    nonResourceURLs: strings('Paths that are not resources.'),
    resourceNames: strings('Names of objects; empty: all.'),
    resources: strings('Resources; * for all.'),
    verbs: strings('Verbs; * for all.'),
  },
  { required: ['verbs'] },
)
const Subject = define(
  `${rbac}Subject`,
  'Someone who gets the role.',
  {
    apiGroup: str('API group of the subject.'),
    kind: str('User, Group or ServiceAccount.'),
    name: str('Name of the subject.'),
    namespace: str('Namespace of a service account.'),
  },
  { required: ['kind', 'name'], atomic: true },
)
const RoleRef = define(
  `${rbac}RoleRef`,
  'The role that is given.',
  { apiGroup: str('API group of the role.'), kind: str('Role or ClusterRole.'), name: str('Name of the role.') },
  { required: ['apiGroup', 'kind', 'name'], atomic: true },
)
const v1 = (kind: string) => ({ group: 'rbac.authorization.k8s.io', version: 'v1', kind })
const rules = list(PolicyRule, 'What is allowed.')
const binding = {
  roleRef: ref(RoleRef, 'The role that is given. Cannot be changed.'),
  subjects: list(Subject, 'Who gets it.'),
}
export const Role = kindSchema(rbac, 'What is allowed in one namespace.', { rules }, v1('Role'))
export const ClusterRole = kindSchema(
  rbac,
  'What is allowed in the cluster.',
  {
    aggregationRule: ref(
      define(`${rbac}AggregationRule`, 'Roles that are combined.', {
        clusterRoleSelectors: list(LabelSelector, 'Labels of the roles.'),
      }),
      'Roles that are combined; rules are then kept by a controller.',
    ),
    rules,
  },
  v1('ClusterRole'),
)
export const RoleBinding = kindSchema(rbac, 'Gives a role in one namespace.', binding, {
  ...v1('RoleBinding'),
  required: ['roleRef'],
})
export const ClusterRoleBinding = kindSchema(rbac, 'Gives a role in the cluster.', binding, {
  ...v1('ClusterRoleBinding'),
  required: ['roleRef'],
})
