// Generated from src/api/crds/osimagestreams.yaml by scripts/generate-types.ts. Do not edit.
export interface OSImageStreamSpec {
  readonly defaultStream: string
}

export interface OSImageStreamStatus {
  readonly availableStreams: readonly OSImageStreamEntry[]
  readonly defaultStream: string
}

export interface OSImageStreamEntry {
  readonly name: string
  readonly osExtensionsImage: string
  readonly osImage: string
}
