import {
  allVerbs,
  type OpenApiSchema,
  type ResourceDefinition,
  type StorageHooks,
  type Subresource,
} from '../server/resource.ts'
import {
  defaultClaimSpec,
  defaultCustomResourceDefinitionSpec,
  defaultNetworkPolicySpec,
  defaultNodeStatus,
  defaultRoleBinding,
  defaultVolumeSpec,
  encodeStringData,
} from './coreDefaults.ts'
import * as core from './coreSchemas.ts'
import { withEmptyStatus } from './emptyStatus.ts'
import { storedAsCoreEvent } from './eventConversion.ts'
import { Event, EventsEvent } from './eventSchemas.ts'
import * as extension from './extensionSchemas.ts'
import { edit, isObject, type JsonObject } from './jsonObject.ts'
import * as networking from './networkingSchemas.ts'
import { Node } from './nodeSchemas.ts'
import { Pod } from './podSchemas.ts'
import * as policy from './policySchemas.ts'
import {
  always,
  cronJobHooks,
  eventHooks,
  jobHooks,
  namespaceHooks,
  pendingHooks,
  podHooks,
  serviceHooks,
  specHook,
} from './resourceHooks.ts'
import * as review from './reviewSchemas.ts'
import {
  coreEventFields,
  eventsEventFields,
  jobFields,
  namespaceFields,
  nodeFields,
  podFields,
  replicaFields,
  secretFields,
  serviceFields,
} from './selectableFields.ts'
import * as defaults from './workloadDefaults.ts'
import * as workload from './workloadSchemas.ts'

// Long: a table with one entry for each resource that is served.

/** A definition in the fewest words: the rest follows from the kind. */
type Draft = Omit<ResourceDefinition, 'verbs' | 'singular' | 'version' | 'schema'> & {
  readonly verbs?: ResourceDefinition['verbs']
  readonly schema: OpenApiSchema
}

const define = (draft: Draft): ResourceDefinition => ({
  verbs: allVerbs,
  ...draft,
  version: 'v1',
  singular: draft.kind.toLowerCase(),
})

