import type { OSImageStreamEntry } from '../api/osImageStream.ts'

/** An image of a release as its registry describes it. */
export interface LabelledImage {
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
}

export interface ClassifiedImage {
  readonly kind: 'os' | 'extensions'
  readonly stream: string
}

export const imageLabel = {
  streamClass: 'io.openshift.os.streamclass',
  bootc: 'containers.bootc',
  extensions: 'io.openshift.os.extensions',
} as const

/** What an image is, by its labels: an OS image or an extensions image of a stream, or neither (`undefined`). */
export function classifyImage({ labels }: Pick<LabelledImage, 'labels'>): ClassifiedImage | undefined {
  const stream = labels[imageLabel.streamClass]
  if (!stream) return undefined
  const bootc = labels[imageLabel.bootc]
  if (bootc !== undefined && goTrue.has(bootc)) return { kind: 'os', stream }
  return labels[imageLabel.extensions] === 'true' ? { kind: 'extensions', stream } : undefined
}

/** The spellings of true that bootc's label is written with. */
const goTrue: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** Streams that have both images, sorted by name; of several images of one kind the last wins. */
export function groupImages(images: readonly LabelledImage[]): OSImageStreamEntry[] {
  const streams = new Map<string, { os?: string; extensions?: string }>()
  for (const image of images) {
    const classified = classifyImage(image)
    if (!classified) continue
    const known = streams.get(classified.stream) ?? {}
    streams.set(classified.stream, { ...known, [classified.kind]: image.image })
  }
  return [...streams]
    .flatMap(([name, { os, extensions }]) =>
      os !== undefined && extensions !== undefined ? [{ name, osImage: os, osExtensionsImage: extensions }] : [],
    )
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
