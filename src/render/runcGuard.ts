import { parse, TomlError } from 'smol-toml'
import type { OSImageStreamEntry } from '../api/osImageStream.ts'
import { decodeContents } from '../ignition/contents.ts'
import type { File, IgnitionConfig } from '../ignition/types.ts'
import { streamName } from '../image-sets/defaultStream.ts'
import { compareBytes } from './byteOrder.ts'

/** The stream label of an image that a user's MachineConfig names, as far as it could be found out. */
export interface InspectedStream {
  readonly image: string
  /** `unavailable`: nobody here can inspect images. */
  readonly result:
    | { readonly kind: 'stream'; readonly name: string }
    | { readonly kind: 'unlabelled' }
    | { readonly kind: 'unavailable' }
    | { readonly kind: 'failed'; readonly error: string }
}

export interface RuncGuardInput {
  readonly pool: string
  readonly rendered: { readonly name: string; readonly config: IgnitionConfig }
  /** The OS image when it is not the default one: then the stream's name says nothing about it. */
  readonly overriddenImage: string | undefined
  readonly streamSet: OSImageStreamEntry | undefined
  readonly inspected: InspectedStream | undefined
}

export type RuncGuard =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'inspect'; readonly image: string }
  | {
      readonly kind: 'refused'
      readonly reason: 'RuncUnavailable' | 'RuntimeUnreadable' | 'InspectionFailed'
      readonly message: string
    }

/** Streams whose OS has no runc any more. */
const streamsWithoutRunc: ReadonlySet<string> = new Set([streamName.rhel10, streamName.centos10])

const allowed: RuncGuard = { kind: 'allowed' }
type Refused = Extract<RuncGuard, { kind: 'refused' }>
const refused = (reason: Refused['reason'], message: string): Refused => ({ kind: 'refused', reason, message })

/** Refuses an OS without runc for a pool whose CRI-O is told to use runc: its nodes could not start a container (spec: render 6.3). */
export function runcGuard({ pool, rendered, overriddenImage, streamSet, inspected }: RuncGuardInput): RuncGuard {
  if (overriddenImage === undefined && !streamsWithoutRunc.has(streamSet?.name ?? '')) return allowed
  const runtime = effectiveRuntime(rendered)
  if ('error' in runtime) {
    const message = `failed to check runc in generated MachineConfig for pool ${pool}: ${runtime.error}`
    return refused('RuntimeUnreadable', message)
  }
  if (runtime.name !== 'runc') return allowed
  if (overriddenImage === undefined) return refused('RuncUnavailable', noRunc(pool))
  if (overriddenImage === '') return allowed
  if (inspected?.image !== overriddenImage) return { kind: 'inspect', image: overriddenImage }
  const { result } = inspected
  switch (result.kind) {
    case 'stream':
      return streamsWithoutRunc.has(result.name) ? refused('RuncUnavailable', noRunc(pool)) : allowed
    case 'failed':
      return refused('InspectionFailed', `pool ${pool}: failed to inspect OS image for stream class: ${result.error}`)
    case 'unlabelled':
    case 'unavailable':
      return allowed
    default:
      return result satisfies never
  }
}

const noRunc = (pool: string): string =>
  `MachineConfigPool ${pool} targets a RHEL 10 OS image where runc is not available. To unblock, migrate to crun by ` +
  'removing any ContainerRuntimeConfig that sets defaultRuntime to runc, and removing any MachineConfig that sets ' +
  'default_runtime = "runc" in CRI-O configuration under /etc/crio/crio.conf.d/'

const dropinFolder = '/etc/crio/crio.conf.d/'

/** What CRI-O will use: the last `default_runtime` over its drop-ins, in the order of their paths. */
function effectiveRuntime({ name, config }: RuncGuardInput['rendered']): { name?: string } | { error: string } {
  const dropins = (config.storage?.files ?? [])
    .filter(({ path }) => path.startsWith(dropinFolder))
    .sort((a, b) => compareBytes(a.path, b.path))
  let runtime: string | undefined
  for (const dropin of dropins) {
    const found = runtimeOf(dropin)
    if ('error' in found)
      return { error: `${found.error[0]} CRI-O drop-in "${dropin.path}" in MC "${name}": ${found.error[1]}` }
    runtime = found.name ?? runtime
  }
  return runtime === undefined ? {} : { name: runtime }
}

function runtimeOf(dropin: File): { name?: string } | { error: readonly [string, string] } {
  const decoded = decodeContents(dropin.contents)
  if (!decoded.value) return { error: ['failed to decode', decoded.wireError ?? ''] }
  try {
    const document = parse(new TextDecoder().decode(decoded.value))
    const runtime = tableOf(tableOf(document.crio)?.runtime)?.default_runtime
    return typeof runtime === 'string' ? { name: runtime } : {}
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The parser's own message quotes the file: contents may be secret, only the place is told.
    return { error: ['failed to parse TOML from', `toml: line ${error.line}, column ${error.column}: not valid TOML`] }
  }
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
}
