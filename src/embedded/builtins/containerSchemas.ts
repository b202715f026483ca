import type { OpenApiSchema } from '../server/resource.ts'
import { intOrString, Quantity, quantityMap } from './metaSchemas.ts'
import { bool, define, int32, int64, list, listMap, type Properties, ref, str, strings } from './schemaBuilder.ts'

/** Schemas of containers (Kubernetes API reference, core/v1 Container). */
const core = 'io.k8s.api.core.v1.'

export const LocalObjectReference = define(
  `${core}LocalObjectReference`,
  'The name of an object in the same namespace.',
  { name: str('Name of the object.') },
  { atomic: true },
)

const keySelector = (kind: string): OpenApiSchema =>
  define(
    `${core}${kind}KeySelector`,
    `One key of a ${kind}.`,
    {
      key: str('The key.'),
      name: str(`Name of the ${kind}.`, { default: '' }),
      optional: bool('The key may be absent.'),
    },
    { required: ['key'], atomic: true },
  )
export const ObjectFieldSelector = define(
  `${core}ObjectFieldSelector`,
  'One field of the pod.',
  {
    apiVersion: str('Version in which the path is meant.', { default: 'v1' }),
    fieldPath: str('Path of the field, such as metadata.name.'),
  },
  { required: ['fieldPath'], atomic: true },
)
export const ResourceFieldSelector = define(
  `${core}ResourceFieldSelector`,
  'One resource limit or request of a container.',
  {
    containerName: str('Name of the container; needed in volumes.'),
    divisor: ref(Quantity, 'Unit of the answer.', { default: '0' }),
    resource: str('Which one, such as limits.cpu.'),
  },
  { required: ['resource'], atomic: true },
)
const FileKeySelector = define(
  `${core}FileKeySelector`,
  'One key of an environment file in a volume.',
  {
    key: str('The key in the file.'),
    optional: bool('The file or key may be absent.'),
    path: str('Path of the file in the volume.'),
    volumeName: str('Name of the volume.'),
  },
  { required: ['volumeName', 'path', 'key'], atomic: true },
)
const EnvVarSource = define(`${core}EnvVarSource`, 'Where the value of a variable comes from.', {
  configMapKeyRef: ref(keySelector('ConfigMap'), 'A key of a ConfigMap.'),
  fieldRef: ref(ObjectFieldSelector, 'A field of the pod.'),
  fileKeyRef: ref(FileKeySelector, 'A key of an environment file.'),
  resourceFieldRef: ref(ResourceFieldSelector, 'A resource of the container.'),
  secretKeyRef: ref(keySelector('Secret'), 'A key of a Secret.'),
})
const EnvVar = define(
  `${core}EnvVar`,
  'An environment variable.',
  {
    name: str('Name of the variable.'),
    value: str('Value; $(NAME) refers to variables defined before.'),
    valueFrom: ref(EnvVarSource, 'Where the value comes from, instead of value.'),
  },
  { required: ['name'] },
)
const envSource = (kind: string): OpenApiSchema =>
  define(`${core}${kind}EnvSource`, `All keys of a ${kind}.`, {
    name: str(`Name of the ${kind}.`, { default: '' }),
    optional: bool(`The ${kind} may be absent.`),
  })
const EnvFromSource = define(`${core}EnvFromSource`, 'A source of many environment variables.', {
  configMapRef: ref(envSource('ConfigMap'), 'The ConfigMap to take from.'),
  prefix: str('Put before each name.'),
  secretRef: ref(envSource('Secret'), 'The Secret to take from.'),
})

