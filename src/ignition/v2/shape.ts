import { bool, int, list, type Member, member, struct, text } from '../shape.ts'

/** Spec 2.2 as a table; order of members is the order of the exact JSON text. */
const strings = list(text, 'append')

const reference = struct('ConfigReference', [
  member('source', text),
  member('verification', struct('Verification', [member('hash', text)])),
])
const contents = struct('FileContents', [
  member('compression', text),
  member('source', text),
  member('verification', struct('Verification', [member('hash', text)])),
])

const owner = struct('NodeUser', [member('id', int), member('name', text)])
const node: readonly Member[] = [
  member('filesystem', text),
  member('group', owner),
  member('overwrite', bool),
  member('path', text),
  member('user', owner),
]
const dropins = list(struct('SystemdDropin', [member('contents', text), member('name', text)]), 'append')

const storage = struct('Storage', [
  member('directories', list(struct('Directory', [...node, member('mode', int)]), 'append')),
  member(
    'disks',
    list(
      struct('Disk', [
        member('device', text),
        member(
          'partitions',
          list(
            struct('Partition', [
              member('guid', text),
              member('label', text),
              member('number', int),
              member('size', int),
              member('start', int),
              member('typeGuid', text),
            ]),
            'append',
          ),
        ),
        member('wipeTable', bool),
      ]),
      'append',
    ),
  ),
  member(
    'files',
    list(
      struct('File', [...node, member('append', bool), member('contents', contents), member('mode', int)]),
      'append',
    ),
  ),
  member(
    'filesystems',
    list(
      struct('Filesystem', [
        member(
          'mount',
          struct('Mount', [
            member('create', struct('Create', [member('force', bool), member('options', strings)])),
            member('device', text),
            member('format', text),
            member('label', text),
            member('options', strings),
            member('uuid', text),
            member('wipeFilesystem', bool),
          ]),
        ),
        member('name', text),
        member('path', text),
      ]),
      'append',
    ),
  ),
  member('links', list(struct('Link', [...node, member('hard', bool), member('target', text)]), 'append')),
  member(
    'raid',
    list(
      struct('Raid', [
        member('devices', strings),
        member('level', text),
        member('name', text),
        member('options', strings),
        member('spares', int),
      ]),
      'append',
    ),
  ),
])

const account: readonly Member[] = [
  member('gecos', text),
  member('groups', strings),
  member('homeDir', text),
  member('noCreateHome', bool),
  member('noLogInit', bool),
  member('noUserGroup', bool),
  member('primaryGroup', text),
  member('shell', text),
  member('system', bool),
  member('uid', int),
]

const user = struct('PasswdUser', [
  member('create', struct('Usercreate', account)),
  member('gecos', text),
  member('groups', strings),
  member('homeDir', text),
  member('name', text),
  member('noCreateHome', bool),
  member('noLogInit', bool),
  member('noUserGroup', bool),
  member('passwordHash', text),
  member('primaryGroup', text),
  member('sshAuthorizedKeys', strings),
  member('shell', text),
  member('system', bool),
  member('uid', int),
])

const group = struct('PasswdGroup', [
  member('gid', int),
  member('name', text),
  member('passwordHash', text),
  member('system', bool),
])

export const v2Shape = struct('Config', [
  member(
    'ignition',
    struct('Ignition', [
      member(
        'config',
        struct('IgnitionConfig', [member('append', list(reference, 'append')), member('replace', reference)]),
      ),
      member(
        'security',
        struct('Security', [
          member('tls', struct('TLS', [member('certificateAuthorities', list(reference, 'append'))])),
        ]),
      ),
      member('timeouts', struct('Timeouts', [member('httpResponseHeaders', int), member('httpTotal', int)])),
      member('version', text),
    ]),
  ),
  member(
    'networkd',
    struct('Networkd', [
      member(
        'units',
        list(
          struct('Networkdunit', [member('contents', text), member('dropins', dropins), member('name', text)]),
          'append',
        ),
      ),
    ]),
  ),
  member('passwd', struct('Passwd', [member('groups', list(group, 'append')), member('users', list(user, 'append'))])),
  member('storage', storage),
  member(
    'systemd',
    struct('Systemd', [
      member(
        'units',
        list(
          struct('Unit', [
            member('contents', text),
            member('dropins', dropins),
            member('enable', bool),
            member('enabled', bool),
            member('mask', bool),
            member('name', text),
          ]),
          'append',
        ),
      ),
    ]),
  ),
])
