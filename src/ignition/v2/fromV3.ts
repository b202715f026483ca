import { compact, filled, translated } from '../compact.ts'
import type {
  File,
  Filesystem,
  IgnitionConfig,
  Node,
  NodeOwner,
  PasswdUser,
  Resource,
  Storage,
  Unit,
} from '../types.ts'
import type {
  V2Config,
  V2File,
  V2Filesystem,
  V2Node,
  V2Owner,
  V2Reference,
  V2Storage,
  V2Unit,
  V2User,
} from './types.ts'

/**
 * A config that passes as 3.2 in 2.2 form. Features that 2.2 lacks are an error in the original's words. A file without
 * contents has no 2.2 form and is left out, as in the original.
 */
export function toV2(config: IgnitionConfig): { readonly value: V2Config } | { readonly error: string } {
  const lost = lostIn22(config)
  if (lost !== undefined) return { error: `${lost} supported on 2.2` }
  const { ignition, passwd, storage, systemd } = config
  const authorities = ignition.security?.tls?.certificateAuthorities ?? []
  return {
    value: compact({
      ignition: compact({
        config: filled({
          append: translated(ignition.config?.merge, reference),
          replace: ignition.config?.replace?.source === undefined ? undefined : reference(ignition.config.replace),
        }),
        security: authorities.length > 0 ? { tls: { certificateAuthorities: authorities.map(reference) } } : undefined,
        timeouts: ignition.timeouts,
        version: '2.2.0',
      }),
      passwd: filled({
        groups: translated(passwd?.groups, ({ gid, name, passwordHash, system }) =>
          compact({ gid, name, passwordHash: passwordHash || undefined, system: system || undefined }),
        ),
        users: translated(passwd?.users, toUser),
      }),
      storage: storage && toStorage(storage),
      systemd: filled({ units: translated(systemd?.units, toUnit) }),
    }),
  }
}

/** What 2.2 cannot say, up to the word that both the singular and the plural of the original's texts end with. */
function lostIn22({ ignition, passwd, storage = {} }: IgnitionConfig): string | undefined {
  const { config, proxy, security } = ignition
  const references: readonly (readonly [string, readonly (Resource | undefined)[]])[] = [
    ['Ignition.Config.Merge', config?.merge ?? []],
    ['Ignition.Config.Replace', [config?.replace]],
    ['Ignition.Security.TLS.CertificateAuthorities', security?.tls?.certificateAuthorities ?? []],
  ]
  for (const [place, resources] of references) {
    for (const resource of resources) {
      if (resource?.compression !== undefined) return `Compression in ${place} is not`
      if (hasHeaders(resource)) return `HTTPHeaders in ${place} are not`
    }
  }
  if (proxy && Object.keys(proxy).length > 0) return 'HTTP proxies in Ignition.Proxy are not'
  if ((storage.luks ?? []).length > 0) return 'LUKS is not'
  if ((passwd?.users ?? []).some(({ shouldExist }) => shouldExist === false))
    return 'ShouldExist in Passwd.Users is not'
  if ((passwd?.groups ?? []).some(({ shouldExist }) => shouldExist === false))
    return 'ShouldExist in Passwd.Groups is not'
  for (const { resize, sizeMiB, startMiB } of (storage.disks ?? []).flatMap((disk) => disk.partitions ?? [])) {
    if (sizeMiB !== undefined || startMiB !== undefined)
      return 'SizeMiB and StartMiB in Storage.Disks.Partitions is not'
    if (resize === true) return 'Resize in Storage.Disks.Partitions is not'
  }
  if ((storage.filesystems ?? []).some(({ mountOptions = [] }) => mountOptions.length > 0)) {
    return 'MountOptions in Storage.Filesystems is not'
  }
  for (const { append = [], contents } of storage.files ?? []) {
    if (hasHeaders(contents)) return 'HTTPHeaders in Storage.Files.Contents are not'
    if (append.some(hasHeaders)) return 'HTTPHeaders in Storage.Files.Append.* are not'
  }
  return undefined
}

