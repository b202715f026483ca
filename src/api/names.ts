/**
 * Every name of the wire that has no type of its own: annotation and label keys, condition types, reasons, values,
 * namespaces and singleton names. Written once, here; everything else imports them.
 * The machineconfiguration.openshift.io names are OpenShift's public API. It is long because it is a catalogue, in which one looks up.
 */

const prefix = 'machineconfiguration.openshift.io/'

/** Where the operator and its namespaced objects live; events about cluster-scoped objects are created in it too. */
export const operatorNamespace = 'openshift-machine-config-operator'
export const machineApiNamespace = 'openshift-machine-api'
export const configNamespace = 'openshift-config'
export const managedConfigNamespace = 'openshift-config-managed'
export const kubeSystemNamespace = 'kube-system'

export const singletonName = {
  controllerConfig: 'machine-config-controller',
  machineConfiguration: 'cluster',
  osImageStream: 'cluster',
  internalReleaseImage: 'cluster',
  /** Every config.openshift.io kind except ClusterVersion. */
  clusterSettings: 'cluster',
  clusterVersion: 'version',
  clusterOperator: 'machine-config',
} as const

/** On the Node: the protocol between the controllers and the daemon. */
export const nodeAnnotation = {
  currentConfig: `${prefix}currentConfig`,
  desiredConfig: `${prefix}desiredConfig`,
  currentImage: `${prefix}currentImage`,
  desiredImage: `${prefix}desiredImage`,
  state: `${prefix}state`,
  reason: `${prefix}reason`,
  postConfigAction: `${prefix}post-config-action`,
  /** `drain-<rendered>` or `uncordon-<rendered>`; written by the daemon. */
  desiredDrain: `${prefix}desiredDrain`,
  /** Copy of the request; written by the drain controller, only on success. */
  lastAppliedDrain: `${prefix}lastAppliedDrain`,
  controlPlaneTopology: `${prefix}controlPlaneTopology`,
  firstPivotConfig: `${prefix}firstPivotConfig`,
  customPoolLabelsApplied: `${prefix}customPoolLabelsApplied`,
  lastSyncedControllerConfigResourceVersion: `${prefix}lastSyncedControllerConfigResourceVersion`,
  lastObservedServerCA: `${prefix}lastObservedServerCAAnnotation`,
  ostreeFinalizeStagedFailure: `${prefix}ostree-finalize-staged-failure`,
} as const

/** Values of `nodeAnnotation.state`. */
export const nodeState = {
  done: 'Done',
  working: 'Working',
  degraded: 'Degraded',
  unreconcilable: 'Unreconcilable',
  rebooting: 'Rebooting',
} as const
export type NodeState = (typeof nodeState)[keyof typeof nodeState]

/** A drain request is one of these, then the rendered config's name. */
export const drainRequest = { drainPrefix: 'drain-', uncordonPrefix: 'uncordon-' } as const

/** The value of `nodeAnnotation.reason` is cut at this many characters. */
export const nodeReasonMaxLength = 2000

export const nodeLabel = {
  rolePrefix: 'node-role.kubernetes.io/',
  master: 'node-role.kubernetes.io/master',
  controlPlane: 'node-role.kubernetes.io/control-plane',
  worker: 'node-role.kubernetes.io/worker',
  arbiter: 'node-role.kubernetes.io/arbiter',
  zone: 'topology.kubernetes.io/zone',
  os: 'kubernetes.io/os',
  arch: 'kubernetes.io/arch',
  hostname: 'kubernetes.io/hostname',
} as const

export const nodeTaint = {
  /** PreferNoSchedule, without a value: this node still waits for the new config. */
  updateInProgress: 'UpdateInProgress',
  master: 'node-role.kubernetes.io/master',
  controlPlane: 'node-role.kubernetes.io/control-plane',
  unschedulable: 'node.kubernetes.io/unschedulable',
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
} as const

