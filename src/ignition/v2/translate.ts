import { compact, filled, translated } from '../compact.ts'
import { cleanPath, joinPath } from '../goPath.ts'
import { goQuote } from '../goText.ts'
import type {
  Directory,
  File,
  IgnitionConfig,
  Link,
  Node,
  PasswdGroup,
  PasswdUser,
  Raid,
  Resource,
  Unit,
} from '../types.ts'
import { validateIgnition } from '../validate.ts'
import { dedupeV2 } from './dedupe.ts'
import type {
  V2Config,
  V2Directory,
  V2File,
  V2Group,
  V2Link,
  V2Node,
  V2Raid,
  V2Reference,
  V2Unit,
  V2User,
} from './types.ts'

export type V2Translated =
  | { readonly value: IgnitionConfig }
  /** `wireError` is the original's text, `message` says the same to a person. */
  | { readonly value?: undefined; readonly wireError: string; readonly message: string }

/** Spec 2.2 to 3.5 (spec: render 10.2). What has no 3.x form is an error; nothing is lost silently. */
export function translateV2(config: V2Config): V2Translated {
  const deduped = dedupeV2(config)
  if ('wireError' in deduped) return { ...deduped, message: deduped.wireError }
  const fault = untranslatable(deduped.value)
  if (fault !== undefined) return refused(fault)
  const value = translate(deduped.value)
  const { wireText } = validateIgnition(value)
  return wireText === undefined ? { value } : refused(wireText)
}

const refused = (fault: string): V2Translated => ({
  wireError: `failed to convert Ignition config spec v2 to v3: unable to convert Ignition spec v2 config to v3: ${fault}`,
  message: `this spec 2 config has no spec 3 form: ${fault.trim()}`,
})

/** Why there is no 3.x form, or undefined. */
function untranslatable({ networkd, storage = {}, systemd }: V2Config): string | undefined {
  const partitions = (storage.disks ?? []).flatMap((disk) => disk.partitions ?? [])
  if (partitions.length > 0) {
    // Sizes in sectors have no successor, and the reference sees them in every partition, given or not.
    const lines = partitions.flatMap(() => [
      'deprecated: size is deprecated; use sizeMB instead',
      'deprecated: start is deprecated; use startMB instead',
    ])
    return `Invalid input config:\n${lines.join('\n')}`
  }
  if ((networkd?.units ?? []).length > 0) return 'config includes deprecated networkd section - use Files instead'
  const filesystem = (storage.filesystems ?? []).find(({ name = '' }) => name !== 'root')
  if (filesystem) {
    return `Config defined filesystem ${goQuote(filesystem.name ?? '')} but no mapping was defined.Please specify a path to be used as the filesystem mountpoint.`
  }
  return conflictingNode(storage) ?? repeatedUnit(systemd?.units ?? [])
}

function conflictingNode({
  files = [],
  directories = [],
  links = [],
}: NonNullable<V2Config['storage']>): string | undefined {
  const linkPaths = links.map(pathOf)
  const seen = new Map<string, string>()
  const nodes = [
    ...files.map((node) => ['File', pathOf(node)] as const),
    ...directories.map((node) => ['Directory', pathOf(node)] as const),
    ...links.map((node) => ['Link', pathOf(node)] as const),
  ]
  for (const [kind, path] of nodes) {
    const name = `${kind}: ${path}`
    const other = seen.get(path)
    if (other !== undefined) {
      return `Config has conflicting inodes: ${goQuote(other)} and ${goQuote(name)}.  All files, directories and links must specify a unique \`path\`.`
    }
    const link = linkPaths.find((candidate) => path.startsWith(`${candidate}/`))
    if (link !== undefined) {
      return `${name} uses link defined in config ${goQuote(link)}. Please use a link not defined in Storage:Links`
    }
    seen.set(path, name)
  }
  return undefined
}

const pathOf = ({ path = '' }: V2Node): string => joinPath('/', path)

function repeatedUnit(units: readonly V2Unit[]): string | undefined {
  for (const { name = '', dropins = [] } of units) {
    const seen = new Set<string>()
    for (const { name: dropin = '' } of dropins) {
      if (seen.has(dropin)) {
        return `Config has duplicate dropin name ${goQuote(dropin)} in unit ${goQuote(name)}.  All dropins must specify a unique \`name\`.`
      }
      seen.add(dropin)
    }
  }
  return undefined
}

