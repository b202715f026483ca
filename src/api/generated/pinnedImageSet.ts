// Generated from src/api/crds/pinnedimagesets.yaml by scripts/generate-types.ts. Do not edit.
export interface PinnedImageSetSpec {
  readonly pinnedImages: readonly {
    readonly name: string
  }[]
}
