/** Of apps/v1, batch/v1, policy/v1 and autoscaling/v1: what makes, scales, guards and evicts pods. Written as messageTable.ts says. */
export const workloadMessages = `
ControllerRevision: 1 metadata ObjectMeta, 2 data RawExtension, 3 revision int64?
DaemonSet: 1 metadata ObjectMeta, 2 spec DaemonSetSpec, 3 status DaemonSetStatus
DaemonSetSpec: 1 selector LabelSelector, 2 template PodTemplateSpec, 3 updateStrategy DaemonSetUpdateStrategy,
  4 minReadySeconds int32, 6 revisionHistoryLimit int32?
DaemonSetUpdateStrategy: 1 type string, 2 rollingUpdate RollingUpdateDaemonSet
RollingUpdateDaemonSet: 1 maxUnavailable IntOrString, 2 maxSurge IntOrString
DaemonSetStatus: 1 currentNumberScheduled int32?, 2 numberMisscheduled int32?, 3 desiredNumberScheduled int32?,
  4 numberReady int32?, 5 observedGeneration int64, 6 updatedNumberScheduled int32, 7 numberAvailable int32,
  8 numberUnavailable int32, 9 collisionCount int32?, 10 conditions []DaemonSetCondition
DaemonSetCondition: 1 type string?, 2 status string?, 3 lastTransitionTime Time, 4 reason string, 5 message string
Deployment: 1 metadata ObjectMeta, 2 spec DeploymentSpec, 3 status DeploymentStatus
DeploymentSpec: 1 replicas int32?, 2 selector LabelSelector, 3 template PodTemplateSpec,
  4 strategy DeploymentStrategy, 5 minReadySeconds int32, 6 revisionHistoryLimit int32?, 7 paused bool,
  9 progressDeadlineSeconds int32?
DeploymentStrategy: 1 type string, 2 rollingUpdate RollingUpdateDeployment
RollingUpdateDeployment: 1 maxUnavailable IntOrString, 2 maxSurge IntOrString
DeploymentStatus: 1 observedGeneration int64, 2 replicas int32, 3 updatedReplicas int32, 4 availableReplicas int32,
  5 unavailableReplicas int32, 6 conditions []DeploymentCondition, 7 readyReplicas int32, 8 collisionCount int32?,
  9 terminatingReplicas int32?
DeploymentCondition: 1 type string?, 2 status string?, 4 reason string, 5 message string, 6 lastUpdateTime Time,
  7 lastTransitionTime Time
ReplicaSet: 1 metadata ObjectMeta, 2 spec ReplicaSetSpec, 3 status ReplicaSetStatus
ReplicaSetSpec: 1 replicas int32?, 2 selector LabelSelector, 3 template PodTemplateSpec, 4 minReadySeconds int32
ReplicaSetStatus: 1 replicas int32?, 2 fullyLabeledReplicas int32, 3 observedGeneration int64,
  4 readyReplicas int32, 5 availableReplicas int32, 6 conditions []ReplicaSetCondition,
  7 terminatingReplicas int32?
ReplicaSetCondition: 1 type string?, 2 status string?, 3 lastTransitionTime Time, 4 reason string, 5 message string
StatefulSet: 1 metadata ObjectMeta, 2 spec StatefulSetSpec, 3 status StatefulSetStatus
StatefulSetSpec: 1 replicas int32?, 2 selector LabelSelector, 3 template PodTemplateSpec,
  4 volumeClaimTemplates []PersistentVolumeClaim, 5 serviceName string?, 6 podManagementPolicy string,
  7 updateStrategy StatefulSetUpdateStrategy, 8 revisionHistoryLimit int32?, 9 minReadySeconds int32,
  10 persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy,
  11 ordinals StatefulSetOrdinals
StatefulSetUpdateStrategy: 1 type string, 2 rollingUpdate RollingUpdateStatefulSetStrategy
RollingUpdateStatefulSetStrategy: 1 partition int32?, 2 maxUnavailable IntOrString
StatefulSetPersistentVolumeClaimRetentionPolicy: 1 whenDeleted string, 2 whenScaled string
StatefulSetOrdinals: 1 start int32?
StatefulSetStatus: 1 observedGeneration int64, 2 replicas int32?, 3 readyReplicas int32, 4 currentReplicas int32,
  5 updatedReplicas int32, 6 currentRevision string, 7 updateRevision string, 9 collisionCount int32?,
  10 conditions []StatefulSetCondition, 11 availableReplicas int32?
StatefulSetCondition: 1 type string?, 2 status string?, 3 lastTransitionTime Time, 4 reason string,
  5 message string
Job: 1 metadata ObjectMeta, 2 spec JobSpec, 3 status JobStatus
JobSpec: 1 parallelism int32?, 2 completions int32?, 3 activeDeadlineSeconds int64?, 4 selector LabelSelector,
  5 manualSelector bool?, 6 template PodTemplateSpec, 7 backoffLimit int32?, 8 ttlSecondsAfterFinished int32?,
  9 completionMode string?, 10 suspend bool?, 11 podFailurePolicy PodFailurePolicy, 12 backoffLimitPerIndex int32?,
  13 maxFailedIndexes int32?, 14 podReplacementPolicy string?, 15 managedBy string?, 16 successPolicy SuccessPolicy
PodFailurePolicy: 1 rules []PodFailurePolicyRule
PodFailurePolicyRule: 1 action string?, 2 onExitCodes PodFailurePolicyOnExitCodesRequirement,
  3 onPodConditions []PodFailurePolicyOnPodConditionsPattern
PodFailurePolicyOnExitCodesRequirement: 1 containerName string?, 2 operator string?, 3 values []int32
PodFailurePolicyOnPodConditionsPattern: 1 type string?, 2 status string?
SuccessPolicy: 1 rules []SuccessPolicyRule
SuccessPolicyRule: 1 succeededIndexes string?, 2 succeededCount int32?
JobStatus: 1 conditions []JobCondition, 2 startTime Time, 3 completionTime Time, 4 active int32, 5 succeeded int32,
  6 failed int32, 7 completedIndexes string, 8 uncountedTerminatedPods UncountedTerminatedPods, 9 ready int32?,
  10 failedIndexes string?, 11 terminating int32?
JobCondition: 1 type string?, 2 status string?, 3 lastProbeTime Time, 4 lastTransitionTime Time, 5 reason string,
  6 message string
UncountedTerminatedPods: 1 succeeded []string, 2 failed []string
CronJob: 1 metadata ObjectMeta, 2 spec CronJobSpec, 3 status CronJobStatus
CronJobSpec: 1 schedule string?, 2 startingDeadlineSeconds int64?, 3 concurrencyPolicy string, 4 suspend bool?,
  5 jobTemplate JobTemplateSpec, 6 successfulJobsHistoryLimit int32?, 7 failedJobsHistoryLimit int32?,
  8 timeZone string?
JobTemplateSpec: 1 metadata ObjectMeta, 2 spec JobSpec
CronJobStatus: 1 active []ObjectReference, 4 lastScheduleTime Time, 5 lastSuccessfulTime Time
Scale: 1 metadata ObjectMeta, 2 spec ScaleSpec, 3 status ScaleStatus
ScaleSpec: 1 replicas int32
ScaleStatus: 1 replicas int32?, 2 selector string
PodDisruptionBudget: 1 metadata ObjectMeta, 2 spec PodDisruptionBudgetSpec, 3 status PodDisruptionBudgetStatus
PodDisruptionBudgetSpec: 1 minAvailable IntOrString, 2 selector LabelSelector, 3 maxUnavailable IntOrString,
  4 unhealthyPodEvictionPolicy string?
PodDisruptionBudgetStatus: 1 observedGeneration int64, 2 disruptedPods map[Time], 3 disruptionsAllowed int32?,
  4 currentHealthy int32?, 5 desiredHealthy int32?, 6 expectedPods int32?, 7 conditions []Condition
Eviction: 1 metadata ObjectMeta, 2 deleteOptions DeleteOptions
`