const status: Subresource = { name: 'status', verbs: ['get', 'patch', 'update'] }
const scale: Subresource = {
  name: 'scale',
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  verbs: ['get', 'patch', 'update'],
  scalePaths: { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' },
}
/** Streams: one that is upgraded is opened with GET or POST. */
const connect: readonly ['create', 'get'] = ['create', 'get']
const createOnly: readonly ['create'] = ['create']

const coreResources: readonly ResourceDefinition[] = [
  define({
    group: '',
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    verbs: createOnly,
    schema: core.Binding,
  }),
  define({
    group: '',
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    namespaced: true,
    schema: core.ConfigMap,
  }),
  define({
    group: '',
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    namespaced: true,
    schema: core.Endpoints,
  }),
  define({
    group: '',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    schema: Event,
    selectableFields: coreEventFields,
    hooks: eventHooks,
    allowsCreateOnUpdate: true,
  }),
  define({
    group: '',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
    schema: core.Namespace,
    subresources: [{ name: 'finalize', verbs: ['update'] }, status],
    selectableFields: namespaceFields,
    hooks: namespaceHooks,
  }),
  define({
    group: '',
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    schema: Node,
    subresources: [status],
    selectableFields: nodeFields,
    keepsStatusOnCreate: true,
    hooks: always((node) => edit(node, 'status', defaultNodeStatus)),
  }),
  define({
    group: '',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    namespaced: true,
    schema: core.PersistentVolumeClaim,
    subresources: [status],
    hooks: pendingHooks(defaultClaimSpec),
  }),
  define({
    group: '',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    schema: core.PersistentVolume,
    subresources: [status],
    hooks: pendingHooks(defaultVolumeSpec),
  }),
  define({
    group: '',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    namespaced: true,
    schema: Pod,
    subresources: [
      { name: 'attach', kind: 'PodAttachOptions', verbs: connect },
      { name: 'binding', kind: 'Binding', verbs: ['create'] },
      { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
      { name: 'exec', kind: 'PodExecOptions', verbs: connect },
      { name: 'log', verbs: ['get'] },
      { name: 'portforward', kind: 'PodPortForwardOptions', verbs: connect },
      status,
    ],
    selectableFields: podFields,
    hooks: podHooks,
    gracePeriodSeconds: (pod) => {
      const { terminationGracePeriodSeconds } = isObject(pod.spec) ? pod.spec : {}
      return typeof terminationGracePeriodSeconds === 'number' ? terminationGracePeriodSeconds : 30
    },
  }),
  define({
    group: '',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    namespaced: true,
    schema: workload.ReplicationController,
    subresources: [scale, status],
    selectableFields: replicaFields,
    tracksGeneration: true,
    hooks: specHook(defaults.defaultReplicationControllerSpec),
  }),
  define({
    group: '',
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
    schema: core.Secret,
    selectableFields: secretFields,
    hooks: always(encodeStringData),
  }),
  define({
    group: '',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    schema: core.ServiceAccount,
    subresources: [
      { name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: createOnly },
    ],
  }),
  define({
    group: '',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    schema: core.Service,
    subresources: [status],
    selectableFields: serviceFields,
    allowsCreateOnUpdate: false,
    hooks: serviceHooks,
  }),
]

const apps = (
  draft: Omit<Draft, 'group' | 'namespaced' | 'categories' | 'tracksGeneration' | 'hooks'>,
  complete: (spec: JsonObject) => JsonObject,
): ResourceDefinition =>
  define({
    ...draft,
    group: 'apps',
    namespaced: true,
    categories: ['all'],
    tracksGeneration: true,
    hooks: specHook(complete),
  })

const workloadResources: readonly ResourceDefinition[] = [
  define({
    group: 'apps',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    namespaced: true,
    schema: workload.ControllerRevision,
  }),
  apps(
    { kind: 'DaemonSet', plural: 'daemonsets', shortNames: ['ds'], schema: workload.DaemonSet, subresources: [status] },
    defaults.defaultDaemonSetSpec,
  ),
  apps(
    {
      kind: 'Deployment',
      plural: 'deployments',
      shortNames: ['deploy'],
      schema: workload.Deployment,
      subresources: [scale, status],
    },
    defaults.defaultDeploymentSpec,
  ),
  apps(
    {
      kind: 'ReplicaSet',
      plural: 'replicasets',
      shortNames: ['rs'],
      schema: workload.ReplicaSet,
      subresources: [scale, status],
      selectableFields: replicaFields,
    },
    defaults.defaultReplicaSetSpec,
  ),
  apps(
    {
      kind: 'StatefulSet',
      plural: 'statefulsets',
      shortNames: ['sts'],
      schema: workload.StatefulSet,
      subresources: [scale, status],
    },
    defaults.defaultStatefulSetSpec,
  ),
  define({
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    namespaced: true,
    schema: workload.CronJob,
    subresources: [status],
    tracksGeneration: true,
    hooks: cronJobHooks,
  }),
  define({
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    namespaced: true,
    schema: workload.Job,
    subresources: [status],
    selectableFields: jobFields,
    tracksGeneration: true,
    hooks: jobHooks,
  }),
]

const rbac = (
  kind: string,
  plural: string,
  namespaced: boolean,
  schema: OpenApiSchema,
  hooks?: StorageHooks,
): ResourceDefinition =>
  define({ group: 'rbac.authorization.k8s.io', kind, plural, namespaced, schema, ...(hooks ? { hooks } : {}) })

const policyResources: readonly ResourceDefinition[] = [
  define({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    namespaced: true,
    schema: policy.PodDisruptionBudget,
    subresources: [status],
    tracksGeneration: true,
  }),
  define({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    schema: policy.Lease,
    allowsCreateOnUpdate: true,
  }),
  define({
    group: 'events.k8s.io',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    schema: EventsEvent,
    storedAs: storedAsCoreEvent,
    selectableFields: eventsEventFields,
    allowsCreateOnUpdate: true,
  }),
  rbac('ClusterRoleBinding', 'clusterrolebindings', false, policy.ClusterRoleBinding, always(defaultRoleBinding)),
  rbac('ClusterRole', 'clusterroles', false, policy.ClusterRole),
  rbac('RoleBinding', 'rolebindings', true, policy.RoleBinding, always(defaultRoleBinding)),
  rbac('Role', 'roles', true, policy.Role),
]

const reviewOf = (
  group: 'authentication' | 'authorization',
  kind: string,
  schema: OpenApiSchema,
  namespaced = false,
): ResourceDefinition =>
  define({
    group: `${group}.k8s.io`,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    verbs: createOnly,
    schema,
  })

const reviewResources: readonly ResourceDefinition[] = [
  reviewOf('authentication', 'SelfSubjectReview', review.SelfSubjectReview),
  reviewOf('authentication', 'TokenReview', review.TokenReview),
  reviewOf('authorization', 'LocalSubjectAccessReview', review.LocalSubjectAccessReview, true),
  reviewOf('authorization', 'SelfSubjectAccessReview', review.SelfSubjectAccessReview),
  reviewOf('authorization', 'SelfSubjectRulesReview', review.SelfSubjectRulesReview),
  reviewOf('authorization', 'SubjectAccessReview', review.SubjectAccessReview),
]

const extensionResources: readonly ResourceDefinition[] = [
  define({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    schema: extension.CustomResourceDefinition,
    subresources: [status],
    tracksGeneration: true,
    hooks: specHook(defaultCustomResourceDefinitionSpec),
  }),
  define({
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: extension.ValidatingAdmissionPolicy,
    subresources: [status],
    tracksGeneration: true,
  }),
  define({
    group: 'admissionregistration.k8s.io',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    namespaced: false,
    schema: extension.ValidatingAdmissionPolicyBinding,
    tracksGeneration: true,
  }),
  define({
    group: 'storage.k8s.io',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    schema: extension.StorageClass,
  }),
  define({
    group: 'networking.k8s.io',
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    namespaced: true,
    schema: networking.Ingress,
    subresources: [status],
    tracksGeneration: true,
  }),
  define({
    group: 'networking.k8s.io',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    namespaced: true,
    schema: networking.NetworkPolicy,
    tracksGeneration: true,
    hooks: specHook(defaultNetworkPolicySpec),
  }),
]

/** Every built-in resource, in the order in which discovery lists them. */
export const builtinResources: readonly ResourceDefinition[] = [
  ...coreResources,
  ...reviewResources,
  ...workloadResources,
  ...policyResources,
  ...extensionResources,
].map(withEmptyStatus)
