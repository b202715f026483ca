import { bool, byMember, byValue, int, list, type Member, member, memberOf, named, struct, text } from './shape.ts'

/**
 * Ignition specification 3.0 to 3.5 as one table (public configuration specifications v3.0.0 to v3.5.0 and their upgrade
 * notes: `since` is the minor version that introduced a key). Order of members is the order of the exact JSON text.
 */
const verification = struct('Verification', [member('hash', text)])

const header = struct('HTTPHeader', [member('name', text, { plain: 'always' }), member('value', text)])
const headers = list(header, byMember('name'), { goType: 'types.HTTPHeaders', removedWithout: 'value' })

/** In 3.0 each place had a type of its own; references had no compression. */
const resource = (nameIn30: string, compressionSince: number) =>
  struct(
    'Resource',
    [
      member('compression', text, { since: compressionSince }),
      member('httpHeaders', headers, { since: 1 }),
      member('source', text),
      member('verification', verification),
    ],
    { earlier: { goName: nameIn30, until: 0 } },
  )
const content = resource('FileContents', 0)
const configReference = resource('ConfigReference', 1)
const authority = resource('CaReference', 1)

const owner = (name: string) => struct(name, [member('id', int), member('name', text)])
const node: readonly Member[] = [
  member('group', owner('NodeGroup'), { embedded: 'Node' }),
  member('overwrite', bool, { embedded: 'Node' }),
  member('path', text, { embedded: 'Node', plain: 'always' }),
  member('user', owner('NodeUser'), { embedded: 'Node' }),
]

const file = struct('File', [
  ...node,
  member('append', list(content, 'append'), { embedded: 'FileEmbedded1' }),
  member('contents', content, { embedded: 'FileEmbedded1' }),
  member('mode', int, { embedded: 'FileEmbedded1' }),
])
const directory = struct('Directory', [...node, member('mode', int, { embedded: 'DirectoryEmbedded1' })])
const link = struct('Link', [
  ...node,
  member('hard', bool, { embedded: 'LinkEmbedded1' }),
  member('target', text, { embedded: 'LinkEmbedded1', plainUntil: 2 }),
])

const partition = struct('Partition', [
  member('guid', text),
  member('label', text),
  member('number', int, { plain: 'sparse' }),
  member('resize', bool, { since: 2 }),
  member('shouldExist', bool),
  member('sizeMiB', int),
  member('startMiB', int),
  member('typeGuid', text),
  member('wipePartitionEntry', bool),
])
const disk = struct('Disk', [
  member('device', text, { plain: 'always' }),
  member('partitions', list(partition, partitionKey)),
  member('wipeTable', bool),
])

const filesystem = struct('Filesystem', [
  member('device', text, { plain: 'always' }),
  member('format', text),
  member('label', text),
  member('mountOptions', list(named('MountOption'), 'append'), { since: 1 }),
  member('options', list(named('FilesystemOption'), 'append')),
  member('path', text),
  member('uuid', text),
  member('wipeFilesystem', bool),
])

const clevis = struct('Clevis', [
  member(
    'custom',
    struct(
      'ClevisCustom',
      [member('config', text, { plainUntil: 2 }), member('needsNetwork', bool), member('pin', text, { plainUntil: 2 })],
      { earlier: { goName: 'Custom', until: 2 } },
    ),
  ),
  member(
    'tang',
    list(
      struct('Tang', [
        member('advertisement', text, { since: 4 }),
        member('thumbprint', text),
        member('url', text, { plain: 'sparse' }),
      ]),
      byMember('url'),
    ),
  ),
  member('threshold', int),
  member('tpm2', bool),
])

const luks = struct('Luks', [
  member('cex', struct('Cex', [member('enabled', bool)]), { since: 5 }),
  member('clevis', clevis),
  member('device', text),
  member('discard', bool, { since: 4 }),
  member('keyFile', content),
  member('label', text),
  member('name', text, { plain: 'always' }),
  member('openOptions', list(named('OpenOption'), byValue), { since: 4 }),
  member('options', list(named('LuksOption'), 'append')),
  member('uuid', text),
  member('wipeVolume', bool),
])

