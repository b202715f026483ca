import type { IntOrString } from './intOrString.ts'
import { defineKind } from './kind.ts'
import type { ConditionStatus, KubernetesObject, LabelSelector, ObjectReference } from './meta.ts'

/** core/v1: only the members that are read or written here. Long, because it is a catalogue of types. */

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: TaintEffect
  readonly timeAdded?: string
}

export interface NodeCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastHeartbeatTime?: string | null
  readonly lastTransitionTime?: string | null
  readonly reason?: string
  readonly message?: string
}

export interface NodeSystemInfo {
  readonly machineID?: string
  readonly systemUUID?: string
  readonly bootID?: string
  readonly kernelVersion?: string
  readonly osImage?: string
  readonly containerRuntimeVersion?: string
  readonly kubeletVersion?: string
  readonly kubeProxyVersion?: string
  readonly operatingSystem?: string
  readonly architecture?: string
}

export interface NodeSpec {
  readonly podCIDR?: string
  readonly podCIDRs?: readonly string[]
  readonly providerID?: string
  readonly unschedulable?: boolean
  readonly taints?: readonly Taint[]
}

export interface NodeStatus {
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly phase?: string
  readonly conditions?: readonly NodeCondition[]
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly nodeInfo?: NodeSystemInfo
}

export interface Node extends KubernetesObject {
  readonly spec?: NodeSpec
  readonly status?: NodeStatus
}
export const Node = defineKind<Node>('', 'v1', 'Node', 'nodes')

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: Readonly<Record<string, unknown>>
}

export interface Probe {
  readonly httpGet?: {
    readonly path?: string
    readonly port: IntOrString
    readonly scheme?: string
    readonly host?: string
  }
  readonly exec?: { readonly command?: readonly string[] }
  readonly initialDelaySeconds?: number
  readonly periodSeconds?: number
  readonly timeoutSeconds?: number
  readonly failureThreshold?: number
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly env?: readonly EnvVar[]
  readonly ports?: readonly {
    readonly name?: string
    readonly containerPort: number
    readonly hostPort?: number
    readonly protocol?: string
  }[]
  readonly resources?: {
    readonly limits?: Readonly<Record<string, string>>
    readonly requests?: Readonly<Record<string, string>>
  }
  readonly volumeMounts?: readonly {
    readonly name: string
    readonly mountPath: string
    readonly subPath?: string
    readonly readOnly?: boolean
    readonly mountPropagation?: string
  }[]
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly terminationMessagePolicy?: string
}

export interface Volume {
  readonly name: string
  readonly emptyDir?: Readonly<Record<string, unknown>>
  readonly hostPath?: { readonly path: string; readonly type?: string }
  readonly configMap?: {
    readonly name?: string
    readonly optional?: boolean
    readonly defaultMode?: number
    readonly items?: readonly KeyToPath[]
  }
  readonly secret?: {
    readonly secretName?: string
    readonly optional?: boolean
    readonly defaultMode?: number
    readonly items?: readonly KeyToPath[]
  }
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean }
  readonly projected?: Readonly<Record<string, unknown>>
  readonly csi?: Readonly<Record<string, unknown>>
}

export interface KeyToPath {
  readonly key: string
  readonly path: string
  readonly mode?: number
}

export interface Toleration {
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal'
  readonly value?: string
  readonly effect?: TaintEffect
  readonly tolerationSeconds?: number
}

export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly nodeName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly affinity?: Readonly<Record<string, unknown>>
  readonly tolerations?: readonly Toleration[]
  readonly volumes?: readonly Volume[]
  readonly restartPolicy?: string
  readonly terminationGracePeriodSeconds?: number
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly dnsPolicy?: string
  readonly priorityClassName?: string
  readonly priority?: number
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly imagePullSecrets?: readonly { readonly name?: string }[]
}

export interface PodCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastProbeTime?: string | null
  readonly lastTransitionTime?: string | null
  readonly reason?: string
  readonly message?: string
}