function translate({ ignition, passwd, storage, systemd }: V2Config): IgnitionConfig {
  const { config, security, timeouts } = ignition
  const authorities = security?.tls?.certificateAuthorities ?? []
  const references = config?.append ?? []
  const last = references.at(-1)
  return compact({
    ignition: compact({
      config: filled({
        // The reference gives every entry the source of the last one, so that two entries are refused as duplicates.
        merge: translated(references, ({ verification }) => compact({ source: last?.source ?? '', verification })),
        replace: config?.replace && reference(config.replace),
      }),
      security: authorities.length > 0 ? { tls: { certificateAuthorities: authorities.map(reference) } } : undefined,
      timeouts,
      version: '3.5.0',
    }),
    passwd: filled({ groups: translated(passwd?.groups, toGroup), users: translated(passwd?.users, toUser) }),
    storage: filled({
      directories: translated(storage?.directories, toDirectory),
      disks: translated(storage?.disks, ({ device = '', wipeTable }) =>
        compact({ device, wipeTable: wipeTable || undefined }),
      ),
      files: translated(storage?.files, toFile),
      links: translated(storage?.links, toLink),
      raid: translated(storage?.raid, toRaid),
    }),
    systemd: filled({ units: translated(systemd?.units, toUnit) }),
  })
}

const reference = ({ source = '', verification }: V2Reference): Resource => compact({ source, verification })

function toNode({ group, overwrite, path = '', user }: V2Node): Node {
  return compact({ group: toOwner(group), overwrite, path: cleanPath(`/${path}`), user: toOwner(user) })
}

const toOwner = (owner: V2Node['user']): Node['user'] | undefined =>
  owner === undefined ? undefined : filled({ id: owner.id, name: owner.name || undefined })

/** Spec 2 overwrites by default, spec 3 does not; a file that is appended to must not be overwritten. */
function toFile(file: V2File): File {
  const { append, contents, mode, overwrite = true } = file
  const { compression, source = '', verification } = contents ?? {}
  const resource: Resource = compact({ compression: compression || undefined, source, verification })
  const node = toNode({ ...file, overwrite: append === true ? false : overwrite })
  return compact({ ...node, ...(append === true ? { append: [resource] } : { contents: resource }), mode })
}

const toDirectory = (directory: V2Directory): Directory => compact({ ...toNode(directory), mode: directory.mode })

const toLink = (link: V2Link): Link =>
  compact({ ...toNode(link), hard: link.hard || undefined, target: link.target ?? '' })

const toRaid = ({ devices, level = '', name = '', options, spares }: V2Raid): Raid =>
  compact({ devices, level, name, options, spares: spares || undefined })

const toGroup = ({ gid, name = '', passwordHash, system }: V2Group): PasswdGroup =>
  compact({ gid, name, passwordHash: passwordHash || undefined, system: system || undefined })

function toUser(user: V2User): PasswdUser {
  return compact({
    gecos: user.gecos || undefined,
    groups: user.groups,
    homeDir: user.homeDir || undefined,
    name: user.name ?? '',
    noCreateHome: user.noCreateHome || undefined,
    noLogInit: user.noLogInit || undefined,
    noUserGroup: user.noUserGroup || undefined,
    passwordHash: user.passwordHash,
    primaryGroup: user.primaryGroup || undefined,
    shell: user.shell || undefined,
    sshAuthorizedKeys: user.sshAuthorizedKeys,
    system: user.system || undefined,
    uid: user.uid,
  })
}

/** `enabled` wins over the deprecated `enable`. */
function toUnit({ contents, dropins, enable, enabled, mask, name = '' }: V2Unit): Unit {
  return compact({
    contents: contents || undefined,
    dropins: translated(dropins, (dropin) =>
      compact({ contents: dropin.contents || undefined, name: dropin.name ?? '' }),
    ),
    enabled: enabled ?? (enable === true ? true : undefined),
    mask: mask || undefined,
    name,
  })
}
