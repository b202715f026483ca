import { kindSchema, quantityMap, time } from './metaSchemas.ts'
import { bool, define, int32, int64, json, list, listMap, ref, set, str, strings } from './schemaBuilder.ts'

/** Schema of nodes (Kubernetes API reference, core/v1 Node). */
const core = 'io.k8s.api.core.v1.'

const Taint = define(
  `${core}Taint`,
  'Keeps away pods that do not tolerate it.',
  {
    effect: str('NoSchedule, PreferNoSchedule or NoExecute.'),
    key: str('Key of the taint.'),
    timeAdded: time('When a NoExecute taint was added.'),
    value: str('Value of the taint.'),
  },
  { required: ['key', 'effect'] },
)
const ConfigMapNodeConfigSource = define(
  `${core}ConfigMapNodeConfigSource`,
  'A ConfigMap with kubelet settings; not used any more.',
  {
    kubeletConfigKey: str('Key in the ConfigMap.'),
    name: str('Name of the ConfigMap.'),
    namespace: str('Namespace of the ConfigMap.'),
    resourceVersion: str('Version of the ConfigMap.'),
    uid: str('UID of the ConfigMap.'),
  },
  { required: ['namespace', 'name', 'kubeletConfigKey'] },
)
const NodeConfigSource = define(`${core}NodeConfigSource`, 'Source of kubelet settings; not used any more.', {
  configMap: ref(ConfigMapNodeConfigSource, 'A ConfigMap.'),
})
const NodeSpec = define(`${core}NodeSpec`, 'What the cluster wants of the node.', {
  configSource: ref(NodeConfigSource, 'Not used any more.'),
  externalID: str('Not used any more.'),
  podCIDR: str('Addresses for pods of the node.'),
  podCIDRs: set('Addresses for pods of the node, one range per IP family.'),
  providerID: str('The machine in the words of its provider.'),
  taints: list(Taint, 'What keeps pods away.'),
  unschedulable: bool('New pods are not placed here; kubectl cordon sets it.'),
})

const NodeCondition = define(
  `${core}NodeCondition`,
  'One observed aspect of the node.',
  {
    lastHeartbeatTime: time('When it was last reported.'),
    lastTransitionTime: time('When the status last changed.'),
    message: str('Details for people.'),
    reason: str('One word for programs.'),
    status: str('True, False or Unknown.'),
    type: str('Which aspect, such as Ready.'),
  },
  { required: ['type', 'status'] },
)
const NodeAddress = define(
  `${core}NodeAddress`,
  'An address of the node.',
  { address: str('The address.'), type: str('Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.') },
  { required: ['type', 'address'] },
)
const NodeSystemInfo = define(
  `${core}NodeSystemInfo`,
  'What the node runs.',
  {
    architecture: str('Processor architecture.'),
    bootID: str('Changes with each boot.'),
    containerRuntimeVersion: str('Container runtime and its version.'),
    kernelVersion: str('Version of the kernel.'),
    kubeProxyVersion: str('Not used any more.'),
    kubeletVersion: str('Version of the kubelet.'),
    machineID: str('ID of the machine.'),
    operatingSystem: str('Operating system.'),
    osImage: str('Operating system as it calls itself.'),
    swap: ref(define(`${core}NodeSwapStatus`, 'Swap space.', { capacity: int64('Bytes of swap.') }), 'Swap space.'),
    systemUUID: str('ID of the hardware.'),
  },
  {
    zeroed: [
      'machineID',
      'systemUUID',
      'bootID',
      'kernelVersion',
      'osImage',
      'containerRuntimeVersion',
      'kubeletVersion',
      'kubeProxyVersion',
      'operatingSystem',
      'architecture',
    ],
  },
)
const ContainerImage = define(`${core}ContainerImage`, 'An image that the node holds.', {
  names: strings('Names of the image.'),
  sizeBytes: int64('Size of the image.'),
})
const AttachedVolume = define(
  `${core}AttachedVolume`,
  'A volume attached to the node.',
  { devicePath: str('Device of the volume.'), name: str('Name of the volume.') },
  { required: ['name', 'devicePath'] },
)
const DaemonEndpoint = define(
  `${core}DaemonEndpoint`,
  'A port of a daemon.',
  { Port: int32('The port.') },
  { zeroed: ['Port'] },
)
const NodeDaemonEndpoints = define(`${core}NodeDaemonEndpoints`, 'Ports of the daemons of the node.', {
  kubeletEndpoint: ref(DaemonEndpoint, 'Port of the kubelet.'),
})
const NodeStatus = define(`${core}NodeStatus`, 'What is known about the node.', {
  addresses: listMap(NodeAddress, ['type'], 'Addresses of the node.'),
  allocatable: quantityMap('What pods may use.'),
  capacity: quantityMap('What the node has.'),
  conditions: listMap(NodeCondition, ['type'], 'Observed aspects.'),
  config: json('Kubelet settings in use; not used any more.'),
  daemonEndpoints: ref(NodeDaemonEndpoints, 'Ports of the daemons.'),
  features: json('Features of the container runtime.'),
  images: list(ContainerImage, 'Images that the node holds.'),
  nodeInfo: ref(NodeSystemInfo, 'What the node runs.'),
  phase: str('Not used any more.'),
  runtimeHandlers: json('Handlers of the container runtime.'),
  volumesAttached: list(AttachedVolume, 'Volumes attached to the node.'),
  volumesInUse: strings('Volumes mounted by the node.'),
})

export const Node = kindSchema(
  core,
  'A machine of the cluster.',
  {
    spec: ref(NodeSpec, 'What the cluster wants of the node.'),
    status: ref(NodeStatus, 'What is known about the node.'),
  },
  { group: '', version: 'v1', kind: 'Node' },
)
