/** Of core/v1: every kind but pods. Written as messageTable.ts says. */
export const coreMessages = `
Binding: 1 metadata ObjectMeta, 2 target ObjectReference
ObjectReference: 1 kind string, 2 namespace string, 3 name string, 4 uid string, 5 apiVersion string,
  6 resourceVersion string, 7 fieldPath string
ConfigMap: 1 metadata ObjectMeta, 2 data map[string], 3 binaryData map[bytes], 4 immutable bool?
Endpoints: 1 metadata ObjectMeta, 2 subsets []EndpointSubset
EndpointSubset: 1 addresses []EndpointAddress, 2 notReadyAddresses []EndpointAddress, 3 ports []EndpointPort
EndpointAddress: 1 ip string?, 2 targetRef ObjectReference, 3 hostname string, 4 nodeName string?
EndpointPort: 1 name string, 2 port int32?, 3 protocol string, 4 appProtocol string?
Event: 1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason string, 4 message string,
  5 source EventSource, 6 firstTimestamp Time, 7 lastTimestamp Time, 8 count int32, 9 type string,
  10 eventTime MicroTime, 11 series EventSeries, 12 action string, 13 related ObjectReference,
  14 reportingComponent string?, 15 reportingInstance string?
EventSource: 1 component string, 2 host string
EventSeries: 1 count int32, 2 lastObservedTime MicroTime
Namespace: 1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus
NamespaceSpec: 1 finalizers []string
NamespaceStatus: 1 phase string, 2 conditions []NamespaceCondition
NamespaceCondition: 1 type string?, 2 status string?, 4 lastTransitionTime Time, 5 reason string, 6 message string
Node: 1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus
NodeSpec: 1 podCIDR string, 2 externalID string, 3 providerID string, 4 unschedulable bool, 5 taints []Taint,
  6 configSource NodeConfigSource, 7 podCIDRs []string
Taint: 1 key string?, 2 value string, 3 effect string?, 4 timeAdded Time
NodeConfigSource: 2 configMap ConfigMapNodeConfigSource
ConfigMapNodeConfigSource: 1 namespace string?, 2 name string?, 3 uid string, 4 resourceVersion string,
  5 kubeletConfigKey string?
NodeStatus: 1 capacity map[Quantity], 2 allocatable map[Quantity], 3 phase string, 4 conditions []NodeCondition,
  5 addresses []NodeAddress, 6 daemonEndpoints NodeDaemonEndpoints, 7 nodeInfo NodeSystemInfo,
  8 images []ContainerImage, 9 volumesInUse []string, 10 volumesAttached []AttachedVolume,
  11 config NodeConfigStatus, 12 runtimeHandlers []NodeRuntimeHandler, 13 features NodeFeatures
NodeCondition: 1 type string?, 2 status string?, 3 lastHeartbeatTime Time, 4 lastTransitionTime Time,
  5 reason string, 6 message string
NodeAddress: 1 type string?, 2 address string?
NodeDaemonEndpoints: 1 kubeletEndpoint DaemonEndpoint
DaemonEndpoint: 1 Port int32?
NodeSystemInfo: 1 machineID string?, 2 systemUUID string?, 3 bootID string?, 4 kernelVersion string?,
  5 osImage string?, 6 containerRuntimeVersion string?, 7 kubeletVersion string?, 8 kubeProxyVersion string?,
  9 operatingSystem string?, 10 architecture string?, 11 swap NodeSwapStatus
NodeSwapStatus: 1 capacity int64?
ContainerImage: 1 names []string, 2 sizeBytes int64
AttachedVolume: 1 name string?, 2 devicePath string?
NodeConfigStatus: 1 assigned NodeConfigSource, 2 active NodeConfigSource, 3 lastKnownGood NodeConfigSource,
  4 error string
NodeRuntimeHandler: 1 name string?, 2 features NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts bool?, 2 userNamespaces bool?
NodeFeatures: 1 supplementalGroupsPolicy bool?
PersistentVolumeClaim: 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec,
  3 status PersistentVolumeClaimStatus
PersistentVolumeClaimStatus: 1 phase string, 2 accessModes []string, 3 capacity map[Quantity],
  4 conditions []PersistentVolumeClaimCondition, 5 allocatedResources map[Quantity],
  7 allocatedResourceStatuses map[string], 8 currentVolumeAttributesClassName string?,
  9 modifyVolumeStatus ModifyVolumeStatus
PersistentVolumeClaimCondition: 1 type string?, 2 status string?, 3 lastProbeTime Time, 4 lastTransitionTime Time,
  5 reason string, 6 message string
ModifyVolumeStatus: 1 targetVolumeAttributesClassName string, 2 status string?
PersistentVolume: 1 metadata ObjectMeta, 2 spec PersistentVolumeSpec, 3 status PersistentVolumeStatus
PersistentVolumeSpec: 1 capacity map[Quantity], 2 - PersistentVolumeSource, 3 accessModes []string,
  4 claimRef ObjectReference, 5 persistentVolumeReclaimPolicy string, 6 storageClassName string,
  7 mountOptions []string, 8 volumeMode string?, 9 nodeAffinity VolumeNodeAffinity,
  10 volumeAttributesClassName string?
PersistentVolumeSource: 1 gcePersistentDisk GCEPersistentDiskVolumeSource,
  2 awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 3 hostPath HostPathVolumeSource,
  4 glusterfs GlusterfsPersistentVolumeSource, 5 nfs NFSVolumeSource, 6 rbd RBDPersistentVolumeSource,
  7 iscsi ISCSIPersistentVolumeSource, 8 cinder CinderPersistentVolumeSource, 9 cephfs CephFSPersistentVolumeSource,
  10 fc FCVolumeSource, 11 flocker FlockerVolumeSource, 12 flexVolume FlexPersistentVolumeSource,
  13 azureFile AzureFilePersistentVolumeSource, 14 vsphereVolume VsphereVirtualDiskVolumeSource,
  15 quobyte QuobyteVolumeSource, 16 azureDisk AzureDiskVolumeSource,
  17 photonPersistentDisk PhotonPersistentDiskVolumeSource, 18 portworxVolume PortworxVolumeSource,
  19 scaleIO ScaleIOPersistentVolumeSource, 20 local LocalVolumeSource,
  21 storageos StorageOSPersistentVolumeSource, 22 csi CSIPersistentVolumeSource
GlusterfsPersistentVolumeSource: 1 endpoints string?, 2 path string?, 3 readOnly bool, 4 endpointsNamespace string?
RBDPersistentVolumeSource: 1 monitors []string, 2 image string?, 3 fsType string, 4 pool string, 5 user string,
  6 keyring string, 7 secretRef SecretReference, 8 readOnly bool
SecretReference: 1 name string, 2 namespace string
ISCSIPersistentVolumeSource: 1 targetPortal string?, 2 iqn string?, 3 lun int32?, 4 iscsiInterface string,
  5 fsType string, 6 readOnly bool, 7 portals []string, 8 chapAuthDiscovery bool, 10 secretRef SecretReference,
  11 chapAuthSession bool, 12 initiatorName string?
CinderPersistentVolumeSource: 1 volumeID string?, 2 fsType string, 3 readOnly bool, 4 secretRef SecretReference
CephFSPersistentVolumeSource: 1 monitors []string, 2 path string, 3 user string, 4 secretFile string,
  5 secretRef SecretReference, 6 readOnly bool
FlexPersistentVolumeSource: 1 driver string?, 2 fsType string, 3 secretRef SecretReference, 4 readOnly bool,
  5 options map[string]
AzureFilePersistentVolumeSource: 1 secretName string?, 2 shareName string?, 3 readOnly bool,
  4 secretNamespace string?
ScaleIOPersistentVolumeSource: 1 gateway string?, 2 system string?, 3 secretRef SecretReference, 4 sslEnabled bool,
  5 protectionDomain string, 6 storagePool string, 7 storageMode string, 8 volumeName string, 9 fsType string,
  10 readOnly bool
LocalVolumeSource: 1 path string?, 2 fsType string?
StorageOSPersistentVolumeSource: 1 volumeName string, 2 volumeNamespace string, 3 fsType string, 4 readOnly bool,
  5 secretRef ObjectReference
CSIPersistentVolumeSource: 1 driver string?, 2 volumeHandle string?, 3 readOnly bool, 4 fsType string,
  5 volumeAttributes map[string], 6 controllerPublishSecretRef SecretReference,
  7 nodeStageSecretRef SecretReference, 8 nodePublishSecretRef SecretReference,
  9 controllerExpandSecretRef SecretReference, 10 nodeExpandSecretRef SecretReference
VolumeNodeAffinity: 1 required NodeSelector
PersistentVolumeStatus: 1 phase string, 2 message string, 3 reason string, 4 lastPhaseTransitionTime Time
ResourceQuota: 1 metadata ObjectMeta, 2 spec ResourceQuotaSpec, 3 status ResourceQuotaStatus
ResourceQuotaSpec: 1 hard map[Quantity], 2 scopes []string, 3 scopeSelector ScopeSelector
ScopeSelector: 1 matchExpressions []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement: 1 scopeName string?, 2 operator string?, 3 values []string
ResourceQuotaStatus: 1 hard map[Quantity], 2 used map[Quantity]
ReplicationController: 1 metadata ObjectMeta, 2 spec ReplicationControllerSpec,
  3 status ReplicationControllerStatus
ReplicationControllerSpec: 1 replicas int32?, 2 selector map[string], 3 template PodTemplateSpec,
  4 minReadySeconds int32
PodTemplateSpec: 1 metadata ObjectMeta, 2 spec PodSpec
ReplicationControllerStatus: 1 replicas int32?, 2 fullyLabeledReplicas int32, 3 observedGeneration int64,
  4 readyReplicas int32, 5 availableReplicas int32, 6 conditions []ReplicationControllerCondition
ReplicationControllerCondition: 1 type string?, 2 status string?, 3 lastTransitionTime Time, 4 reason string,
  5 message string
Secret: 1 metadata ObjectMeta, 2 data map[bytes], 3 type string, 4 stringData map[string], 5 immutable bool?
ServiceAccount: 1 metadata ObjectMeta, 2 secrets []ObjectReference, 3 imagePullSecrets []LocalObjectReference,
  4 automountServiceAccountToken bool?
Service: 1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus
ServiceSpec: 1 ports []ServicePort, 2 selector map[string], 3 clusterIP string, 4 type string,
  5 externalIPs []string, 7 sessionAffinity string, 8 loadBalancerIP string, 9 loadBalancerSourceRanges []string,
  10 externalName string, 11 externalTrafficPolicy string, 12 healthCheckNodePort int32,
  13 publishNotReadyAddresses bool, 14 sessionAffinityConfig SessionAffinityConfig, 17 ipFamilyPolicy string?,
  18 clusterIPs []string, 19 ipFamilies []string, 20 allocateLoadBalancerNodePorts bool?,
  21 loadBalancerClass string?, 22 internalTrafficPolicy string?, 23 trafficDistribution string?
ServicePort: 1 name string, 2 protocol string, 3 port int32?, 4 targetPort IntOrString, 5 nodePort int32,
  6 appProtocol string?
SessionAffinityConfig: 1 clientIP ClientIPConfig
ClientIPConfig: 1 timeoutSeconds int32?
ServiceStatus: 1 loadBalancer LoadBalancerStatus, 2 conditions []Condition
LoadBalancerStatus: 1 ingress []LoadBalancerIngress
LoadBalancerIngress: 1 ip string, 2 hostname string, 3 ipMode string?, 4 ports []PortStatus
PortStatus: 1 port int32?, 2 protocol string?, 3 error string?
`