/** On MachineConfigs, fragments and rendered ones. */
export const machineConfigLabel = { role: `${prefix}role` } as const
export const machineConfigAnnotation = {
  /** Operator build hash; a non-empty value marks a MachineConfig that a controller generated. */
  generatedByControllerVersion: `${prefix}generated-by-controller-version`,
  releaseImageVersion: `${prefix}release-image-version`,
  /** `true` when the OS image came from a user's MachineConfig. */
  osImageUrlOverridden: `${prefix}os-image-url-overridden`,
  originalOsImageUrl: `${prefix}original-osimageurl`,
  oclOsImageUrl: `${prefix}ocl-osimageurl`,
  /** Ours, on fragments and what is rendered from them: paths whose contents are secret, separated by commas. */
  secretPaths: 'machineconfig.io/secret-paths',
} as const

export const controllerConfigAnnotation = {
  generatedByVersion: `${prefix}generated-by-version`,
  releaseImageVersion: `${prefix}release-image-version`,
  serviceCaRotate: `${prefix}service-ca-rotate`,
} as const

export const poolLabel = {
  builtIn: `${prefix}mco-built-in`,
  requiredForUpgrade: 'operator.machineconfiguration.openshift.io/required-for-upgrade',
  /** Then the pool's name; KubeletConfig and ContainerRuntimeConfig select on it. */
  poolPrefix: 'pools.operator.machineconfiguration.openshift.io/',
  layeringEnabled: `${prefix}layering-enabled`,
  rebuildImage: `${prefix}rebuildImage`,
} as const

export const poolName = { master: 'master', worker: 'worker', arbiter: 'arbiter' } as const

export const generatedConfigAnnotation = {
  /** On KubeletConfig and ContainerRuntimeConfig: suffix ("" or 1..9) of the MachineConfig made from it. */
  mcNameSuffix: `${prefix}mc-name-suffix`,
} as const

export const osImageStreamAnnotation = {
  releaseImageVersion: `${prefix}release-image-version`,
  releasePayloadImage: `${prefix}release-payload-image`,
} as const

export const machineOsConfigAnnotation = {
  currentMachineOsBuild: `${prefix}current-machine-os-build`,
  rebuild: `${prefix}rebuild`,
  preBuiltImage: `${prefix}pre-built-image`,
} as const

/** Labels and annotations of the objects of one OS image build. */
export const buildLabel = {
  onClusterLayering: `${prefix}on-cluster-layering`,
  ephemeralBuildObject: `${prefix}ephemeral-build-object`,
  renderedMachineConfig: `${prefix}rendered-machine-config`,
  targetMachineConfigPool: `${prefix}target-machine-config-pool`,
  machineOsBuild: `${prefix}machine-os-build`,
  machineOsConfig: `${prefix}machine-os-config`,
  jobUid: `${prefix}job-uid`,
  renderedImagePushSecret: `${prefix}rendered-image-push-secret`,
  canonicalizedSecret: `${prefix}canonicalizedSecret`,
  originalSecretName: `${prefix}originalSecretName`,
} as const

export const bootImageAnnotation = {
  updatesOptedInAt: `${prefix}boot-image-updates-opted-in-at`,
  stubIgnitionUpgradedTo: `${prefix}stub-ignition-upgraded-to`,
  stubIgnitionUpgradedAt: `${prefix}stub-ignition-upgraded-at`,
} as const

/** Objects of the config server in the operator's namespace. */
export const serverObject = {
  /** A Secret with the signer, and a ConfigMap with every authority that clients should trust. */
  ca: 'machine-config-server-ca',
  tls: 'machine-config-server-tls',
  /** Ours: which machines fetched a config, for `mco status`. */
  joins: 'machine-config-server-joins',
} as const
/** In ConfigMaps that hold a bundle of authorities. */
export const caBundleKey = 'ca-bundle.crt'

/** `<pool>-user-data` and `<pool>-user-data-managed`: what platforms hand to a machine that boots. */
export const userData = {
  suffix: '-user-data',
  managedSuffix: '-user-data-managed',
  key: 'userData',
  disableTemplatingKey: 'disableTemplating',
} as const

/** Ours: join tokens are Secrets of this type. */
export const joinToken = {
  secretType: 'machineconfig.io/join-token',
  label: 'machineconfig.io/join-token',
  poolLabel: 'machineconfig.io/pool',
  usesAnnotation: 'machineconfig.io/join-token-uses',
} as const

