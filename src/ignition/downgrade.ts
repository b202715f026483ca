import { configShape } from './configShape.ts'
import { parseGoUrl } from './goUrl.ts'
import type { StructShape } from './shape.ts'
import type { IgnitionConfig, Luks, Resource } from './types.ts'

/**
 * Why a 3.5 config cannot be said in 3.`minor`, in the original's words, or undefined. The steps are taken one after the
 * other from 3.5 down, so the newest feature that is in the way is named first.
 */
export function lostBelow(config: IgnitionConfig, minor: number): string | undefined {
  for (const step of steps) {
    const lost = minor < step.since ? step.lost(config) : undefined
    if (lost !== undefined) return lost
  }
  return undefined
}

interface Step {
  /** Configs below this minor version must not use it. */
  readonly since: number
  readonly lost: (config: IgnitionConfig) => string | undefined
}

const notIn33 = (what: string): string => `Invalid input config: ${what} not supported in spec v3.3`
const specialModeBits = 0o7000

const steps: readonly Step[] = [
  // cex and tang advertisements (3.5) are dropped without a word by the original, so there is no step for them.
  { since: 4, lost: lostBelow34 },
  {
    since: 3,
    lost: ({ kernelArguments = {} }) => {
      const { shouldExist = [], shouldNotExist = [] } = kernelArguments
      return shouldExist.length + shouldNotExist.length > 0 ? 'KernelArguments is not supported on 3.2' : undefined
    },
  },
  { since: 2, lost: lostBelow32 },
  { since: 1, lost: (config) => memberSince(configShape, config, 1) },
]

/** In the order of the members of a config. */
function lostBelow34({ ignition, storage = {} }: IgnitionConfig): string | undefined {
  const { config, security } = ignition
  const references = [...(config?.merge ?? []), config?.replace, ...(security?.tls?.certificateAuthorities ?? [])]
  if (references.some(isArn)) return arnText
  if ((storage.directories ?? []).some(hasSpecialMode)) return modeText
  for (const file of storage.files ?? []) {
    if (hasSpecialMode(file)) return modeText
    if ([...(file.append ?? []), file.contents].some(isArn)) return arnText
  }
  for (const { discard, keyFile, openOptions = [] } of storage.luks ?? []) {
    if (discard === true) return notIn33('luks discard is')
    if (openOptions.length > 0) return notIn33('luks openOptions is')
    if (isArn(keyFile)) return arnText
  }
  return undefined
}

const arnText = notIn33('arn: scheme for s3 is')
const modeText = notIn33('special mode bits are')

const hasSpecialMode = ({ mode = 0 }: { readonly mode?: number }): boolean => (mode & specialModeBits) !== 0
const isArn = (resource: Resource | undefined): boolean =>
  !!resource?.source && parseGoUrl(resource.source)?.scheme === 'arn'

function lostBelow32({ passwd, storage = {} }: IgnitionConfig): string | undefined {
  if ((storage.luks ?? []).length > 0) return 'LUKS is not supported on 3.1'
  if ((passwd?.users ?? []).some(({ shouldExist }) => shouldExist === false)) {
    return 'ShouldExist in Passwd.Users is not supported on 3.1'
  }
  if ((passwd?.groups ?? []).some(({ shouldExist }) => shouldExist === false)) {
    return 'ShouldExist in Passwd.Groups is not supported on 3.1'
  }
  const partitions = (storage.disks ?? []).flatMap((disk) => disk.partitions ?? [])
  if (partitions.some(({ resize }) => resize === true))
    return 'Resize in Storage.Disks.Partitions is not supported on 3.1'
  return undefined
}

/** The original has no way to 3.0, so there is no wording of its own: the first member that 3.`minor - 1` does not know. */
function memberSince(shape: StructShape, value: object, minor: number, path = '$'): string | undefined {
  const given = value as Readonly<Record<string, unknown>>
  for (const { name, shape: memberShape, since } of shape.members) {
    const member = given[name]
    if (typeof member !== 'object' ? member === undefined || member === '' : isEmpty(member)) continue
    const at = `${path}.${name}`
    if (since === minor) return `${at} is not supported on 3.${minor - 1}`
    const nested = memberShape.kind === 'list' ? memberShape.item : memberShape
    if (nested.kind !== 'struct') continue
    for (const [index, item] of (Array.isArray(member) ? member : [member]).entries()) {
      const lost = memberSince(nested, item, minor, memberShape.kind === 'list' ? `${at}[${index}]` : at)
      if (lost !== undefined) return lost
    }
  }
  return undefined
}

const isEmpty = (value: object | null): boolean => value === null || Object.keys(value).length === 0

/**
 * Advertisements of tang servers exist since 3.4, but the original loses them between 3.4 and 3.5, in both directions:
 * rendered names depend on it.
 */
export function withoutAdvertisements(config: IgnitionConfig): IgnitionConfig {
  const { luks = [] } = config.storage ?? {}
  if (!luks.some(({ clevis }) => clevis?.tang?.some(({ advertisement }) => advertisement !== undefined))) return config
  const stripped = luks.map((volume): Luks => {
    const { tang, ...clevis } = volume.clevis ?? {}
    return tang
      ? { ...volume, clevis: { ...clevis, tang: tang.map(({ advertisement: _lost, ...kept }) => kept) } }
      : volume
  })
  return { ...config, storage: { ...config.storage, luks: stripped } }
}
