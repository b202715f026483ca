import type { OSImageStreamSpec, OSImageStreamStatus } from './generated/oSImageStream.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type { OSImageStreamEntry, OSImageStreamSpec, OSImageStreamStatus } from './generated/oSImageStream.ts'

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