const ExecAction = define(`${core}ExecAction`, 'A command run in the container.', {
  command: strings('Program and arguments; no shell is involved.'),
})
const HTTPHeader = define(
  `${core}HTTPHeader`,
  'A header of a request.',
  { name: str('Name of the header.'), value: str('Value of the header.') },
  { required: ['name', 'value'] },
)
const HTTPGetAction = define(
  `${core}HTTPGetAction`,
  'A GET request to the container.',
  {
    host: str('Host to connect to; default is the pod.'),
    httpHeaders: list(HTTPHeader, 'Headers to send.'),
    path: str('Path of the request.', { default: '/' }),
    port: intOrString('Port number or name.'),
    scheme: str('HTTP or HTTPS.', { default: 'HTTP' }),
  },
  { required: ['port'] },
)
const TCPSocketAction = define(
  `${core}TCPSocketAction`,
  'A connection to the container.',
  { host: str('Host to connect to; default is the pod.'), port: intOrString('Port number or name.') },
  { required: ['port'] },
)
const SleepAction = define(
  `${core}SleepAction`,
  'A pause.',
  { seconds: int64('Length of the pause.') },
  { required: ['seconds'] },
)
const GRPCAction = define(
  `${core}GRPCAction`,
  'A call of the gRPC health service.',
  { port: int32('Port of the service.'), service: str('Name of the service to ask about.', { default: '' }) },
  { required: ['port'] },
)
const Probe = define(`${core}Probe`, 'A check of a container that is repeated.', {
  exec: ref(ExecAction, 'Run a command; 0 is success.'),
  failureThreshold: int32('Failures in a row that count as failed.', { default: 3 }),
  grpc: ref(GRPCAction, 'Call the gRPC health service.'),
  httpGet: ref(HTTPGetAction, 'Send a GET request; 200 to 399 is success.'),
  initialDelaySeconds: int32('Seconds after the start before the first check.'),
  periodSeconds: int32('Seconds between checks.', { default: 10 }),
  successThreshold: int32('Successes in a row that count as good again.', { default: 1 }),
  tcpSocket: ref(TCPSocketAction, 'Open a connection.'),
  terminationGracePeriodSeconds: int64('Grace period of the pod when this probe fails.'),
  timeoutSeconds: int32('Seconds after which a check has failed.', { default: 1 }),
})
const LifecycleHandler = define(`${core}LifecycleHandler`, 'One thing done on a lifecycle event.', {
  exec: ref(ExecAction, 'Run a command.'),
  httpGet: ref(HTTPGetAction, 'Send a GET request.'),
  sleep: ref(SleepAction, 'Wait.'),
  tcpSocket: ref(TCPSocketAction, 'Not used any more.'),
})
const Lifecycle = define(`${core}Lifecycle`, 'What is done when a container starts and stops.', {
  postStart: ref(LifecycleHandler, 'Done right after the start.'),
  preStop: ref(LifecycleHandler, 'Done before the container is told to stop.'),
  stopSignal: str('Signal that tells the container to stop.'),
})

const ContainerPort = define(
  `${core}ContainerPort`,
  'A port that a container listens on.',
  {
    containerPort: int32('Port inside the pod.'),
    hostIP: str('Host address to bind to.'),
    hostPort: int32('Port on the host.'),
    name: str('Name by which services refer to the port.'),
    protocol: str('TCP, UDP or SCTP.', { default: 'TCP' }),
  },
  { required: ['containerPort'] },
)
const ContainerResizePolicy = define(
  `${core}ContainerResizePolicy`,
  'What happens when a resource is resized.',
  { resourceName: str('Name of the resource.'), restartPolicy: str('NotRequired or RestartContainer.') },
  { required: ['resourceName', 'restartPolicy'] },
)
const ResourceClaim = define(
  `${core}ResourceClaim`,
  'A claim of the pod that the container uses.',
  { name: str('Name of the claim in the pod.'), request: str('Which request of the claim.') },
  { required: ['name'] },
)
export const ResourceRequirements = define(`${core}ResourceRequirements`, 'What a container needs and may use.', {
  claims: listMap(ResourceClaim, ['name'], 'Claims of the pod that are used.'),
  limits: quantityMap('Most that may be used.'),
  requests: quantityMap('Least that must be available.'),
})
const ContainerRestartRuleOnExitCodes = define(
  `${core}ContainerRestartRuleOnExitCodes`,
  'Exit codes of a restart rule.',
  {
    operator: str('In or NotIn.'),
    values: {
      type: 'array',
      items: { type: 'integer', format: 'int32' },
      'x-kubernetes-list-type': 'set',
      description: 'The exit codes.',
    },
  },
  { required: ['operator'] },
)
const ContainerRestartRule = define(
  `${core}ContainerRestartRule`,
  'What is done after certain exits.',
  { action: str('Restart.'), exitCodes: ref(ContainerRestartRuleOnExitCodes, 'Exits that the rule is about.') },
  { required: ['action'] },
)

export const SELinuxOptions = define(`${core}SELinuxOptions`, 'SELinux labels.', {
  level: str('Level label.'),
  role: str('Role label.'),
  type: str('Type label.'),
  user: str('User label.'),
})
const profile = (name: string, what: string): OpenApiSchema =>
  define(
    `${core}${name}`,
    `${what} profile.`,
    {
      localhostProfile: str('Name of a profile on the node; only with type Localhost.'),
      type: str('Localhost, RuntimeDefault or Unconfined.'),
    },
    { required: ['type'] },
  )