/** Ours: on a Secret `*-user-data`, asks for its pointer of specification 2 to be converted. */
export const upgradeStubAnnotation = 'machineconfig.io/upgrade-stub-ignition'

export const certificateAnnotation = {
  managedCaBundleDerivedFromConfigMap: `${prefix}managed-ca-bundle-derived-from-configmap`,
  notBefore: 'auth.openshift.io/certificate-not-before',
  notAfter: 'auth.openshift.io/certificate-not-after',
  issuer: 'auth.openshift.io/certificate-issuer',
  hostnames: 'auth.openshift.io/certificate-hostnames',
  refreshPeriod: 'certificates.openshift.io/refresh-period',
  component: 'openshift.io/owning-component',
  description: 'openshift.io/description',
  /** Ours: on the bundle's ConfigMap, what the last rotation failed with. */
  rotationFault: 'machineconfig.io/rotation-fault',
} as const

export const crdLabel = { operatorManaged: 'openshift.io/operator-managed' } as const

export const poolCondition = {
  updated: 'Updated',
  updating: 'Updating',
  degraded: 'Degraded',
  nodeDegraded: 'NodeDegraded',
  renderDegraded: 'RenderDegraded',
  imageBuildDegraded: 'ImageBuildDegraded',
  pinnedImageSetsDegraded: 'PinnedImageSetsDegraded',
  poolSynchronizerDegraded: 'PoolSynchronizerDegraded',
  buildPending: 'BuildPending',
  building: 'Building',
  buildSuccess: 'BuildSuccess',
  buildFailed: 'BuildFailed',
  buildInterrupted: 'BuildInterrupted',
} as const
export type PoolConditionType = (typeof poolCondition)[keyof typeof poolCondition]

export const controllerConfigCondition = {
  running: 'TemplateControllerRunning',
  completed: 'TemplateControllerCompleted',
  failing: 'TemplateControllerFailing',
} as const

/** KubeletConfig writes Accepted, then one trailing Success or Failure for old clients; ContainerRuntimeConfig the latter two. */
export const generatedConfigCondition = { accepted: 'Accepted', success: 'Success', failure: 'Failure' } as const

export const machineConfigNodeCondition = {
  updatePrepared: 'UpdatePrepared',
  updateExecuted: 'UpdateExecuted',
  updatePostActionComplete: 'UpdatePostActionComplete',
  updateComplete: 'UpdateComplete',
  updated: 'Updated',
  resumed: 'Resumed',
  drained: 'Drained',
  appliedFilesAndOs: 'AppliedFilesAndOS',
  appliedFiles: 'AppliedFiles',
  appliedOsImage: 'AppliedOSImage',
  imagePulledFromRegistry: 'ImagePulledFromRegistry',
  cordoned: 'Cordoned',
  uncordoned: 'Uncordoned',
  rebootedNode: 'RebootedNode',
  nodeDegraded: 'NodeDegraded',
  pinnedImageSetsProgressing: 'PinnedImageSetsProgressing',
  pinnedImageSetsDegraded: 'PinnedImageSetsDegraded',
  internalReleaseImageDegraded: 'InternalReleaseImageDegraded',
} as const
export type MachineConfigNodeConditionType =
  (typeof machineConfigNodeCondition)[keyof typeof machineConfigNodeCondition]

export const machineConfigNodeReason = { notYetOccurred: 'NotYetOccurred' } as const
/** Stands for a pool or config name of a MachineConfigNode while it is unknown. */
export const notYetSet = 'not-yet-set'

export const buildCondition = {
  prepared: 'Prepared',
  building: 'Building',
  succeeded: 'Succeeded',
  failed: 'Failed',
  interrupted: 'Interrupted',
} as const

export const machineOsConfigCondition = { seeded: 'Seeded' } as const
export const machineOsConfigReason = { preBuiltImageSeeded: 'PreBuiltImageSeeded' } as const

export const bootImageCondition = {
  progressing: 'BootImageUpdateProgressing',
  degraded: 'BootImageUpdateDegraded',
} as const

