import type { JSONSchemaProps, ValidationRule } from '../schema/jsonSchemaProps.ts'
import { defineKind } from './kind.ts'
import type { ConditionStatus, KubernetesObject } from './meta.ts'

export type { JSONSchemaProps, ValidationRule }

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface CustomResourceDefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps }
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>
    readonly scale?: {
      readonly specReplicasPath: string
      readonly statusReplicasPath: string
      readonly labelSelectorPath?: string
    }
  }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export interface CustomResourceDefinitionNames {
  readonly plural: string
  readonly singular?: string
  readonly kind: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export interface CustomResourceDefinition extends KubernetesObject {
  readonly spec: {
    readonly group: string
    readonly names: CustomResourceDefinitionNames
    readonly scope: 'Cluster' | 'Namespaced'
    readonly versions: readonly CustomResourceDefinitionVersion[]
    readonly conversion?: { readonly strategy: 'None' | 'Webhook' }
    readonly preserveUnknownFields?: boolean
  }
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string
      readonly status: ConditionStatus
      readonly lastTransitionTime?: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly acceptedNames?: CustomResourceDefinitionNames
    readonly storedVersions?: readonly string[]
  }
}
export const CustomResourceDefinition = defineKind<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
)
