/** A tag of the release's image list (image.openshift.io/v1 ImageStream), as far as OS images are searched in it. */
export interface ReleaseTag {
  readonly name: string
  readonly annotations?: Readonly<Record<string, string>> | null
  readonly from?: { readonly kind: string; readonly name: string }
}

const osTagName = /^(?:rhel[\w.+-]*|stream)-coreos[\w.+-]*$/
const sourceAnnotation = 'io.openshift.build.source-location'
const osSource = 'https://github.com/openshift/os'

/** Images worth looking at when OS images are searched in a release: built from the OS repository, or named like one. */
export function osImageTags(tags: readonly ReleaseTag[]): string[] {
  return tags.flatMap(({ name, annotations, from }) => {
    if (from?.kind !== 'DockerImage') return []
    const source = annotations?.[sourceAnnotation] ?? ''
    return source.startsWith(osSource) || osTagName.test(name) ? [from.name] : []
  })
}
