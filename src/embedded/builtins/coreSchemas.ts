import { LocalObjectReference } from './containerSchemas.ts'
import { Condition, DeleteOptions, intOrString, kindSchema, quantityMap, time } from './metaSchemas.ts'
import { NodeSelector } from './podSchemas.ts'
import {
  bool,
  bytes,
  define,
  int32,
  json,
  list,
  listMap,
  mapOf,
  ref,
  str,
  stringMap,
  strings,
} from './schemaBuilder.ts'
import { HostPathVolumeSource, NFSVolumeSource, PersistentVolumeClaimSpec, vendorSources } from './volumeSchemas.ts'

/** Schemas of the small core/v1 kinds (Kubernetes API reference). */
const core = 'io.k8s.api.core.v1.'
const v1 = (kind: string) => ({ group: '', version: 'v1', kind })

const looseCondition = (name: string, times: readonly string[]) =>
  define(
    `${core}${name}`,
    'One observed aspect of the object.',
    {
      ...Object.fromEntries(times.map((field) => [field, time('When it was last looked at.')])),
      lastTransitionTime: time('When the status last changed.'),
      message: str('Details for people.'),
      reason: str('One word for programs.'),
      status: str('True, False or Unknown.'),
      type: str('Which aspect.'),
    },
    { required: ['type', 'status'] },
  )

export const ObjectReference = define(
  `${core}ObjectReference`,
  'An object of any kind.',
  {
    apiVersion: str('API version of the object.'),
    fieldPath: str('A part of the object.'),
    kind: str('Kind of the object.'),
    name: str('Name of the object.'),
    namespace: str('Namespace of the object.'),
    resourceVersion: str('Version of the object.'),
    uid: str('UID of the object.'),
  },
  { atomic: true },
)

export const Namespace = kindSchema(
  core,
  'A scope for names.',
  {
    spec: ref(
      define(`${core}NamespaceSpec`, 'What is wanted of the namespace.', {
        finalizers: strings('What must still be done before the namespace is gone.'),
      }),
      'What is wanted of the namespace.',
    ),
    status: ref(
      define(`${core}NamespaceStatus`, 'What is known about the namespace.', {
        conditions: listMap(looseCondition('NamespaceCondition', []), ['type'], 'Observed aspects.'),
        phase: str('Active or Terminating.'),
      }),
      'What is known about the namespace.',
    ),
  },
  v1('Namespace'),
)

export const ConfigMap = kindSchema(
  core,
  'Settings by key.',
  {
    binaryData: mapOf(bytes('Base64.'), 'Values that are not UTF-8.'),
    data: stringMap('Values that are text.'),
    immutable: bool('The values cannot be changed any more.'),
  },
  v1('ConfigMap'),
)

export const Secret = kindSchema(
  core,
  'Secret values by key.',
  {
    data: mapOf(bytes('Base64.'), 'The values.'),
    immutable: bool('The values cannot be changed any more.'),
    stringData: stringMap('Values as text, for writing only; they win over data.'),
    type: str('What the values are for.', { default: 'Opaque' }),
  },
  v1('Secret'),
)

export const ServiceAccount = kindSchema(
  core,
  'An identity for processes in pods.',
  {
    automountServiceAccountToken: bool('Pods get a token mounted.'),
    imagePullSecrets: list(LocalObjectReference, 'Secrets with credentials of registries.'),
    secrets: listMap(ObjectReference, ['name'], 'Secrets that pods may use.'),
  },
  v1('ServiceAccount'),
)

const ServicePort = define(
  `${core}ServicePort`,
  'A port of a service.',
  {
    appProtocol: str('Protocol of the application.'),
    name: str('Name, unique in the service.'),
    nodePort: int32('Port on each node.'),
    port: int32('Port of the service.'),
    protocol: str('TCP, UDP or SCTP.', { default: 'TCP' }),
    targetPort: intOrString('Port of the pods; default is port.'),
  },
  { required: ['port'] },
)
const SessionAffinityConfig = define(`${core}SessionAffinityConfig`, 'Settings of session affinity.', {
  clientIP: ref(
    define(`${core}ClientIPConfig`, 'Settings of affinity by client.', {
      timeoutSeconds: int32('How long it sticks.'),
    }),
    'Affinity by client.',
  ),
})
const LoadBalancerIngress = define(`${core}LoadBalancerIngress`, 'An entry point of a load balancer.', {
  hostname: str('Host name.'),
  ip: str('Address.'),
  ipMode: str('VIP or Proxy.'),
  ports: json('Ports and their errors.'),
})
export const Service = kindSchema(
  core,
  'One name and address for many pods.',
  {
    spec: ref(
      define(`${core}ServiceSpec`, 'Which pods, and how they are reached.', {
        allocateLoadBalancerNodePorts: bool('A load balancer also gets node ports.'),
        clusterIP: str('Address inside the cluster; None for a headless service.'),
        clusterIPs: strings('Addresses inside the cluster, one per IP family.'),
        externalIPs: strings('Further addresses that nodes accept.'),
        externalName: str('DNS name that an ExternalName service stands for.'),
        externalTrafficPolicy: str('Cluster or Local.'),
        healthCheckNodePort: int32('Port of the health check.'),
        internalTrafficPolicy: str('Cluster or Local.'),
        ipFamilies: strings('IPv4, IPv6 or both.'),
        ipFamilyPolicy: str('SingleStack, PreferDualStack or RequireDualStack.'),
        loadBalancerClass: str('Class of the load balancer.'),
        loadBalancerIP: str('Not used any more.'),
        loadBalancerSourceRanges: strings('Clients that the load balancer accepts.'),
        ports: listMap(ServicePort, ['port', 'protocol'], 'Ports of the service.'),
        publishNotReadyAddresses: bool('Pods that are not ready are listed too.'),
        selector: { ...stringMap('Labels of the pods.'), 'x-kubernetes-map-type': 'atomic' },
        sessionAffinity: str('ClientIP or None.', { default: 'None' }),
        sessionAffinityConfig: ref(SessionAffinityConfig, 'Settings of session affinity.'),
        trafficDistribution: str('Which endpoints are preferred.'),
        type: str('ClusterIP, NodePort, LoadBalancer or ExternalName.', { default: 'ClusterIP' }),
      }),
      'Which pods, and how they are reached.',
    ),
    status: ref(
      define(`${core}ServiceStatus`, 'What is known about the service.', {
        conditions: listMap(Condition, ['type'], 'Observed aspects.'),
        loadBalancer: ref(
          define(`${core}LoadBalancerStatus`, 'What is known about the load balancer.', {
            ingress: list(LoadBalancerIngress, 'Entry points.'),
          }),
          'The load balancer.',
        ),
      }),
      'What is known about the service.',
    ),
  },
  v1('Service'),
)

