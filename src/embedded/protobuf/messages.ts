/**
 * Field numbers of the built-in kinds' protobuf form, as typed Go clients send them (`kubectl create`, `drain`,
 * `auth can-i`). They are part of the API's wire format and never change meaning.
 *
 * One line per message: `NUMBER name TYPE` separated by commas. `*` after a type: repeated; `?`: optional on the Go
 * side, so that a zero that was sent is meant; without it a zero means "not set".
 */
export const messages: Readonly<Record<string, string>> = {
  // meta/v1
  ObjectMeta:
    '1 name string, 2 generateName string, 3 namespace string, 4 selfLink string, 5 uid string, 6 resourceVersion string, 7 generation int64, ' +
    '8 creationTimestamp Time, 9 deletionTimestamp Time?, 10 deletionGracePeriodSeconds int64?, 11 labels map<string>, 12 annotations map<string>, ' +
    '13 ownerReferences OwnerReference*, 14 finalizers string*, 17 managedFields ManagedFieldsEntry*',
  OwnerReference:
    '1 kind string, 3 name string, 4 uid string, 5 apiVersion string, 6 controller bool?, 7 blockOwnerDeletion bool?',
  ManagedFieldsEntry:
    '1 manager string, 2 operation string, 3 apiVersion string, 4 time Time?, 6 fieldsType string, 7 fieldsV1 FieldsV1?, 8 subresource string',
  LabelSelector: '1 matchLabels map<string>, 2 matchExpressions LabelSelectorRequirement*',
  LabelSelectorRequirement: '1 key string, 2 operator string, 3 values string*',
  Preconditions: '1 uid string?, 2 resourceVersion string?',
  DeleteOptions:
    '1 gracePeriodSeconds int64?, 2 preconditions Preconditions?, 3 orphanDependents bool?, 4 propagationPolicy string?, 5 dryRun string*',
  Condition:
    '1 type string, 2 status string, 3 observedGeneration int64, 4 lastTransitionTime Time, 5 reason string, 6 message string',

  // core/v1
  ConfigMap: '1 metadata ObjectMeta, 2 data map<string>, 3 binaryData map<bytes>, 4 immutable bool?',
  Secret: '1 metadata ObjectMeta, 2 data map<bytes>, 3 type string, 4 stringData map<string>, 5 immutable bool?',
  Namespace: '1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus',
  NamespaceSpec: '1 finalizers string*',
  NamespaceStatus: '1 phase string',
  ServiceAccount:
    '1 metadata ObjectMeta, 2 secrets ObjectReference*, 3 imagePullSecrets LocalObjectReference*, 4 automountServiceAccountToken bool?',
  ObjectReference:
    '1 kind string, 2 namespace string, 3 name string, 4 uid string, 5 apiVersion string, 6 resourceVersion string, 7 fieldPath string',
  LocalObjectReference: '1 name string',
  Binding: '1 metadata ObjectMeta, 2 target ObjectReference',
  Event:
    '1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason string, 4 message string, 5 source EventSource, 6 firstTimestamp Time, ' +
    '7 lastTimestamp Time, 8 count int32, 9 type string, 10 eventTime MicroTime, 11 series EventSeries?, 12 action string, ' +
    '13 related ObjectReference?, 14 reportingComponent string, 15 reportingInstance string',
  EventSource: '1 component string, 2 host string',
  EventSeries: '1 count int32, 2 lastObservedTime MicroTime',
  Service: '1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus',
  ServiceSpec:
    '1 ports ServicePort*, 2 selector map<string>, 3 clusterIP string, 4 type string, 5 externalIPs string*, 7 sessionAffinity string, ' +
    '8 loadBalancerIP string, 9 loadBalancerSourceRanges string*, 10 externalName string, 11 externalTrafficPolicy string, 12 healthCheckNodePort int32, ' +
    '13 publishNotReadyAddresses bool, 14 sessionAffinityConfig SessionAffinityConfig?, 17 ipFamilyPolicy string?, 18 clusterIPs string*, ' +
    '19 ipFamilies string*, 20 allocateLoadBalancerNodePorts bool?, 21 loadBalancerClass string?, 22 internalTrafficPolicy string?, 23 trafficDistribution string?',
  ServicePort:
    '1 name string, 2 protocol string, 3 port int32, 4 targetPort IntOrString, 5 nodePort int32, 6 appProtocol string?',
  ServiceStatus: '1 loadBalancer LoadBalancerStatus, 2 conditions Condition*',
  LoadBalancerStatus: '',
  SessionAffinityConfig: '1 clientIP ClientIPConfig?',
  ClientIPConfig: '1 timeoutSeconds int32?',
  Pod: '1 metadata ObjectMeta, 2 spec PodSpec, 3 status PodStatus',
  PodStatus: '1 phase string, 3 message string, 4 reason string, 5 hostIP string, 6 podIP string, 9 qosClass string',
  PodTemplateSpec: '1 metadata ObjectMeta, 2 spec PodSpec',
  PodSpec:
    '1 volumes Volume*, 2 containers Container*, 3 restartPolicy string, 4 terminationGracePeriodSeconds int64?, 5 activeDeadlineSeconds int64?, ' +
    '6 dnsPolicy string, 7 nodeSelector map<string>, 8 serviceAccountName string, 9 serviceAccount string, 10 nodeName string, 11 hostNetwork bool, ' +
    '12 hostPID bool, 13 hostIPC bool, 14 securityContext PodSecurityContext?, 15 imagePullSecrets LocalObjectReference*, 16 hostname string, ' +
    '17 subdomain string, 19 schedulerName string, 20 initContainers Container*, 21 automountServiceAccountToken bool?, 22 tolerations Toleration*, ' +
    '24 priorityClassName string, 25 priority int32?, 27 shareProcessNamespace bool?, 29 runtimeClassName string?, 30 enableServiceLinks bool?, ' +
    '31 preemptionPolicy string?, 32 overhead map<Quantity>, 35 setHostnameAsFQDN bool?, 37 hostUsers bool?',
  PodSecurityContext:
    '2 runAsUser int64?, 3 runAsNonRoot bool?, 4 supplementalGroups int64*, 5 fsGroup int64?, 6 runAsGroup int64?, 9 fsGroupChangePolicy string?, 10 seccompProfile SeccompProfile?',
  SeccompProfile: '1 type string, 2 localhostProfile string?',
  Toleration: '1 key string, 2 operator string, 3 value string, 4 effect string, 5 tolerationSeconds int64?',
  Container:
    '1 name string, 2 image string, 3 command string*, 4 args string*, 5 workingDir string, 6 ports ContainerPort*, 7 env EnvVar*, ' +
    '8 resources ResourceRequirements, 9 volumeMounts VolumeMount*, 10 livenessProbe Probe?, 11 readinessProbe Probe?, 13 terminationMessagePath string, ' +
    '14 imagePullPolicy string, 15 securityContext SecurityContext?, 16 stdin bool, 17 stdinOnce bool, 18 tty bool, 19 envFrom EnvFromSource*, ' +
    '20 terminationMessagePolicy string, 22 startupProbe Probe?, 24 restartPolicy string?',
  ContainerPort: '1 name string, 2 hostPort int32, 3 containerPort int32, 4 protocol string, 5 hostIP string',
  EnvVar: '1 name string, 2 value string, 3 valueFrom EnvVarSource?',
  EnvVarSource: '1 fieldRef ObjectFieldSelector?, 3 configMapKeyRef KeySelector?, 4 secretKeyRef KeySelector?',
  ObjectFieldSelector: '1 apiVersion string, 2 fieldPath string',
  KeySelector: '1 localObjectReference LocalObjectReference^, 2 key string, 3 optional bool?',
  EnvFromSource: '1 prefix string, 2 configMapRef ReferenceSource?, 3 secretRef ReferenceSource?',
  ReferenceSource: '1 localObjectReference LocalObjectReference^, 2 optional bool?',
  ResourceRequirements: '1 limits map<Quantity>, 2 requests map<Quantity>',
  VolumeMount:
    '1 name string, 2 readOnly bool, 3 mountPath string, 4 subPath string, 5 mountPropagation string?, 6 subPathExpr string',
  SecurityContext:
    '1 capabilities Capabilities?, 2 privileged bool?, 4 runAsUser int64?, 5 runAsNonRoot bool?, 6 readOnlyRootFilesystem bool?, ' +
    '7 allowPrivilegeEscalation bool?, 8 runAsGroup int64?, 9 procMount string?, 11 seccompProfile SeccompProfile?',
  Capabilities: '1 add string*, 2 drop string*',
  Probe:
    '1 handler ProbeHandler^, 2 initialDelaySeconds int32, 3 timeoutSeconds int32, 4 periodSeconds int32, 5 successThreshold int32, 6 failureThreshold int32, 7 terminationGracePeriodSeconds int64?',
  ProbeHandler: '1 exec ExecAction?, 2 httpGet HttpGetAction?, 3 tcpSocket TcpSocketAction?',
  ExecAction: '1 command string*',
  HttpGetAction: '1 path string, 2 port IntOrString, 3 host string, 4 scheme string',
  TcpSocketAction: '1 port IntOrString, 2 host string',
  Volume: '1 name string, 2 volumeSource VolumeSource^',
  VolumeSource:
    '1 hostPath HostPathSource?, 2 emptyDir EmptyDirSource?, 6 secret SecretSource?, 10 persistentVolumeClaim ClaimSource?, 19 configMap ConfigMapSource?',
  HostPathSource: '1 path string, 2 type string?',
  EmptyDirSource: '1 medium string, 2 sizeLimit Quantity?',
  SecretSource: '1 secretName string, 2 items KeyToPath*, 3 defaultMode int32?, 4 optional bool?',
  ConfigMapSource:
    '1 localObjectReference LocalObjectReference^, 2 items KeyToPath*, 3 defaultMode int32?, 4 optional bool?',
  KeyToPath: '1 key string, 2 path string, 3 mode int32?',
  ClaimSource: '1 claimName string, 2 readOnly bool',

  // apps/v1, batch/v1
  Deployment: '1 metadata ObjectMeta, 2 spec DeploymentSpec, 3 status DeploymentStatus',
  DeploymentSpec:
    '1 replicas int32?, 2 selector LabelSelector?, 3 template PodTemplateSpec, 4 strategy DeploymentStrategy, 5 minReadySeconds int32, ' +
    '6 revisionHistoryLimit int32?, 7 paused bool, 9 progressDeadlineSeconds int32?',
  DeploymentStrategy: '1 type string, 2 rollingUpdate RollingUpdate?',
  RollingUpdate: '1 maxUnavailable IntOrString?, 2 maxSurge IntOrString?',
  DeploymentStatus:
    '1 observedGeneration int64, 2 replicas int32, 3 updatedReplicas int32, 4 availableReplicas int32, 5 unavailableReplicas int32, 7 readyReplicas int32',
  Job: '1 metadata ObjectMeta, 2 spec JobSpec, 3 status JobStatus',
  JobSpec:
    '1 parallelism int32?, 2 completions int32?, 3 activeDeadlineSeconds int64?, 4 selector LabelSelector?, 5 manualSelector bool?, ' +
    '6 template PodTemplateSpec, 7 backoffLimit int32?, 8 ttlSecondsAfterFinished int32?, 9 completionMode string?, 10 suspend bool?',
  JobStatus: '4 active int32, 5 succeeded int32, 6 failed int32, 7 completedIndexes string',
  CronJob: '1 metadata ObjectMeta, 2 spec CronJobSpec, 3 status CronJobStatus',
  CronJobSpec:
    '1 schedule string, 2 startingDeadlineSeconds int64?, 3 concurrencyPolicy string, 4 suspend bool?, 5 jobTemplate JobTemplateSpec, ' +
    '6 successfulJobsHistoryLimit int32?, 7 failedJobsHistoryLimit int32?, 8 timeZone string?',
  JobTemplateSpec: '1 metadata ObjectMeta, 2 spec JobSpec',
  CronJobStatus: '4 lastScheduleTime Time?, 5 lastSuccessfulTime Time?',

  // policy/v1, coordination/v1
  Eviction: '1 metadata ObjectMeta, 2 deleteOptions DeleteOptions?',
  PodDisruptionBudget: '1 metadata ObjectMeta, 2 spec PodDisruptionBudgetSpec, 3 status PodDisruptionBudgetStatus',
  PodDisruptionBudgetSpec:
    '1 minAvailable IntOrString?, 2 selector LabelSelector?, 3 maxUnavailable IntOrString?, 4 unhealthyPodEvictionPolicy string?',
  PodDisruptionBudgetStatus:
    '1 observedGeneration int64, 3 disruptionsAllowed int32, 4 currentHealthy int32, 5 desiredHealthy int32, 6 expectedPods int32, 7 conditions Condition*',
  Lease: '1 metadata ObjectMeta, 2 spec LeaseSpec',
  LeaseSpec:
    '1 holderIdentity string?, 2 leaseDurationSeconds int32?, 3 acquireTime MicroTime?, 4 renewTime MicroTime?, 5 leaseTransitions int32?, 6 strategy string?, 7 preferredHolder string?',

  // rbac/v1
  Role: '1 metadata ObjectMeta, 2 rules PolicyRule*',
  ClusterRole: '1 metadata ObjectMeta, 2 rules PolicyRule*, 3 aggregationRule AggregationRule?',
  AggregationRule: '1 clusterRoleSelectors LabelSelector*',
  PolicyRule:
    '1 verbs string*, 2 apiGroups string*, 3 resources string*, 4 resourceNames string*, 5 nonResourceURLs string*',
  RoleBinding: '1 metadata ObjectMeta, 2 subjects Subject*, 3 roleRef RoleRef',
  ClusterRoleBinding: '1 metadata ObjectMeta, 2 subjects Subject*, 3 roleRef RoleRef',
  Subject: '1 kind string, 2 apiGroup string, 3 name string, 4 namespace string',
  RoleRef: '1 apiGroup string, 2 kind string, 3 name string',

  // authentication/v1, authorization/v1
  SelfSubjectReview: '1 metadata ObjectMeta, 2 status SelfSubjectReviewStatus',
  SelfSubjectReviewStatus: '1 userInfo UserInfo',
  UserInfo: '1 username string, 2 uid string, 3 groups string*',
  TokenReview: '1 metadata ObjectMeta, 2 spec TokenReviewSpec, 3 status TokenReviewStatus',
  TokenReviewSpec: '1 token string, 2 audiences string*',
  TokenReviewStatus: '1 authenticated bool, 2 user UserInfo, 3 error string, 4 audiences string*',
  TokenRequest: '1 metadata ObjectMeta, 2 spec TokenRequestSpec, 3 status TokenRequestStatus',
  TokenRequestSpec: '1 audiences string*, 3 boundObjectRef BoundObjectReference?, 4 expirationSeconds int64?',
  TokenRequestStatus: '1 token string, 2 expirationTimestamp Time',
  BoundObjectReference: '1 kind string, 2 apiVersion string, 3 name string, 4 uid string',
  SelfSubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SelfSubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SelfSubjectAccessReviewSpec:
    '1 resourceAttributes ResourceAttributes?, 2 nonResourceAttributes NonResourceAttributes?',
  SubjectAccessReview: '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  LocalSubjectAccessReview: '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SubjectAccessReviewSpec:
    '1 resourceAttributes ResourceAttributes?, 2 nonResourceAttributes NonResourceAttributes?, 3 user string, 4 groups string*, 6 uid string',
  SubjectAccessReviewStatus: '1 allowed bool, 2 reason string, 3 evaluationError string, 4 denied bool',
  ResourceAttributes:
    '1 namespace string, 2 verb string, 3 group string, 4 version string, 5 resource string, 6 subresource string, 7 name string',
  NonResourceAttributes: '1 path string, 2 verb string',
  SelfSubjectRulesReview: '1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, 3 status SubjectRulesReviewStatus',
  SelfSubjectRulesReviewSpec: '1 namespace string',
  SubjectRulesReviewStatus: '3 incomplete bool, 4 evaluationError string',
}
