import type { PinnedImageSetSpec } from './generated/pinnedImageSet.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type { PinnedImageSetSpec } from './generated/pinnedImageSet.ts'

/** Images, by digest, that nodes of a pool pull early and never garbage-collect. */
export interface PinnedImageSet extends KubernetesObject {
  readonly spec: PinnedImageSetSpec
}
export const PinnedImageSet = defineKind<PinnedImageSet>(
  'machineconfiguration.openshift.io',
  'v1',
  'PinnedImageSet',
  'pinnedimagesets',
)