export interface ContainerStatus {
  readonly name: string
  readonly ready: boolean
  readonly restartCount: number
  readonly image: string
  readonly imageID: string
  readonly state?: Readonly<Record<string, unknown>>
  readonly lastState?: Readonly<Record<string, unknown>>
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  readonly conditions?: readonly PodCondition[]
  readonly reason?: string
  readonly message?: string
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly hostIP?: string
  readonly startTime?: string
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
}

export interface Pod extends KubernetesObject {
  readonly spec?: PodSpec
  readonly status?: PodStatus
}
export const Pod = defineKind<Pod>('', 'v1', 'Pod', 'pods', { namespaced: true })

export interface PodTemplateSpec {
  readonly metadata?: {
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: PodSpec
}

export interface Namespace extends KubernetesObject {
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly NodeCondition[] }
}
export const Namespace = defineKind<Namespace>('', 'v1', 'Namespace', 'namespaces')

export interface Event extends KubernetesObject {
  readonly involvedObject: ObjectReference
  readonly reason?: string
  readonly message?: string
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly count?: number
  readonly type?: string
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string }
  readonly action?: string
  readonly related?: ObjectReference
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}
/** The older event API; controllers write it because `kubectl describe` and upstream's tools read it. */
export const Event = defineKind<Event>('', 'v1', 'Event', 'events', { namespaced: true })

export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>
  /** Base64 values. */
  readonly binaryData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}
export const ConfigMap = defineKind<ConfigMap>('', 'v1', 'ConfigMap', 'configmaps', { namespaced: true })

export interface Secret extends KubernetesObject {
  /** Base64 values. */
  readonly data?: Readonly<Record<string, string>>
  /** Write-only: the API server turns it into `data`. */
  readonly stringData?: Readonly<Record<string, string>>
  readonly type?: string
  readonly immutable?: boolean
}
export const Secret = defineKind<Secret>('', 'v1', 'Secret', 'secrets', { namespaced: true })

export interface ServiceAccount extends KubernetesObject {
  readonly secrets?: readonly ObjectReference[]
  readonly imagePullSecrets?: readonly { readonly name?: string }[]
  readonly automountServiceAccountToken?: boolean
}
export const ServiceAccount = defineKind<ServiceAccount>('', 'v1', 'ServiceAccount', 'serviceaccounts', {
  namespaced: true,
})

export interface Service extends KubernetesObject {
  readonly spec?: {
    readonly type?: string
    readonly selector?: Readonly<Record<string, string>>
    readonly clusterIP?: string
    readonly clusterIPs?: readonly string[]
    readonly ports?: readonly {
      readonly name?: string
      readonly port: number
      readonly targetPort?: IntOrString
      readonly nodePort?: number
      readonly protocol?: string
    }[]
  }
  readonly status?: Readonly<Record<string, unknown>>
}
export const Service = defineKind<Service>('', 'v1', 'Service', 'services', { namespaced: true })

export interface Endpoints extends KubernetesObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string; readonly nodeName?: string }[]
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[]
  }[]
}
export const Endpoints = defineKind<Endpoints>('', 'v1', 'Endpoints', 'endpoints', { namespaced: true })

export interface ReplicationController extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector?: Readonly<Record<string, string>>
    readonly template?: PodTemplateSpec
  }
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number }
}
export const ReplicationController = defineKind<ReplicationController>(
  '',
  'v1',
  'ReplicationController',
  'replicationcontrollers',
  { namespaced: true },
)

export interface PersistentVolumeClaim extends KubernetesObject {
  readonly spec?: {
    readonly accessModes?: readonly string[]
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
    readonly storageClassName?: string
    readonly volumeName?: string
    readonly selector?: LabelSelector
  }
  readonly status?: { readonly phase?: string }
}
export const PersistentVolumeClaim = defineKind<PersistentVolumeClaim>(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
  { namespaced: true },
)
