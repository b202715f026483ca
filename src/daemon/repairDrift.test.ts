import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { config, leftovers, newRoot, put, removeRoots, testHost, text, tree } from '../../test/daemon/builders.ts'
import { defaultPolicies, mergePolicies } from '../forecast/disruptionPolicies.ts'
import type { DirectoryHost } from '../host/directoryHost.ts'
import { systemClock } from '../kube/clock.ts'
import { applyOnce } from './applyOnce.ts'
import { checkDisk } from './checkDisk.ts'
import { dropinOf } from './hostPaths.ts'
import { openJournal } from './journal.ts'
import { repairDrift } from './repairDrift.ts'

afterEach(removeRoots)

const options = { sshUser: 'core', authorizedKeysFile: '.ssh/authorized_keys.d/ignition' }
const unitText = '[Install]\nWantedBy=multi-user.target\n'
const units = 'etc/systemd/system'
const wanted = config({
  name: 'rendered-1',
  files: {
    '/etc/plain': 'one',
    '/etc/owned': { text: 'x', mode: 0o600, user: { id: 5 } },
    '/etc/containers/policy.json': '{}',
    '/etc/mco/internal-registry-pull-secret.json': 'written by others',
  },
  units: [
    { name: 'a.service', contents: unitText, enabled: true, dropins: [{ name: 'd.conf', contents: '[Unit]\n' }] },
    { name: 'm.service', mask: true },
    { name: 'off.service', contents: unitText, enabled: false },
  ],
  keys: ['ssh-ed25519 a'],
  kernelArguments: ['nosmt'],
})

async function applied(policies = defaultPolicies, fault?: (action: string, unit: string) => void) {
  const root = newRoot()
  const host = testHost(root, fault ? { serviceFault: fault } : {})
  const engine = applyOnce(host, wanted, { policies, runActions: false })
  expect(await engine.run(await engine.plan())).toMatchObject({ kind: 'applied' })
  await host.completeBoot()
  const repair = async () => {
    const drift = await checkDisk(host, wanted.view, options)
    const silent = { clock: systemClock, onEvent: () => undefined, onLog: () => undefined }
    return repairDrift(
      { ...options, ...silent, host, journal: openJournal(host.files), policies, id: 'r' },
      wanted,
      drift,
    )
  }
  return { root, host, repair }
}

const mutations: readonly [string, (root: string, host: DirectoryHost) => unknown][] = [
  ['file content', (root) => put(root, 'etc/plain', 'two')],
  ['file mode', (root) => chmodSync(join(root, 'etc/plain'), 0o777)],
  ['file deleted', (root) => rmSync(join(root, 'etc/plain'))],
  ['owner', (_root, { files }) => files.setAttributes('/etc/owned', { mode: 0o600, uid: 6, gid: 0 })],
  ['a link in its place', (root) => swap(root, 'etc/plain', '/etc/other')],
  ['unit content', (root) => put(root, `${units}/a.service`, '[Unit]\n')],
  ['drop-in deleted', (root) => rmSync(join(root, `${units}/a.service.d/d.conf`))],
  ['unit disabled', (_root, { services }) => services.disable(['a.service'])],
  ['unit enabled', (_root, { services }) => services.enable(['off.service'])],
  ['unmasked', (root) => rmSync(join(root, `${units}/m.service`))],
  ['keys', (root) => put(root, 'home/core/.ssh/authorized_keys.d/ignition', 'ssh-ed25519 b\n')],
  [
    'everything at once',
    (root) => {
      for (const path of ['etc/plain', 'etc/owned', `${units}/a.service`]) put(root, path, 'x')
    },
  ],
]

