/** Kinds that are read from protobuf. A message is named after its kind, unless two groups have one of the same name. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authentication.k8s.io/v1': ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  'authorization.k8s.io/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'autoscaling/v1': ['Scale'],
  'batch/v1': ['CronJob', 'Job'],
  'coordination.k8s.io/v1': ['Lease'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'policy/v1': ['Eviction', 'PodDisruptionBudget'],
  'policy/v1beta1': ['Eviction'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'storage.k8s.io/v1': ['StorageClass'],
  'admissionregistration.k8s.io/v1': ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
}

/** The message of a kind; undefined: not read from protobuf. DeleteOptions come in the group and version of what they delete. */
export function messageOf(apiVersion: string, kind: string): string | undefined {
  if (kind === 'DeleteOptions') return kind
  if (apiVersion === 'events.k8s.io/v1' && kind === 'Event') return 'EventsEvent'
  return Object.hasOwn(kindsOf, apiVersion) && kindsOf[apiVersion]?.includes(kind) ? kind : undefined
}
