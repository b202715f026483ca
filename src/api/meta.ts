/** The parts that every Kubernetes object shares (meta/v1). Shapes only; the API server's own documentation is the source. */

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: 'FieldsV1'
  readonly fieldsV1?: Readonly<Record<string, unknown>>
  readonly subresource?: string
}

export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface KubernetesObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
}

export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface KubernetesList<T extends KubernetesObject> {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ListMeta
  readonly items: readonly T[]
}

export interface LabelSelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorRequirement[]
}

/** core/v1 ObjectReference; every member is optional on the wire. */
export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** metav1.Condition: `reason` is never empty and holds no spaces (spec: api 1.2). */
export interface Condition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
  readonly observedGeneration?: number
}

/** The free-form condition of MachineConfigPool, KubeletConfig and ContainerRuntimeConfig (spec: api 1.2). */
export interface LooseCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason: string
  readonly message: string
}

/** meta/v1 Status: the body of every error answer. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: ListMeta
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: {
    readonly name?: string
    readonly group?: string
    readonly kind?: string
    readonly uid?: string
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[]
    readonly retryAfterSeconds?: number
  }
  readonly code?: number
}

/** All members of metadata, in the order in which an API server writes them. */
export const objectMetaMembers = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const satisfies readonly (keyof ObjectMeta)[]
