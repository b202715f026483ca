import {
  AppArmorProfile,
  Container,
  EphemeralContainer,
  LocalObjectReference,
  ResourceRequirements,
  SELinuxOptions,
  SeccompProfile,
  WindowsSecurityContextOptions,
} from './containerSchemas.ts'
import { kindSchema, LabelSelector, ObjectMeta, quantityMap, time } from './metaSchemas.ts'
import { bool, define, int32, int64, json, list, listMap, ref, str, stringMap, strings } from './schemaBuilder.ts'
import { Volume } from './volumeSchemas.ts'

// Long: a catalogue of a pod's types, member by member.

/** Schemas of pods and pod templates (Kubernetes API reference, core/v1 Pod). */
const core = 'io.k8s.api.core.v1.'

const NodeSelectorRequirement = define(
  `${core}NodeSelectorRequirement`,
  'One condition on a node.',
  {
    key: str('Label or field that the condition is about.'),
    operator: str('In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
    values: strings('Values to compare with.'),
  },
  { required: ['key', 'operator'] },
)
const NodeSelectorTerm = define(
  `${core}NodeSelectorTerm`,
  'Conditions that must all hold.',
  {
    matchExpressions: list(NodeSelectorRequirement, 'Conditions on labels.'),
    matchFields: list(NodeSelectorRequirement, 'Conditions on fields.'),
  },
  { atomic: true },
)
export const NodeSelector = define(
  `${core}NodeSelector`,
  'Terms of which at least one must hold.',
  { nodeSelectorTerms: list(NodeSelectorTerm, 'The terms.') },
  { required: ['nodeSelectorTerms'], atomic: true },
)
const PreferredSchedulingTerm = define(
  `${core}PreferredSchedulingTerm`,
  'A wish with its weight.',
  { preference: ref(NodeSelectorTerm, 'The wish.'), weight: int32('1 to 100.') },
  { required: ['weight', 'preference'] },
)
const NodeAffinity = define(`${core}NodeAffinity`, 'Rules about the node.', {
  preferredDuringSchedulingIgnoredDuringExecution: list(PreferredSchedulingTerm, 'Wishes.'),
  requiredDuringSchedulingIgnoredDuringExecution: ref(NodeSelector, 'Requirements.'),
})
const PodAffinityTerm = define(
  `${core}PodAffinityTerm`,
  'Pods to be near to, or far from.',
  {
    labelSelector: ref(LabelSelector, 'Labels of the pods.'),
    matchLabelKeys: strings('Label keys whose values are taken from the pod.'),
    mismatchLabelKeys: strings('Label keys whose values must differ from the pod.'),
    namespaceSelector: ref(LabelSelector, 'Labels of the namespaces.'),
    namespaces: strings('Names of the namespaces.'),
    topologyKey: str('Node label that says what near means.'),
  },
  { required: ['topologyKey'] },
)
const WeightedPodAffinityTerm = define(
  `${core}WeightedPodAffinityTerm`,
  'A wish with its weight.',
  { podAffinityTerm: ref(PodAffinityTerm, 'The wish.'), weight: int32('1 to 100.') },
  { required: ['weight', 'podAffinityTerm'] },
)
const podAffinityProperties = {
  preferredDuringSchedulingIgnoredDuringExecution: list(WeightedPodAffinityTerm, 'Wishes.'),
  requiredDuringSchedulingIgnoredDuringExecution: list(PodAffinityTerm, 'Requirements.'),
}
const Affinity = define(`${core}Affinity`, 'Rules about where the pod may run.', {
  nodeAffinity: ref(NodeAffinity, 'Rules about the node.'),
  podAffinity: ref(define(`${core}PodAffinity`, 'Pods to be near to.', podAffinityProperties), 'Pods to be near to.'),
  podAntiAffinity: ref(
    define(`${core}PodAntiAffinity`, 'Pods to be far from.', podAffinityProperties),
    'Pods to be far from.',
  ),
})

const Toleration = define(`${core}Toleration`, 'A taint that the pod can live with.', {
  effect: str('NoSchedule, PreferNoSchedule or NoExecute; empty: all.'),
  key: str('Key of the taint; empty with Exists: all.'),
  operator: str('Exists or Equal.'),
  tolerationSeconds: int64('How long NoExecute is tolerated.'),
  value: str('Value of the taint.'),
})
const TopologySpreadConstraint = define(
  `${core}TopologySpreadConstraint`,
  'How pods are spread over a topology.',
  {
    labelSelector: ref(LabelSelector, 'Pods that are counted.'),
    matchLabelKeys: strings('Label keys whose values are taken from the pod.'),
    maxSkew: int32('Greatest difference between two domains.'),
    minDomains: int32('Least number of domains.'),
    nodeAffinityPolicy: str('Honor or Ignore.'),
    nodeTaintsPolicy: str('Honor or Ignore.'),
    topologyKey: str('Node label that names the domain.'),
    whenUnsatisfiable: str('DoNotSchedule or ScheduleAnyway.'),
  },
  { required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
)
const Sysctl = define(
  `${core}Sysctl`,
  'A kernel parameter.',
  { name: str('Name of the parameter.'), value: str('Value of the parameter.') },
  { required: ['name', 'value'] },
)
const PodSecurityContext = define(`${core}PodSecurityContext`, 'Security settings of all containers of the pod.', {
  appArmorProfile: ref(AppArmorProfile, 'AppArmor profile.'),
  fsGroup: int64('Group that owns the volumes.'),
  fsGroupChangePolicy: str('OnRootMismatch or Always.'),
  runAsGroup: int64('Group to run as.'),
  runAsNonRoot: bool('Refuse to start as root.'),
  runAsUser: int64('User to run as.'),
  seLinuxChangePolicy: str('MountOption or Recursive.'),
  seLinuxOptions: ref(SELinuxOptions, 'SELinux labels.'),
  seccompProfile: ref(SeccompProfile, 'Seccomp profile.'),
  supplementalGroups: list({ type: 'integer', format: 'int64' }, 'Further groups.'),
  supplementalGroupsPolicy: str('Merge or Strict.'),
  sysctls: list(Sysctl, 'Kernel parameters.'),
  windowsOptions: ref(WindowsSecurityContextOptions, 'Settings on Windows.'),
})
const PodDNSConfig = define(`${core}PodDNSConfig`, 'DNS settings beside those of the policy.', {
  nameservers: strings('Addresses of name servers.'),
  options: list(
    define(`${core}PodDNSConfigOption`, 'A resolver option.', { name: str('Name.'), value: str('Value.') }),
    'Resolver options.',
  ),
  searches: strings('Search domains.'),
})
const HostAlias = define(
  `${core}HostAlias`,
  'A line of /etc/hosts.',
  { hostnames: strings('Names of the address.'), ip: str('The address.') },
  { required: ['ip'] },
)
const PodResourceClaim = define(
  `${core}PodResourceClaim`,
  'A resource claim of the pod.',
  {
    name: str('Name in the pod.'),
    resourceClaimName: str('Claim to use.'),
    resourceClaimTemplateName: str('Template to make a claim from.'),
  },
  { required: ['name'] },
)
const PodReadinessGate = define(
  `${core}PodReadinessGate`,
  'A condition that must be True for the pod to be ready.',
  { conditionType: str('Type of the condition.') },
  { required: ['conditionType'] },
)
const PodSchedulingGate = define(
  `${core}PodSchedulingGate`,
  'Holds the pod back from scheduling.',
  { name: str('Name of the gate.') },
  { required: ['name'] },
)
const PodOS = define(
  `${core}PodOS`,
  'Operating system of the pod.',
  { name: str('linux or windows.') },
  { required: ['name'] },
)

const PodSpec = define(
  `${core}PodSpec`,
  'What runs in the pod, and where.',
  {
    activeDeadlineSeconds: int64('Seconds after which the pod is failed.'),
    affinity: ref(Affinity, 'Rules about where the pod may run.'),
    automountServiceAccountToken: bool('Mount a token of the service account.'),
    containers: listMap(Container, ['name'], 'The containers.'),
    dnsConfig: ref(PodDNSConfig, 'DNS settings.'),
    dnsPolicy: str('ClusterFirst, ClusterFirstWithHostNet, Default or None.', { default: 'ClusterFirst' }),
    enableServiceLinks: bool('Put the services of the namespace into environment variables.'),
    ephemeralContainers: listMap(EphemeralContainer, ['name'], 'Containers added for debugging.'),
    hostAliases: listMap(HostAlias, ['ip'], 'Lines of /etc/hosts.'),
    hostIPC: bool('Use the IPC namespace of the host.'),
    hostNetwork: bool('Use the network of the host.'),
    hostPID: bool('Use the PID namespace of the host.'),
    hostUsers: bool('Use the user namespace of the host.'),
    hostname: str('Host name of the pod.'),
    hostnameOverride: str('Host name as the pod itself sees it.'),
    imagePullSecrets: listMap(LocalObjectReference, ['name'], 'Secrets with credentials of registries.'),
    initContainers: listMap(Container, ['name'], 'Containers that run one after the other before the others.'),
    nodeName: str('Node that the pod is assigned to.'),
    nodeSelector: { ...stringMap('Labels that the node must have.'), 'x-kubernetes-map-type': 'atomic' },
    os: ref(PodOS, 'Operating system of the pod.'),
    overhead: quantityMap('Resources that the runtime itself needs.'),
    preemptionPolicy: str('Never or PreemptLowerPriority.'),
    priority: int32('Priority; higher is more important.'),
    priorityClassName: str('Name of the priority class.'),
    readinessGates: list(PodReadinessGate, 'Conditions that count for readiness.'),
    resourceClaims: listMap(PodResourceClaim, ['name'], 'Resource claims.', { strategy: 'merge,retainKeys' }),
    resources: ref(ResourceRequirements, 'What the pod as a whole needs and may use.'),
    restartPolicy: str('Always, OnFailure or Never.', { default: 'Always' }),
    runtimeClassName: str('Runtime class to run the pod with.'),
    schedulerName: str('Scheduler that places the pod.', { default: 'default-scheduler' }),
    schedulingGates: listMap(PodSchedulingGate, ['name'], 'What holds the pod back from scheduling.'),
    securityContext: ref(PodSecurityContext, 'Security settings of all containers.', { default: {} }),
    serviceAccount: str('Old name of serviceAccountName.'),
    serviceAccountName: str('Service account that the pod runs as.'),
    setHostnameAsFQDN: bool('The full domain name is the host name.'),
    shareProcessNamespace: bool('Containers see the processes of each other.'),
    subdomain: str('Subdomain of the host name.'),
    terminationGracePeriodSeconds: int64('Seconds that the pod may take to stop.', { default: 30 }),
    tolerations: list(Toleration, 'Taints that the pod can live with.'),
    topologySpreadConstraints: listMap(
      TopologySpreadConstraint,
      ['topologyKey', 'whenUnsatisfiable'],
      'How pods are spread over a topology.',
    ),
    volumes: listMap(Volume, ['name'], 'Volumes that containers can use.', { strategy: 'merge,retainKeys' }),
  },
  { required: ['containers'] },
)

const ContainerState = define(`${core}ContainerState`, 'What a container is doing; one member is set.', {
  running: ref(define(`${core}ContainerStateRunning`, 'It runs.', { startedAt: time('Since when.') }), 'It runs.'),
  terminated: ref(
    define(
      `${core}ContainerStateTerminated`,
      'It has ended.',
      {
        containerID: str('ID of the container.'),
        exitCode: int32('Exit code.'),
        finishedAt: time('When it ended.'),
        message: str('Last message.'),
        reason: str('One word for programs.'),
        signal: int32('Signal that ended it.'),
        startedAt: time('When it had started.'),
      },
      { zeroed: ['exitCode'] },
    ),
    'It has ended.',
  ),
  waiting: ref(
    define(`${core}ContainerStateWaiting`, 'It has not started.', {
      message: str('Details for people.'),
      reason: str('One word for programs.'),
    }),
    'It has not started.',
  ),
})
const ContainerStatus = define(
  `${core}ContainerStatus`,
  'What a container is doing.',
  {
    allocatedResources: quantityMap('Resources set aside by the node.'),
    allocatedResourcesStatus: json('Health of devices.'),
    containerID: str('ID of the container.'),
    image: str('Image that runs.'),
    imageID: str('ID of the image that runs.'),
    lastState: ref(ContainerState, 'What it did before.'),
    name: str('Name of the container.'),
    ready: bool('Its readiness probe succeeds.'),
    resources: ref(ResourceRequirements, 'Resources that it runs with.'),
    restartCount: int32('How often it was restarted.'),
    started: bool('Its startup probe has succeeded.'),
    state: ref(ContainerState, 'What it does.'),
    stopSignal: str('Signal that tells it to stop.'),
    user: json('Identity of the first process.'),
    volumeMounts: json('Volumes as mounted.'),
  },
  { required: ['name'], zeroed: ['ready', 'restartCount', 'image', 'imageID'] },
)
const PodCondition = define(
  `${core}PodCondition`,
  'One observed aspect of the pod.',
  {
    lastProbeTime: time('When it was last looked at.'),
    lastTransitionTime: time('When the status last changed.'),
    message: str('Details for people.'),
    observedGeneration: int64('Generation that the condition is about.'),
    reason: str('One word for programs.'),
    status: str('True, False or Unknown.'),
    type: str('Which aspect, such as Ready.'),
  },
  { required: ['type', 'status'] },
)
const PodIP = define(`${core}PodIP`, 'An address of the pod.', { ip: str('The address.') }, { required: ['ip'] })
const HostIP = define(`${core}HostIP`, 'An address of the host.', { ip: str('The address.') }, { required: ['ip'] })
const PodStatus = define(`${core}PodStatus`, 'What is known about the running pod.', {
  conditions: listMap(PodCondition, ['type'], 'Observed aspects.'),
  containerStatuses: list(ContainerStatus, 'State of each container.'),
  ephemeralContainerStatuses: list(ContainerStatus, 'State of each ephemeral container.'),
  hostIP: str('Address of the node.'),
  hostIPs: {
    ...list(HostIP, 'Addresses of the node.'),
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'ip',
  },
  initContainerStatuses: list(ContainerStatus, 'State of each init container.'),
  message: str('Details for people.'),
  nominatedNodeName: str('Node where room is being made.'),
  observedGeneration: int64('Generation that the status is about.'),
  phase: str('Pending, Running, Succeeded, Failed or Unknown.'),
  podIP: str('Address of the pod.'),
  podIPs: listMap(PodIP, ['ip'], 'Addresses of the pod.'),
  qosClass: str('Guaranteed, Burstable or BestEffort.'),
  reason: str('One word for programs.'),
  resize: str('State of a resize.'),
  resourceClaimStatuses: listMap(
    define(
      `${core}PodResourceClaimStatus`,
      'A claim made for the pod.',
      { name: str('Name in the pod.'), resourceClaimName: str('Claim that was made.') },
      { required: ['name'] },
    ),
    ['name'],
    'Claims made for the pod.',
    { strategy: 'merge,retainKeys' },
  ),
  startTime: time('When the node accepted the pod.'),
  extendedResourceClaimStatus: json('A claim made for extended resources.'),
})

export const Pod = kindSchema(
  core,
  'Containers that run together on one node.',
  {
    spec: ref(PodSpec, 'What runs in the pod, and where.'),
    status: ref(PodStatus, 'What is known about the running pod.'),
  },
  { group: '', version: 'v1', kind: 'Pod' },
)
export const PodTemplateSpec = define(`${core}PodTemplateSpec`, 'The pods that a workload makes.', {
  metadata: ref(ObjectMeta, 'Labels and annotations of the pods.'),
  spec: ref(PodSpec, 'What runs in the pods.'),
})
