import { chmodSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { config, newRoot, put, removeRoots, testHost } from '../../test/daemon/builders.ts'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import type { DirectoryHost } from '../host/directoryHost.ts'
import { applyOnce } from './applyOnce.ts'
import { checkDisk, nearestDirectories, watchedDirectories } from './checkDisk.ts'
import { driftReason } from './drift.ts'
import { modeText } from './modeText.ts'

afterEach(removeRoots)

const options = { sshUser: 'core', authorizedKeysFile: '.ssh/authorized_keys.d/ignition' }
const unitText = '[Install]\nWantedBy=multi-user.target\n'
const wanted = config({
  name: 'rendered-1',
  files: { '/etc/plain': 'one', '/etc/owned': { text: 'x', mode: 0o600, user: { id: 5 } } },
  storage: {},
  units: [
    {
      name: 'a.service',
      contents: unitText,
      enabled: true,
      dropins: [{ name: 'd.conf', contents: '[Unit]\n' }, { name: 'empty.conf' }],
    },
    { name: 'm.service', contents: unitText, mask: true },
    { name: 'off.service', contents: unitText, enabled: false },
  ],
  keys: ['ssh-ed25519 a'],
})

async function applied(): Promise<{ root: string; host: DirectoryHost }> {
  const root = newRoot()
  const host = testHost(root)
  const engine = applyOnce(host, wanted, { policies: defaultPolicies, runActions: false })
  expect(await engine.run(await engine.plan())).toMatchObject({ kind: 'applied' })
  return { root, host }
}

const unitDir = 'etc/systemd/system'
const mutations: readonly [string, (root: string, host: DirectoryHost) => unknown, string | undefined][] = [
  ['nothing', () => undefined, undefined],
  ['touch', (root) => utimesSync(join(root, 'etc/plain'), 1, 1), undefined],
  ['another file beside it', (root) => put(root, 'etc/other', 'x'), undefined],
  ['file content', (root) => put(root, 'etc/plain', 'two'), 'content mismatch for file "/etc/plain"'],
  [
    'file chmod',
    (root) => chmodSync(join(root, 'etc/plain'), 0o755),
    'mode mismatch for file: "/etc/plain"; expected: -rw-r--r--/420/0644; received: -rwxr-xr-x/493/0755',
  ],
  [
    'file deleted',
    (root) => rmSync(join(root, 'etc/plain')),
    'could not stat file "/etc/plain": lstat /etc/plain: no such file or directory',
  ],
  [
    'file renamed away',
    (root) => renameSync(join(root, 'etc/plain'), join(root, 'etc/gone')),
    'could not stat file "/etc/plain": lstat /etc/plain: no such file or directory',
  ],
  [
    'file owner',
    (_root, host) => host.files.setAttributes('/etc/owned', { mode: 0o600, uid: 6, gid: 0 }),
    'owner mismatch for file: "/etc/owned"; expected: 5:0; received: 6:0',
  ],
  [
    'file exchanged for a link',
    async (_root, host) => {
      await host.files.remove('/etc/plain')
      await host.files.createSymlink('/etc/plain', 'owned')
    },
    'mode mismatch for file: "/etc/plain"; expected: -rw-r--r--/420/0644; received: Lrwxrwxrwx/134218239/01000000777',
  ],
  [
    'unit content',
    (root) => put(root, `${unitDir}/a.service`, 'x'),
    'content mismatch for file "/etc/systemd/system/a.service"',
  ],
  [
    'drop-in content',
    (root) => put(root, `${unitDir}/a.service.d/d.conf`, 'x'),
    'content mismatch for file "/etc/systemd/system/a.service.d/d.conf"',
  ],
  [
    'drop-in appears that should be empty',
    (root) => put(root, `${unitDir}/a.service.d/empty.conf`, 'x'),
    'content mismatch for file "/etc/systemd/system/a.service.d/empty.conf"',
  ],
  [
    'unit disabled',
    (_root, host) => host.services.disable(['a.service']),
    'unit "a.service" expected enabled=true, but systemd reports "disabled"',
  ],
  [
    'unit enabled',
    (_root, host) => host.services.enable(['off.service']),
    'unit "off.service" expected enabled=false, but systemd reports "enabled"',
  ],
  [
    'mask removed',
    (root) => rmSync(join(root, unitDir, 'm.service')),
    'state validation: invalid unit masked setting. path: "/etc/systemd/system/m.service"; expected: /dev/null; received: nothing',
  ],
  [
    'mask replaced by a file',
    (root) => put(root, `${unitDir}/m.service`, 'x'),
    'state validation: invalid unit masked setting. path: "/etc/systemd/system/m.service"; expected: /dev/null; received: /etc/systemd/system/m.service',
  ],
  [
    'SSH keys',
    (root) => put(root, 'home/core/.ssh/authorized_keys.d/ignition', 'ssh-ed25519 mallory\n', 0o600),
    'content mismatch for file "/home/core/.ssh/authorized_keys.d/ignition"',
  ],
]

describe('findDrift', () => {
  it.each(mutations)('%s', async (_name, mutate, expected) => {
    const { root, host } = await applied()
    await mutate(root, host)
    const drift = await checkDisk(host, wanted.view, options)
    expect(drift[0]?.message).toBe(expected)
    expect(JSON.stringify(drift)).not.toContain('mallory')
    host.close()
  })

  it('reports missing arguments of the running kernel and another image', async () => {
    const root = newRoot({ 'var/lib/mco/booted-os-image': 'img:1', 'var/lib/mco/booted-kernel-arguments': 'quiet\n' })
    const host = testHost(root, { osImage: true })
    const drift = await checkDisk(
      host,
      config({ osImageURL: 'img:2', kernelArguments: ['quiet nosmt', 'a="b c"'] }).view,
      options,
    )
    expect(drift.map(({ message }) => message)).toEqual([
      'expected target osImageURL "img:2", have "img:1"',
      'missing expected kernel arguments: [nosmt a="b c"]',
    ])
    host.close()
  })

  it('leaves out the files that other writers keep up to date', async () => {
    const host = testHost(newRoot())
    const files = { '/etc/kubernetes/kubelet-ca.crt': 'x', '/etc/mco/internal-registry-pull-secret.json': 'x' }
    expect(await checkDisk(host, config({ files }).view, options)).toEqual([])
    const registry = config({ files: { '/etc/docker/certs.d/r/ca.crt': 'x' } }).view
    const delivered = new Set(['/etc/docker/certs.d/r/ca.crt'])
    expect(await checkDisk(host, registry, { ...options, delivered })).toEqual([])
    expect(await checkDisk(host, registry, options)).toHaveLength(1)
    host.close()
  })
})

describe('driftReason', () => {
  it('tells the first finding in full and the others by path', () => {
    const drift = [
      { kind: 'file', path: '/a', message: 'content mismatch for file "/a"' },
      { kind: 'unit', path: '/b', message: 'whatever' },
    ] as const
    expect(driftReason('rendered-1', drift)).toBe(
      'unexpected on-disk state validating against rendered-1: content mismatch for file "/a"; also /b',
    )
  })
})

describe('watchedDirectories', () => {
  it('names the parent of everything that the config describes, each once', async () => {
    const { host } = await applied()
    expect(await watchedDirectories(host, wanted.view, options)).toEqual([
      '/etc',
      '/etc/systemd/system',
      '/etc/systemd/system/a.service.d',
      '/etc/systemd/system/multi-user.target.wants',
      '/home/core/.ssh/authorized_keys.d',
    ])
    host.close()
  })

  it('watches for a directory that is gone from the nearest one above it', async () => {
    const { root, host } = await applied()
    rmSync(join(root, 'etc/systemd/system/a.service.d'), { recursive: true })
    expect(
      await nearestDirectories(host, [
        '/etc',
        '/etc/systemd/system/a.service.d',
        '/etc/plain/below/a/file',
        '/no/such',
      ]),
    ).toEqual(['/', '/etc', '/etc/plain', '/etc/systemd/system'])
    host.close()
  })
})

describe('modeText', () => {
  it.each([
    ['file', 0o644, '-rw-r--r--/420/0644'],
    ['file', 0o4755, 'urwxr-xr-x/8389101/040000755'],
    ['file', 0o1777, 'trwxrwxrwx/1049087/04000777'],
    ['symlink', 0o777, 'Lrwxrwxrwx/134218239/01000000777'],
    ['directory', 0o755, 'drwxr-xr-x/2147484141/020000000755'],
  ] as const)('%s %o', (kind, mode, expected) => expect(modeText(kind, mode)).toBe(expected))
})
