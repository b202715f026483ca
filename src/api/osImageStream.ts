import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export interface OSImageStreamEntry {
  readonly name: string
  readonly osImage: string
  readonly osExtensionsImage: string
}

export interface OSImageStreamSpec {
  readonly defaultStream: string
}

export interface OSImageStreamStatus {
  readonly availableStreams: readonly OSImageStreamEntry[]
  readonly defaultStream: string
}

/** The OS images that pools can choose from by name; one object, named `cluster`. */
export interface OSImageStream extends KubernetesObject {
  readonly spec: OSImageStreamSpec
  readonly status?: OSImageStreamStatus
}
export const OSImageStream = defineKind<OSImageStream>(
  'machineconfiguration.openshift.io',
  'v1',
  'OSImageStream',
  'osimagestreams',
)
