import type { OSImageStreamEntry } from '../api/osImageStream.ts'

export const streamName = { rhel9: 'rhel-9', rhel10: 'rhel-10', centos10: 'centos-10' } as const

export interface DefaultStreamInput {
  readonly available: readonly Pick<OSImageStreamEntry, 'name'>[]
  /** The present object: what an administrator asked for (spec) or what was chosen before (status). */
  readonly existing?:
    | { readonly spec?: { readonly defaultStream?: string }; readonly status?: { readonly defaultStream?: string } }
    | undefined
  /** Version at which the cluster was installed; without it the version of this build decides. */
  readonly installVersion?: string | undefined
  readonly releaseVersion?: string | undefined
  /** A community build has no RHEL streams. */
  readonly community?: boolean
}

export type DefaultStream =
  | { readonly kind: 'chosen'; readonly name: string }
  | { readonly kind: 'refused'; readonly message: string }

/** The cluster's default stream: asked for, else remembered, else the only one, else the built-in of the version. */
export function chooseDefaultStream(input: DefaultStreamInput): DefaultStream {
  const { available, existing } = input
  const asked = existing?.spec?.defaultStream || existing?.status?.defaultStream
  if (asked) return ifAvailable(asked, available)
  const [first, second] = available
  if (first && !second) return { kind: 'chosen', name: first.name }
  const builtIn = builtInStream(input)
  return builtIn.kind === 'chosen' ? ifAvailable(builtIn.name, available) : builtIn
}

function ifAvailable(name: string, available: DefaultStreamInput['available']): DefaultStream {
  if (available.some((entry) => entry.name === name)) return { kind: 'chosen', name }
  const names = available.map((entry) => entry.name).sort()
  return {
    kind: 'refused',
    message: `could not find the requested ${name} default stream in the list of OSImageStreams [${names.join(' ')}]`,
  }
}

function builtInStream({ installVersion, releaseVersion, community = false }: DefaultStreamInput): DefaultStream {
  if (community) return { kind: 'chosen', name: streamName.centos10 }
  const [version, what] = installVersion ? [installVersion, 'install'] : [releaseVersion ?? '', 'build release']
  const major = /^\s*v?(\d+)\.\d+/.exec(version)?.[1]
  if (major === undefined) {
    const quoted = JSON.stringify(version)
    return {
      kind: 'refused',
      message: `could not determine the builtin default stream: unable to parse the ${what} version ${quoted} as a version: could not parse ${quoted} as version`,
    }
  }
  return { kind: 'chosen', name: Number(major) >= 5 ? streamName.rhel10 : streamName.rhel9 }
}