export const SeccompProfile = profile('SeccompProfile', 'Seccomp')
export const AppArmorProfile = profile('AppArmorProfile', 'AppArmor')
export const WindowsSecurityContextOptions = define(
  `${core}WindowsSecurityContextOptions`,
  'Security settings on Windows.',
  {
    gmsaCredentialSpec: str('Contents of a GMSA credential spec.'),
    gmsaCredentialSpecName: str('Name of a GMSA credential spec.'),
    hostProcess: bool('Run as a host process.'),
    runAsUserName: str('User to run as.'),
  },
)
const Capabilities = define(`${core}Capabilities`, 'Linux capabilities to add and remove.', {
  add: strings('Capabilities to add.'),
  drop: strings('Capabilities to remove.'),
})
const SecurityContext = define(`${core}SecurityContext`, 'Security settings of a container; they win over the pod.', {
  allowPrivilegeEscalation: bool('A process may gain more privileges than its parent.'),
  appArmorProfile: ref(AppArmorProfile, 'AppArmor profile.'),
  capabilities: ref(Capabilities, 'Capabilities to add and remove.'),
  privileged: bool('Run with the rights of root on the host.'),
  procMount: str('Default or Unmasked.'),
  readOnlyRootFilesystem: bool('The root file system cannot be written.'),
  runAsGroup: int64('Group to run as.'),
  runAsNonRoot: bool('Refuse to start as root.'),
  runAsUser: int64('User to run as.'),
  seLinuxOptions: ref(SELinuxOptions, 'SELinux labels.'),
  seccompProfile: ref(SeccompProfile, 'Seccomp profile.'),
  windowsOptions: ref(WindowsSecurityContextOptions, 'Settings on Windows.'),
})

const VolumeMount = define(
  `${core}VolumeMount`,
  'A volume as a container sees it.',
  {
    mountPath: str('Path in the container.'),
    mountPropagation: str('None, HostToContainer or Bidirectional.'),
    name: str('Name of the volume.'),
    readOnly: bool('The volume cannot be written here.'),
    recursiveReadOnly: str('Disabled, IfPossible or Enabled.'),
    subPath: str('Path in the volume.'),
    subPathExpr: str('Path in the volume, with $(NAME) replaced.'),
  },
  { required: ['name', 'mountPath'] },
)
const VolumeDevice = define(
  `${core}VolumeDevice`,
  'A block device as a container sees it.',
  { devicePath: str('Path in the container.'), name: str('Name of the volume.') },
  { required: ['name', 'devicePath'] },
)

const containerProperties: Properties = {
  args: strings('Arguments of the program; default is the CMD of the image.'),
  command: strings('Program to run; default is the ENTRYPOINT of the image.'),
  env: listMap(EnvVar, ['name'], 'Environment variables.'),
  envFrom: list(EnvFromSource, 'Sources of many environment variables; env wins.'),
  image: str('Image to run.'),
  imagePullPolicy: str('Always, Never or IfNotPresent; Always is the default for :latest.'),
  lifecycle: ref(Lifecycle, 'What is done when the container starts and stops.'),
  livenessProbe: ref(Probe, 'A container that fails this check is restarted.'),
  name: str('Name, unique in the pod.'),
  ports: listMap(ContainerPort, ['containerPort', 'protocol'], 'Ports that the container listens on.'),
  readinessProbe: ref(Probe, 'A container that fails this check gets no traffic.'),
  resizePolicy: list(ContainerResizePolicy, 'What happens when resources are resized.'),
  resources: ref(ResourceRequirements, 'What the container needs and may use.', { default: {} }),
  restartPolicy: str('Always, on an init container, makes it a sidecar.'),
  restartPolicyRules: list(ContainerRestartRule, 'What is done after certain exits.'),
  securityContext: ref(SecurityContext, 'Security settings.'),
  startupProbe: ref(Probe, 'Other checks wait until this one has succeeded.'),
  stdin: bool('Keep standard input open.'),
  stdinOnce: bool('Close standard input after the first client.'),
  terminationMessagePath: str('File that the last message is read from.', { default: '/dev/termination-log' }),
  terminationMessagePolicy: str('File or FallbackToLogsOnError.', { default: 'File' }),
  tty: bool('Give the container a terminal.'),
  volumeDevices: listMap(VolumeDevice, ['devicePath'], 'Block devices of the container.'),
  volumeMounts: listMap(VolumeMount, ['mountPath'], 'Volumes of the container.'),
  workingDir: str('Directory that the program starts in.'),
}
export const Container = define(`${core}Container`, 'One container of a pod.', containerProperties, {
  required: ['name'],
})
export const EphemeralContainer = define(
  `${core}EphemeralContainer`,
  'A container added to a running pod, for debugging.',
  { ...containerProperties, targetContainerName: str('Container whose namespaces are shared.') },
  { required: ['name'] },
)
