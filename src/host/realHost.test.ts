import { afterEach, describe, expect, it } from 'vitest'
import { type ScriptedExec, scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, program, type Tree } from '../../test/host/tree.ts'
import { HostError } from './host.ts'
import { findHostEntry } from './hostEntry.ts'
import { type RealHost, realHost } from './realHost.ts'

const opened: { tree: Tree; host?: RealHost }[] = []
afterEach(() => {
  for (const { tree, host } of opened.splice(0)) {
    host?.close()
    tree.dispose()
  }
})

const systemd = { 'run/systemd/system/': '', 'usr/bin/systemctl': program }
const debian = {
  ...systemd,
  'usr/lib/os-release': 'ID=debian\nVERSION_ID="12"\n',
  'etc/os-release': { link: '../usr/lib/os-release' },
  'usr/bin/getent': program,
  'usr/bin/dpkg-query': program,
  'usr/sbin/update-ca-certificates': program,
  'usr/sbin/update-grub': program,
  'usr/sbin/grub-mkconfig': { text: 'default/grub.d', mode: 0o755 },
  'boot/grub/': '',
}
const coreos = (id: string) => ({
  ...systemd,
  'etc/os-release': `ID=${id}\nVARIANT_ID=coreos\n`,
  'run/ostree-booted': '',
  'usr/bin/rpm-ostree': program,
  'usr/bin/bootc': program,
  'usr/bin/rpm': program,
  'usr/bin/update-ca-trust': program,
})

async function open(entries: Parameters<typeof hostTree>[0], exec: ScriptedExec = scriptedExec()): Promise<RealHost> {
  const tree = hostTree(entries)
  const place: { tree: Tree; host?: RealHost } = { tree }
  opened.push(place)
  place.host = await realHost(tree.path, { exec })
  return place.host
}

const capabilities = (host: RealHost) =>
  Object.fromEntries(
    (['kernelArguments', 'osImage', 'kernelType', 'packages', 'trustStore'] as const).map((name) => {
      const capability = host[name]
      return [name, capability.kind === 'supported' ? 'yes' : capability.reason]
    }),
  )

describe('realHost', () => {
  it('finds what Debian can do and says why it cannot do the rest', async () => {
    const host = await open(debian)
    expect(await host.identity()).toEqual({ id: 'debian', variantId: '', versionId: '12', like: [], imageBased: false })
    expect(capabilities(host)).toEqual({
      kernelArguments: 'yes',
      osImage: 'this host is not updated by images (no rpm-ostree, no bootc)',
      kernelType: 'no way to exchange the kernel of "debian" is known',
      packages: 'no extensions are known for "debian"',
      trustStore: 'yes',
    })
  })

  it('finds what an enterprise image, Fedora CoreOS and a bootc system can do', async () => {
    expect(capabilities(await open(coreos('rhcos')))).toEqual({
      kernelArguments: 'yes',
      osImage: 'yes',
      kernelType: 'yes',
      packages: 'yes',
      trustStore: 'yes',
    })
    expect(capabilities(await open(coreos('fedora')))).toMatchObject({
      osImage: 'yes',
      packages: expect.stringContaining('"fedora"'),
    })
    const { 'usr/bin/rpm-ostree': _, ...bootc } = coreos('fedora')
    expect(capabilities(await open(bootc))).toMatchObject({
      osImage: 'yes',
      kernelArguments: 'bootc takes kernel arguments from the image (/usr/lib/bootc/kargs.d)',
    })
  })

  it.each([
    ['ID=fedora\nVARIANT_ID=server\n', 'yes'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'yes'],
    ['ID=arch\n', 'GRUB is not installed (no update-grub)'],
  ])('of %j with grubby says for kernel arguments: %s', async (release, expected) => {
    const host = await open({ ...systemd, 'etc/os-release': release, 'usr/sbin/grubby': program })
    expect(capabilities(host)).toMatchObject({ kernelArguments: expected })
  })

  it('refuses a tree in which no systemd runs', async () => {
    await expect(open({ 'etc/os-release': 'ID=debian\n' })).rejects.toThrow(/does not run systemd/)
  })

  it('asks for a reboot through a unit of its own, after the deployment on ostree', async () => {
    const plain = scriptedExec()
    await (await open({ ...systemd, 'usr/bin/systemd-run': program }, plain)).power.reboot('Node will reboot')
    expect(plain.ran).toEqual([
      'systemd-run --unit=mco-reboot --collect --description=mco: Node will reboot -- /usr/bin/systemctl reboot',
    ])
    const ostree = scriptedExec()
    await (await open({ ...coreos('rhcos'), 'usr/bin/systemd-run': program }, ostree)).power.reboot('x')
    expect(ostree.ran[0]).toContain('--property=After=ostree-finalize-staged.service')
  })

  it('holds off reboots where a login manager keeps locks, and goes on where it does not answer', async () => {
    const entries = {
      ...systemd,
      'run/systemd/inhibit/': '',
      'usr/bin/systemd-inhibit': program,
      'usr/bin/cat': program,
    }
    const exec = scriptedExec()
    const hold = await (await open(entries, exec)).power.holdOff('update')
    expect([...exec.held]).toEqual([
      'systemd-inhibit --what=shutdown --mode=block --who=mco --why=update -- /usr/bin/cat',
    ])
    await hold.release()
    expect(exec.held.size).toBe(0)
    const line = 'systemd-inhibit --what=shutdown --mode=block --who=mco --why=update -- /usr/bin/cat'
    const silent = scriptedExec({ [line]: new HostError('ETIMEDOUT', 'systemd-inhibit', 'late') })
    await (await (await open(entries, silent)).power.holdOff('update')).release()
  })

  it('gives files their SELinux label where the host has labels', async () => {
    const exec = scriptedExec()
    const { files } = await open({ ...systemd, 'sys/fs/selinux/enforce': '1', 'usr/sbin/restorecon': program }, exec)
    await files.createDirectory('/etc', { mode: 0o755, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })
    await files.createSymlink('/etc/.mco-1-0', 'x')
    await files.rename('/etc/.mco-1-0', '/etc/link')
    expect(exec.ran).toEqual(['restorecon -F -- /etc', 'restorecon -F -- /etc/link'])
  })
})

describe('findHostEntry', () => {
  const has =
    (...programs: readonly string[]) =>
    (program: string) =>
      programs.includes(program)

  it('needs no way in on the machine itself', () => {
    expect(findHostEntry('/', false, has())).toEqual({ kind: 'none' })
  })

  it('enters the namespaces of the init of the host, or else its root', () => {
    expect(findHostEntry('/rootfs', true, has('nsenter', 'chroot'))).toEqual({ kind: 'nsenter', pid: 1 })
    expect(findHostEntry('/rootfs', true, has('chroot'))).toEqual({ kind: 'chroot', root: '/rootfs' })
  })

  it('says what a container lacks that cannot run a command on its host', () => {
    expect(() => findHostEntry('/rootfs', true, has())).toThrow(/host at \/rootfs.*neither nsenter .* nor chroot/)
    expect(() => findHostEntry('/rootfs', false, has('nsenter', 'chroot'))).toThrow(/not process 1 here.*hostPID/)
  })

  it('takes a directory that is nobody’s root for no host', () => {
    expect(() => findHostEntry('/tmp')).toThrow(/not process 1 here/)
  })
})
