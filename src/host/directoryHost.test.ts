import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type HostUnderTest, hostContract } from './contract.ts'
import {
  bootedKernelArguments,
  type DirectoryHostOptions,
  directoryHost,
  pendingKernelArguments,
} from './directoryHost.ts'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

function newHost(options: DirectoryHostOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'mco-host-'))
  roots.push(root)
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true })
  mkdirSync(join(root, 'scratch'))
  return { root, host: directoryHost(root, { durable: false, ...options }) }
}

const underTest = (options: DirectoryHostOptions) => async (): Promise<HostUnderTest> => {
  const { host } = newHost(options)
  return { host, scratch: '/scratch', dispose: async () => host.close() }
}

hostContract('directoryHost that writes owners down', underTest({ mayChown: false, durable: true }))
if (process.getuid?.() === 0)
  hostContract('directoryHost that changes owners', underTest({ mayChown: true, durable: true }))

describe('directoryHost', () => {
  const write = (root: string, path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  it('resolves users and groups from its own files', async () => {
    const { root, host } = newHost()
    write(root, 'etc/passwd', 'root:x:0:0::/root:/bin/sh\ncore:x:1000:1001:CoreOS:/home/core:/bin/bash\n')
    write(root, 'etc/group', 'root:x:0:\nwheel:x:10:core\n')
    expect(await host.accounts.user('core')).toEqual({ name: 'core', uid: 1000, gid: 1001, home: '/home/core' })
    expect(await host.accounts.user('nobody')).toBeUndefined()
    expect(await host.accounts.group('wheel')).toBe(10)
  })

  it('replaces only the hash of one shadow entry and keeps the mode of the file', async () => {
    const { root, host } = newHost()
    write(root, 'etc/shadow', 'root:*:19000:0:99999:7:::\ncore:old:19001:0:99999:7:::\n')
    await host.files.setAttributes('/etc/shadow', { mode: 0o640, uid: 0, gid: 42 })
    await host.accounts.setPasswordHash('core', '$6$salt$hash')
    expect(readFileSync(join(root, 'etc/shadow'), 'utf8')).toBe(
      'root:*:19000:0:99999:7:::\ncore:$6$salt$hash:19001:0:99999:7:::\n',
    )
    expect(await host.files.status('/etc/shadow')).toMatchObject({ mode: 0o640, gid: 42 })
    expect(await host.accounts.passwordHash('core')).toBe('$6$salt$hash')
  })

  it('refuses a hash that would make another shadow entry', async () => {
    const { host } = newHost()
    await expect(host.accounts.setPasswordHash('core', 'x\nroot::0')).rejects.toMatchObject({ code: 'EINVAL' })
  })

  it('shows pending kernel arguments on the running kernel only after a boot', async () => {
    const { root, host } = newHost()
    if (host.kernelArguments.kind !== 'supported') throw new Error('expected kernel arguments')
    const before = await host.power.bootId()
    await host.kernelArguments.use.setPending(['nosmt', 'a="b c"'])
    expect(await host.kernelArguments.use.booted()).toEqual([])
    await host.power.reboot('test')
    expect(await host.kernelArguments.use.booted()).toEqual(['nosmt', 'a="b c"'])
    expect(await host.power.bootId()).not.toBe(before)
    expect(readFileSync(join(root, pendingKernelArguments), 'utf8')).toBe('nosmt\na="b c"\n')
    expect(readFileSync(join(root, bootedKernelArguments), 'utf8')).toBe('nosmt\na="b c"\n')
  })

  it('makes the links of [Install], follows Also, and removes them all again', async () => {
    const { root, host } = newHost()
    write(
      root,
      'etc/systemd/system/app.service',
      '[Install]\nWantedBy=multi-user.target \\\n graphical.target\nAlias=web.service\nAlso=app.socket\n',
    )
    write(root, 'usr/lib/systemd/system/app.socket', '[Install]\nRequiredBy=sockets.target\n')
    await host.services.enable(['app.service'])
    expect(await host.files.readLink('/etc/systemd/system/multi-user.target.wants/app.service')).toBe(
      '/etc/systemd/system/app.service',
    )
    expect(await host.files.readLink('/etc/systemd/system/graphical.target.wants/app.service')).toBe(
      '/etc/systemd/system/app.service',
    )
    expect(await host.files.readLink('/etc/systemd/system/web.service')).toBe('/etc/systemd/system/app.service')
    expect(await host.files.readLink('/etc/systemd/system/sockets.target.requires/app.socket')).toBe(
      '/usr/lib/systemd/system/app.socket',
    )
    await host.services.disable(['app.service'])
    expect(await host.files.list('/etc/systemd/system')).toEqual(['app.service'])
  })

  it('finds the file of an instance under its template', async () => {
    const { root, host } = newHost()
    write(root, 'usr/lib/systemd/system/job@.service', '[Install]\nWantedBy=multi-user.target\n')
    await host.services.enable(['job@one.service'])
    expect(await host.services.unitFileState('job@one.service')).toBe('enabled')
    expect(await host.services.unitFileState('job@two.service')).toBe('disabled')
  })

  it('lets the first matching preset rule decide, an administrator file hiding the vendor file of the same name', async () => {
    const { root, host } = newHost()
    write(root, 'usr/lib/systemd/system-preset/50-a.preset', 'enable app.service\n')
    write(root, 'etc/systemd/system-preset/50-a.preset', '# ours\ndisable app*.service\n')
    write(root, 'usr/lib/systemd/system-preset/90-z.preset', 'enable *\n')
    expect(await host.services.presetRule('app.service')).toBe('disable')
    expect(await host.services.presetRule('other.timer')).toBe('enable')
  })

  it('writes service actions to its journal', async () => {
    const { root, host } = newHost({ now: () => new Date(0) })
    await host.services.restart('crio.service')
    await host.services.daemonReload()
    expect(readFileSync(join(root, 'var/lib/mco/services.log'), 'utf8')).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","action":"restart","unit":"crio.service"}\n' +
        '{"time":"1970-01-01T00:00:00.000Z","action":"daemon-reload"}\n',
    )
  })

  it('reads the vendor os-release through the usual link', async () => {
    const { root, host } = newHost()
    write(root, 'usr/lib/os-release', 'NAME="Fedora"\nID=fedora\nVARIANT_ID=coreos\nVERSION_ID=40\n')
    await host.files.createSymlink('/etc/os-release', '../usr/lib/os-release')
    expect(await host.identity()).toEqual({
      id: 'fedora',
      variantId: 'coreos',
      versionId: '40',
      like: [],
      imageBased: true,
    })
  })

  it('keeps written-down owners across instances and through renames and removals', async () => {
    const { root, host } = newHost({ mayChown: false })
    await host.files.create('/scratch/a', Buffer.from(''), { mode: 0o600, uid: 1000, gid: 1000 })
    await host.files.rename('/scratch/a', '/scratch/b')
    const again = directoryHost(root, { durable: false, mayChown: false })
    expect(await again.files.status('/scratch/b')).toMatchObject({ uid: 1000, gid: 1000 })
    await again.files.remove('/scratch/b')
    await again.files.create('/scratch/b', Buffer.from(''), { mode: 0o600, uid: 0, gid: 0 })
    expect(await again.files.status('/scratch/b')).toMatchObject({ uid: 0, gid: 0 })
  })

  it('reports a change in a watched directory, also after an atomic replacement', async () => {
    const { root, host } = newHost()
    const changed = deferred()
    const watch = await host.files.watch(['/scratch', '/missing'], (directory) => changed.resolve(directory))
    expect(watch.directories).toEqual(['/scratch'])
    writeFileSync(join(root, 'scratch/new'), 'x')
    expect(await changed.promise).toBe('/scratch')
    watch.close()
  })
})

function deferred(): { promise: Promise<string>; resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => undefined
  const promise = new Promise<string>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