const raid = struct('Raid', [
  member('devices', list(named('Device'), byValue)),
  member('level', text, { plainUntil: 2 }),
  member('name', text, { plain: 'always' }),
  member('options', list(named('RaidOption'), 'append')),
  member('spares', int),
])

const storage = struct(
  'Storage',
  [
    member('directories', list(directory, byMember('path'))),
    member('disks', list(disk, byMember('device'))),
    member('files', list(file, byMember('path'))),
    member('filesystems', list(filesystem, byMember('device'))),
    member('links', list(link, byMember('path'))),
    member('luks', list(luks, byMember('name')), { since: 2 }),
    member('raid', list(raid, byMember('name'))),
  ],
  { sharedKeys: ['directories', 'files', 'links'] },
)

const passwd = struct('Passwd', [
  member(
    'groups',
    list(
      struct('PasswdGroup', [
        member('gid', int),
        member('name', text, { plain: 'always' }),
        member('passwordHash', text),
        member('shouldExist', bool, { since: 2 }),
        member('system', bool),
      ]),
      byMember('name'),
    ),
  ),
  member(
    'users',
    list(
      struct('PasswdUser', [
        member('gecos', text),
        member('groups', list(named('Group'), byValue)),
        member('homeDir', text),
        member('name', text, { plain: 'always' }),
        member('noCreateHome', bool),
        member('noLogInit', bool),
        member('noUserGroup', bool),
        member('passwordHash', text),
        member('primaryGroup', text),
        member('sshAuthorizedKeys', list(named('SSHAuthorizedKey'), byValue)),
        member('shell', text),
        member('shouldExist', bool, { since: 2 }),
        member('system', bool),
        member('uid', int),
      ]),
      byMember('name'),
    ),
  ),
])

const systemd = struct('Systemd', [
  member(
    'units',
    list(
      struct('Unit', [
        member('contents', text),
        member(
          'dropins',
          list(
            struct('Dropin', [member('contents', text), member('name', text, { plain: 'always' })]),
            byMember('name'),
          ),
        ),
        member('enabled', bool),
        member('mask', bool),
        member('name', text, { plain: 'always' }),
      ]),
      byMember('name'),
    ),
  ),
])

const ignition = struct('Ignition', [
  member(
    'config',
    struct('IgnitionConfig', [
      member('merge', list(configReference, byMember('source'))),
      member('replace', configReference),
    ]),
  ),
  member(
    'proxy',
    struct('Proxy', [
      member('httpProxy', text),
      member('httpsProxy', text),
      member('noProxy', list(named('NoProxyItem'), byValue)),
    ]),
    { since: 1 },
  ),
  member(
    'security',
    struct('Security', [
      member('tls', struct('TLS', [member('certificateAuthorities', list(authority, byMember('source')))])),
    ]),
  ),
  member('timeouts', struct('Timeouts', [member('httpResponseHeaders', int), member('httpTotal', int)])),
  member('version', text, { plain: 'always' }),
])

const kernelArguments = struct(
  'KernelArguments',
  [
    member('shouldExist', list(named('KernelArgument'), byValue)),
    member('shouldNotExist', list(named('KernelArgument'), byValue)),
  ],
  { sharedKeys: ['shouldExist', 'shouldNotExist'] },
)

export const configShape = struct('Config', [
  member('ignition', ignition),
  member('kernelArguments', kernelArguments, { since: 3 }),
  member('passwd', passwd),
  member('storage', storage),
  member('systemd', systemd),
])

/** A partition is known by its number; only without one by its label (specification: disks.partitions.label). */
function partitionKey(item: unknown): string {
  const number = memberOf(item, 'number')
  if (typeof number === 'number' && number !== 0) return `number:${number}`
  const label = memberOf(item, 'label')
  return typeof label === 'string' ? `label:${label}` : ''
}