export const clusterOperatorCondition = {
  available: 'Available',
  progressing: 'Progressing',
  degraded: 'Degraded',
  upgradeable: 'Upgradeable',
  evaluationConditionsDetected: 'EvaluationConditionsDetected',
} as const

/** Reasons of events on a pool and on a node; the daemon's are written with source `machineconfigdaemon`. */
export const eventReason = {
  selectingAll: 'SelectingAll',
  annotationChange: 'AnnotationChange',
  deferringOperatorNodeUpdate: 'DeferringOperatorNodeUpdate',
  setDesiredConfig: 'SetDesiredConfig',
  setDesiredConfigAndOsImage: 'SetDesiredConfigAndOSImage',
  updating: 'Updating',
  completed: 'Completed',
  renderedConfigGenerated: 'RenderedConfigGenerated',
  /** Ours: a pool waits for a KubeletConfig, a ContainerRuntimeConfig or the ControllerConfig. */
  renderWaiting: 'RenderWaiting',
  osImageUrlOverridden: 'OSImageURLOverridden',
  /** Ours: a merged file will not be what its authors meant. */
  mergeHazard: 'MergeHazard',
  /** Ours: a node is not back from its reboot in time. */
  rebootOverdue: 'RebootOverdue',
  /** Ours: an authority or serving certificate of the config server was replaced. */
  certificateRotated: 'CertificateRotated',
  /** Ours: user data that is not kept, and must be looked at. */
  userDataNotUpdated: 'UserDataNotUpdated',
  /** Ours: a machine fetched a config. */
  configServed: 'ConfigServed',
  drainThresholdExceeded: 'DrainThresholdExceeded',
  drainFailed: 'DrainFailed',
  cordon: 'Cordon',
  drain: 'Drain',
  failedToDrain: 'FailedToDrain',
  uncordon: 'Uncordon',
  failedToUncordon: 'FailedToUncordon',
  preflightConfigDriftCheckFailed: 'PreflightConfigDriftCheckFailed',
  configDriftDetected: 'ConfigDriftDetected',
  /** Ours: the pool's drift mode is repair, or accept. */
  configDriftRepaired: 'ConfigDriftRepaired',
  configDriftAccepted: 'ConfigDriftAccepted',
  configDriftMonitorStarted: 'ConfigDriftMonitorStarted',
  configDriftMonitorStopped: 'ConfigDriftMonitorStopped',
  onDiskStateValidationFailed: 'OnDiskStateValidationFailed',
  failedToReconcile: 'FailedToReconcile',
  bootResync: 'BootResync',
  nodeDone: 'NodeDone',
  inClusterUpgrade: 'InClusterUpgrade',
  osUpdateStarted: 'OSUpdateStarted',
  osUpgradeApplied: 'OSUpgradeApplied',
  osUpgradeSkipped: 'OSUpgradeSkipped',
  skipReboot: 'SkipReboot',
  serviceReload: 'ServiceReload',
  serviceRestart: 'ServiceRestart',
  failedServiceReload: 'FailedServiceReload',
  failedServiceRestart: 'FailedServiceRestart',
  addSigtermProtection: 'AddSigtermProtection',
  removeSigtermProtection: 'RemoveSigtermProtection',
  gotSigtermDuringUpdate: 'GotSigtermDuringUpdate',
  failedFinalization: 'FailedFinalization',
  reboot: 'Reboot',
  operatorDegraded: 'OperatorDegraded',
} as const

export const daemonEventSource = 'machineconfigdaemon'

/** `spec.kernelType` values that the controllers accept. */
export const kernelType = { default: 'default', realtime: 'realtime', pages64k: '64k-pages' } as const

/** Names that the daemon's service account carries in its token, checked by admission of MachineConfigNodes. */
export const authentication = {
  daemonUser: `system:serviceaccount:${operatorNamespace}:machine-config-daemon`,
  operatorUser: `system:serviceaccount:${operatorNamespace}:machine-config-operator`,
  nodeNameClaim: 'authentication.kubernetes.io/node-name',
} as const

/** Made by a person on a node: the daemon then writes everything again, whatever it finds, and reboots. */
export const forceFilePath = '/run/machine-config-daemon-force'