const EndpointAddress = define(
  `${core}EndpointAddress`,
  'An address behind a service.',
  {
    hostname: str('Host name.'),
    ip: str('The address.'),
    nodeName: str('Node of the address.'),
    targetRef: ref(ObjectReference, 'Object behind the address.'),
  },
  { required: ['ip'], atomic: true },
)
const EndpointPort = define(
  `${core}EndpointPort`,
  'A port behind a service.',
  {
    appProtocol: str('Protocol of the application.'),
    name: str('Name of the service port.'),
    port: int32('The port.'),
    protocol: str('TCP, UDP or SCTP.', { default: 'TCP' }),
  },
  { required: ['port'], atomic: true },
)
const EndpointSubset = define(`${core}EndpointSubset`, 'Addresses that share ports.', {
  addresses: list(EndpointAddress, 'Addresses that are ready.'),
  notReadyAddresses: list(EndpointAddress, 'Addresses that are not ready.'),
  ports: list(EndpointPort, 'The ports.'),
})
export const Endpoints = kindSchema(
  core,
  'The addresses behind a service.',
  { subsets: list(EndpointSubset, 'Groups of addresses.') },
  v1('Endpoints'),
)

export const PersistentVolumeClaim = kindSchema(
  core,
  'A request for storage.',
  {
    spec: ref(PersistentVolumeClaimSpec, 'What storage is wanted.'),
    status: ref(
      define(`${core}PersistentVolumeClaimStatus`, 'What is known about the claim.', {
        accessModes: strings('How the volume can be mounted.'),
        capacity: quantityMap('What the volume holds.'),
        conditions: listMap(
          looseCondition('PersistentVolumeClaimCondition', ['lastProbeTime']),
          ['type'],
          'Observed aspects.',
        ),
        phase: str('Pending, Bound or Lost.'),
        allocatedResourceStatuses: stringMap('State of a resize, by resource.'),
        allocatedResources: quantityMap('What is set aside for the claim.'),
        currentVolumeAttributesClassName: str('Class of the attributes in use.'),
        modifyVolumeStatus: json('State of a change of the attributes.'),
      }),
      'What is known about the claim.',
    ),
  },
  v1('PersistentVolumeClaim'),
)

const LocalVolumeSource = define(
  `${core}LocalVolumeSource`,
  'A path of one node.',
  { fsType: str('File system type.'), path: str('The path.') },
  { required: ['path'] },
)
export const PersistentVolume = kindSchema(
  core,
  'A piece of storage.',
  {
    spec: ref(
      define(`${core}PersistentVolumeSpec`, 'What the storage is.', {
        ...vendorSources,
        csi: json('A volume of a storage driver.'),
        accessModes: strings('How the volume can be mounted.'),
        capacity: quantityMap('What the volume holds.'),
        claimRef: ref(ObjectReference, 'Claim that the volume is bound to.'),
        hostPath: ref(HostPathVolumeSource, 'A path of the host.'),
        local: ref(LocalVolumeSource, 'A path of one node.'),
        mountOptions: strings('Options of the mount.'),
        nfs: ref(NFSVolumeSource, 'An NFS export.'),
        nodeAffinity: ref(
          define(`${core}VolumeNodeAffinity`, 'Nodes that can use the volume.', {
            required: ref(NodeSelector, 'What the node must fulfil.'),
          }),
          'Nodes that can use the volume.',
        ),
        persistentVolumeReclaimPolicy: str('Retain, Delete or Recycle.', { default: 'Retain' }),
        storageClassName: str('Class of the storage.'),
        volumeAttributesClassName: str('Class of the attributes.'),
        volumeMode: str('Filesystem or Block.', { default: 'Filesystem' }),
      }),
      'What the storage is.',
    ),
    status: ref(
      define(`${core}PersistentVolumeStatus`, 'What is known about the volume.', {
        lastPhaseTransitionTime: time('When the phase last changed.'),
        message: str('Details for people.'),
        phase: str('Pending, Available, Bound, Released or Failed.'),
        reason: str('One word for programs.'),
      }),
      'What is known about the volume.',
    ),
  },
  v1('PersistentVolume'),
)

export const Binding = kindSchema(
  core,
  'Assigns a pod to a node.',
  { target: ref(ObjectReference, 'The node.') },
  { ...v1('Binding'), required: ['target'] },
)

export const Eviction = kindSchema(
  'io.k8s.api.policy.v1.',
  'Asks for a pod to be deleted, if its disruption budget allows it.',
  { deleteOptions: ref(DeleteOptions, 'How the pod is deleted.') },
  { group: 'policy', version: 'v1', kind: 'Eviction' },
)
