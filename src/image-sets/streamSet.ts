import type { OSImageStream, OSImageStreamEntry } from '../api/osImageStream.ts'

export type FoundStream =
  | { readonly kind: 'found'; readonly set: OSImageStreamEntry }
  | { readonly kind: 'missing'; readonly message: string }

/** The images of one stream of the cluster's OSImageStream; an empty name asks for the default stream. */
export function findStreamSet(stream: OSImageStream | undefined, name: string): FoundStream {
  if (!stream) {
    return {
      kind: 'missing',
      message: `requested OSImageStreamSet ${name} does not exist. OSImageStream cannot be nil`,
    }
  }
  const wanted = name === '' ? (stream.status?.defaultStream ?? '') : name
  const set = stream.status?.availableStreams.find((entry) => entry.name === wanted)
  if (set) return { kind: 'found', set }
  return { kind: 'missing', message: `osimagestreams.machineconfiguration.openshift.io "${wanted}" not found` }
}
