import { equal, match, notEqual } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { originalPath } from '../../src/daemon/hostPaths.ts'
import { type ConfigInput, machineConfig } from '../daemon/builders.ts'
import { type ContainerOptions, containerBundle } from './containerBundle.ts'
import type { TestHost } from './testHost.ts'

const owned = '/etc/mco-vendor.conf'
const unowned = '/etc/mco-unowned.conf'
const packageSpec = `Name: mco-vendor
Version: 1
Release: 1
Summary: A configuration file of a distribution
License: Apache-2.0
BuildArch: noarch
%description
One file.
%install
mkdir -p %{buildroot}/etc
echo "of the vendor" > %{buildroot}${owned}
%files
%config(noreplace) ${owned}
`
const demo = 'mco-demo.service'
const demoFragments = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 50-demo, labels: {machineconfiguration.openshift.io/role: worker}}
spec:
  config:
    ignition: {version: 3.5.0}
    systemd:
      units:
        - {name: ${demo}, contents: "[Service]\\nExecStart=/bin/sleep 10000\\n"}
---
apiVersion: operator.openshift.io/v1
kind: MachineConfiguration
metadata: {name: cluster}
spec:
  nodeDisruptionPolicy:
    units:
      - {name: ${demo}, actions: [{type: Restart, restart: {serviceName: ${demo}}}]}
`

/** Machines that are not what most are: packages of the other kind, no init in sight, an unknown distribution, no systemd. */
export function otherSystems(host: TestHost): Record<string, () => Promise<void>> {
  const shell = (script: string, input = '') => host.must('sh', ['-e', '-c', script], { input })
  const apply = async (input: ConfigInput): Promise<void> => {
    await writeFile(join(host.root, 'root/config.json'), JSON.stringify({ config: machineConfig(input) }))
    const outcome = JSON.parse(await host.must('node', ['/opt/mco-test/apply.mjs', 'apply', '/root/config.json']))
    equal(outcome.kind, 'applied', outcome.message)
  }
  const text = async (path: string): Promise<string> => (await host.must('cat', [path])).trim()
  const isThere = async (path: string): Promise<boolean> => (await host.run('test', ['-e', path])).code === 0
  /** `mco` in a container that sees the host's root at /rootfs. */
  const contained = async (options: Omit<ContainerOptions, 'args'>, ...args: readonly string[]) => {
    await shell('mkdir -p /root/bundle')
    const bundle = containerBundle({ ...options, args: [...args, '--root', '/rootfs'] })
    await writeFile(join(host.root, 'root/bundle/config.json'), JSON.stringify(bundle))
    const run = ['--cgroup-manager=disabled', 'run', '--no-new-keyring', '--bundle=/root/bundle', 'mco-once']
    return host.run('crun', run)
  }
  const isActive = async (unit: string): Promise<boolean> =>
    (await host.run('systemctl', ['is-active', unit])).code === 0

  return {
    'where rpm knows the files, those of a package come back, and others go with the config': async () => {
      await shell('cat > /root/vendor.spec; mv /usr/bin/dpkg-query /usr/bin/dpkg-query.hidden', packageSpec)
      await shell(`rpmbuild --quiet --define "_topdir /root/rpmbuild" -bb /root/vendor.spec
        rpm --install --force-debian --nodeps /root/rpmbuild/RPMS/noarch/mco-vendor-1-1.noarch.rpm
        echo "of nobody" > ${unowned}`)
      match((await host.run('rpm', ['-qf', unowned])).stdout, /is not owned by any package/)
      await apply({ name: 'rpm', files: { [owned]: 'ours', [unowned]: 'ours', '/etc/mco-new.conf': 'ours' } })
      equal(await text(owned), 'ours')
      equal(await text(originalPath(owned)), 'of the vendor')
      equal(await isThere(originalPath(unowned)), false)
      notEqual((await host.run('rpm', ['-V', 'mco-vendor'])).code, 0)
      await apply({ name: 'without' })
      equal(await text(owned), 'of the vendor')
      equal((await host.run('rpm', ['-V', '--nomtime', 'mco-vendor'])).stdout, '')
      for (const path of [unowned, '/etc/mco-new.conf', originalPath(owned)]) equal(await isThere(path), false, path)
      await shell('mv /usr/bin/dpkg-query.hidden /usr/bin/dpkg-query')
    },
    'from a container, commands reach the systemd of the host with nsenter or with chroot alone': async () => {
      await shell('cat > /root/demo.yaml', demoFragments)
      for (const without of [['/usr/sbin/chroot'], ['/usr/bin/nsenter']]) {
        const applied = await contained({ without }, 'apply', '/rootfs/root/demo.yaml', '--yes')
        match(applied.stderr, /^applied rendered-worker-/m)
        equal(await isActive(demo), true)
        const undone = await contained({ without }, 'undo')
        equal(undone.code, 0, undone.stderr)
        equal(await isThere(`/etc/systemd/system/${demo}`), false)
        equal(await isActive(demo), false)
      }
    },
    'a container that cannot reach it is told what it lacks, and nothing is touched': async () => {
      const lacks = async (options: Omit<ContainerOptions, 'args'>, what: RegExp): Promise<void> => {
        const { code, stderr } = await contained(options, 'apply', '/rootfs/root/demo.yaml', '--yes')
        equal(code, 3, stderr)
        match(stderr, what)
      }
      await lacks({ hostProcesses: false }, /^error: .*run this container with the host's processes \(hostPID\)/)
      await lacks({ without: ['/usr/bin/nsenter', '/usr/sbin/chroot'] }, /^error: .*neither nsenter .* nor chroot/)
      equal(await isThere(`/etc/systemd/system/${demo}`), false)
    },
    'an unknown distribution is judged by what it has': async () => {
      await shell('rm /etc/os-release; printf "ID=hobby\\nVERSION_ID=7\\n" > /etc/os-release')
      const said = await host.must('mco', ['host'])
      match(said, /^this machine: hobby 7$/m)
      match(said, /^kernel arguments +yes /m)
      match(said, /^extensions +no +no extensions are known for "hobby"$/m)
      await shell('ln -sf ../usr/lib/os-release /etc/os-release')
    },
    'a machine that does not run systemd is refused before anything is touched': async () => {
      const without = (command: string) =>
        host.run('unshare', ['--mount', 'sh', '-c', `mount -t tmpfs none /run && exec ${command}`])
      for (const command of ['mco host', 'mco apply /root/demo.yaml --yes', 'mco drift']) {
        const { code, stderr } = await without(command)
        equal(code, 3, stderr)
        match(stderr, /this machine does not run systemd/)
      }
      equal(await isThere(`/etc/systemd/system/${demo}`), false)
    },
  }
}