describe('repairDrift', () => {
  it.each(mutations)('puts right: %s', async (_name, mutate) => {
    const { root, host, repair } = await applied()
    const before = tree(root)
    await mutate(root, host)
    expect(await checkDisk(host, wanted.view, options)).not.toEqual([])
    expect(await repair()).toEqual({ kind: 'repaired' })
    expect(await checkDisk(host, wanted.view, options)).toEqual([])
    expect(tree(root)).toEqual(before)
    expect(leftovers(root)).toEqual([])
  })

  it('writes nothing but what differs, and neither a password nor what others write', async () => {
    const { root, host, repair } = await applied()
    put(root, 'etc/plain', 'two')
    put(root, 'etc/mco/internal-registry-pull-secret.json', 'newer')
    await host.accounts.setPasswordHash('core', 'by-hand')
    await host.files.remove('/var/lib/mco/services.log')
    expect(await repair()).toEqual({ kind: 'repaired' })
    expect(text(root, 'etc/mco/internal-registry-pull-secret.json')).toBe('newer')
    expect(await host.accounts.passwordHash('core')).toBe('by-hand')
    expect(await host.files.status('/var/lib/mco/services.log')).toBeUndefined()
  })

  it('does the actions on services that the policies name, each once, and never a drain or a reboot', async () => {
    const restart = { type: 'Restart' as const, restart: { serviceName: 'plain.service' } }
    const { root, repair } = await applied(
      mergePolicies({
        files: ['/etc/plain', '/etc/owned'].map((path) => ({ path, actions: [{ type: 'Drain' }, restart] })),
      }),
    )
    put(root, 'etc/plain', 'two')
    put(root, 'etc/owned', 'y')
    put(root, 'etc/containers/policy.json', '[]')
    expect(await repair()).toEqual({ kind: 'repaired' })
    const log = text(root, 'var/lib/mco/services.log').trim().split('\n').slice(-2)
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'reload', unit: 'crio.service' },
      { action: 'restart', unit: 'plain.service' },
    ])
  })

  it('says which service did not take the repaired file up, and leaves the disk right', async () => {
    const { root, host, repair } = await applied(defaultPolicies, (action) => {
      if (action === 'reload') throw new Error('exit status 1')
    })
    put(root, 'etc/containers/policy.json', '[]')
    expect(await repair()).toEqual({
      kind: 'failed',
      message: expect.stringContaining('it is repaired on disk, but: could not apply update: Reloading crio.service'),
    })
    expect(await checkDisk(host, wanted.view, options)).toEqual([])
    expect(leftovers(root)).toEqual([])
  })

  it('says what it cannot repair, and touches nothing', async () => {
    const { root, repair } = await applied()
    rmSync(join(root, 'etc/plain'))
    mkdirSync(join(root, 'etc/plain'))
    put(root, 'etc/owned', 'y')
    expect(await repair()).toEqual({
      kind: 'failed',
      message: expect.stringMatching(
        /it cannot be repaired: \/etc\/plain should be a file but is a directory; move it away$/,
      ),
    })
    expect(text(root, 'etc/owned')).toBe('y')
  })

  it('puts a kernel argument back for the next boot only', async () => {
    const { host, repair } = await applied()
    if (host.kernelArguments.kind === 'unsupported') throw new Error('a directory supports kernel arguments')
    await host.kernelArguments.use.setPending([])
    await host.completeBoot()
    expect(await repair()).toEqual({ kind: 'repaired' })
    expect(await host.kernelArguments.use.pending()).toEqual(['nosmt'])
    expect(await checkDisk(host, wanted.view, options)).toMatchObject([{ kind: 'kernelArguments' }])
  })
})

describe('dropinOf', () => {
  it('knows the unit of a drop-in, and that other configuration has none', () => {
    expect(dropinOf('/etc/systemd/system/a@.service.d/b.conf')).toEqual({ unit: 'a@.service', name: 'b.conf' })
    expect(dropinOf('/etc/systemd/system.conf.d/b.conf')).toBeUndefined()
    expect(dropinOf('/etc/systemd/system/a.service.d/b')).toBeUndefined()
  })
})

function swap(root: string, path: string, target: string): void {
  rmSync(join(root, path))
  symlinkSync(target, join(root, path))
}
