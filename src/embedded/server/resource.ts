import type { KubernetesObject } from '../../api/meta.ts'

/** An object as the server holds it: always typed, every other member unknown until a schema or a hook has looked. */
export interface ApiObject extends KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly [member: string]: unknown
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** The structural subset of OpenAPI v3 that CustomResourceDefinitions use, with the Kubernetes extensions. */
export interface OpenApiSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema | boolean
  readonly items?: OpenApiSchema
  readonly required?: readonly string[]
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly [keyword: string]: unknown
}

/** A CustomResourceDefinition's additionalPrinterColumns entry; built-in kinds print by code in `table/`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface Subresource {
  /** The last path segment: `status`, `scale`, `eviction`, `binding`, `log`, ... */
  readonly name: string
  /** Kind of the body, when it is not the resource's own (`Scale`, `Eviction`, `Binding`). */
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly verbs: readonly Verb[]
  /** `scale` only: where replicas live, e.g. `.spec.replicas`. */
  readonly scalePaths?: { readonly spec: string; readonly status: string; readonly selector?: string }
}

/** A label that `fieldSelector` may name, beside `metadata.name` and `metadata.namespace`, which every kind has. */
export interface SelectableField {
  readonly label: string
  /** Absent values are the empty string (or the kind's default, e.g. `false` for a node's spec.unschedulable). */
  value(object: ApiObject): string
}

export interface FieldProblem {
  /** Reason of the Status cause: `FieldValueRequired`, `FieldValueInvalid`, `FieldValueNotSupported`, ... */
  readonly reason: string
  /** Path as printed, e.g. `spec.containers[0].name`. */
  readonly field: string
  /** Text after `field: `, e.g. `Required value`. */
  readonly message: string
}

export interface HookContext {
  readonly now: Date
  readonly subresource?: string
}

/** What only this kind does on its way to storage. Hooks are pure: they return a new object and never mutate. */
export interface StorageHooks {
  /** After decoding and schema defaulting; before validation. The generic server has already filled metadata. */
  prepareForCreate?(object: ApiObject, context: HookContext): ApiObject
  prepareForUpdate?(object: ApiObject, old: ApiObject, context: HookContext): ApiObject
  /** Kind-specific rules beyond schema and metadata, in the API server's words; `old` is absent on create. */
  validate?(object: ApiObject, old?: ApiObject): readonly FieldProblem[]
  /** Non-fatal remarks, sent as `Warning` headers. */
  warnings?(object: ApiObject, old?: ApiObject): readonly string[]
}

/** Two resources that show one stored object (`events` in core and events.k8s.io) convert here. */
export interface StorageMapping {
  /** Group and plural of the resource that owns the storage. */
  readonly group: string
  readonly plural: string
  toStored(object: ApiObject): ApiObject
  fromStored(object: ApiObject): ApiObject
}

/**
 * One served resource in one version: what discovery, OpenAPI, tables, patches and storage need to know about a kind.
 * A kind served in several versions has one definition per version; `storageVersion` marks the stored one.
 * Built-in definitions are constants of `builtins/`; those of CustomResourceDefinitions are made at runtime.
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Default: kind + `List`. */
  readonly listKind?: string
  readonly plural: string
  readonly singular: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  readonly subresources?: readonly Subresource[]
  /** Default true. False for the other versions of a multi-version kind. */
  readonly storageVersion?: boolean
  readonly storedAs?: StorageMapping
  readonly deprecated?: { readonly warning: string }
  /** Absent: any object is accepted as it is (nothing pruned, nothing defaulted). */
  readonly schema?: OpenApiSchema
  readonly columns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly SelectableField[]
  /** Whether metadata.generation counts changes outside metadata and status. Default false. */
  readonly tracksGeneration?: boolean
  /**
   * Whether a `status` in a create request is kept. Default: dropped when the resource has a `status` subresource.
   * Nodes keep it: a kubelet registers with its status.
   */
  readonly keepsStatusOnCreate?: boolean
  /** Upsert by PUT on a name that does not exist (leases, events and few others). Default false. */
  readonly allowsCreateOnUpdate?: boolean
  /** The kind's own deletion grace (pods: spec.terminationGracePeriodSeconds); absent: deleted at once. */
  gracePeriodSeconds?(object: ApiObject): number
  /** True for definitions that come from a CustomResourceDefinition: no strategic merge, structural-schema wording. */
  readonly custom?: boolean
  /** Revision of the CustomResourceDefinition: objects that are older are pruned and defaulted when they are read. */
  readonly definedAt?: number
  readonly hooks?: StorageHooks
}

/** `pods` or `machineconfigs.machineconfiguration.openshift.io`: how error messages name a resource. */
export function qualifiedResource(resource: Pick<ResourceDefinition, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}

export function resourceApiVersion(resource: Pick<ResourceDefinition, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

export function hasSubresource(resource: ResourceDefinition, name: string): boolean {
  return resource.subresources?.some((subresource) => subresource.name === name) ?? false
}