const hasHeaders = (resource: Resource | undefined): boolean => (resource?.httpHeaders ?? []).length > 0

const reference = ({ source, verification }: Resource): V2Reference =>
  compact({ source: source || undefined, verification })

function toStorage(storage: Storage): V2Storage | undefined {
  const mounts = (storage.filesystems ?? []).flatMap(({ path }) => (path === undefined ? [] : [path]))
  const node = (from: Node): V2Node => toNode(from, mounts)
  return filled({
    directories: translated(storage.directories, (directory) => compact({ ...node(directory), mode: directory.mode })),
    disks: translated(storage.disks, ({ device, partitions, wipeTable }) =>
      compact({
        device,
        partitions: translated(partitions, ({ guid, label, number, typeGuid }) =>
          compact({
            guid: guid || undefined,
            label: label || undefined,
            number: number || undefined,
            typeGuid: typeGuid || undefined,
          }),
        ),
        wipeTable: wipeTable || undefined,
      }),
    ),
    files: translated(
      storage.files?.flatMap((file) => toFiles(file, mounts)),
      (file) => file,
    ),
    filesystems: toFilesystems(storage.filesystems ?? []),
    links: translated(storage.links, (link) =>
      compact({ ...node(link), hard: link.hard || undefined, target: link.target || undefined }),
    ),
    raid: translated(storage.raid, ({ devices, level, name, options, spares }) =>
      compact({ devices, level, name, options, spares: spares || undefined }),
    ),
  })
}

/** In 2.2 a path counts from the filesystem that is mounted nearest above it; mounts are named by their path. */
function toNode({ group, overwrite, path, user }: Node, mounts: readonly string[]): V2Node {
  const above = mounts.filter((mount) => mount !== '/' && path.startsWith(`${mount}/`))
  const mount = above.reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), '')
  return compact({
    filesystem: mount === '' ? 'root' : mount,
    group: toOwner(group),
    overwrite,
    path: path.slice(mount.length),
    user: toOwner(user),
  })
}

const toOwner = (owner: NodeOwner | undefined): V2Owner | undefined =>
  owner === undefined ? undefined : filled({ id: owner.id, name: owner.name || undefined })

/** 2.2 knows one content per entry: each appended part becomes an entry of its own. */
function toFiles(file: File, mounts: readonly string[]): readonly V2File[] {
  const common = { ...toNode({ ...file, overwrite: file.overwrite ?? false }, mounts), mode: file.mode }
  const appended = (file.append ?? []).map(
    (part): V2File => compact({ ...common, append: true, contents: toContents(part) }),
  )
  if (file.contents?.source === undefined) return appended
  return [compact({ ...common, contents: toContents(file.contents) }), ...appended]
}

const toContents = ({ compression, source, verification }: Resource): V2Reference =>
  compact({ compression: compression || undefined, source: source || undefined, verification })

function toFilesystems(filesystems: readonly Filesystem[]): readonly V2Filesystem[] | undefined {
  let unnamed = 0
  return translated(filesystems, ({ device, format, label, options, path, uuid, wipeFilesystem }) => {
    if (path === undefined) unnamed += 1
    return compact({
      mount: compact({
        device,
        format: format || undefined,
        label,
        options,
        uuid,
        wipeFilesystem: wipeFilesystem || undefined,
      }),
      name: path ?? String(unnamed),
    })
  })
}

function toUser(user: PasswdUser): V2User {
  return compact({
    gecos: user.gecos || undefined,
    groups: user.groups,
    homeDir: user.homeDir || undefined,
    name: user.name,
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

const toUnit = ({ contents, dropins, enabled, mask, name }: Unit): V2Unit =>
  compact({
    contents: contents || undefined,
    dropins: translated(dropins, (dropin) => compact({ contents: dropin.contents || undefined, name: dropin.name })),
    enabled,
    mask: mask || undefined,
    name,
  })
