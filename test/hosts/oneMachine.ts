import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPolicies } from '../../src/forecast/disruptionPolicies.ts'
import { type ConfigInput, machineConfig } from '../daemon/builders.ts'
import type { TestHost } from './testHost.ts'

const demo = 'mco-demo.service'
const chronyConfig = '/etc/chrony/chrony.conf'
const reloaded = 'mco-reloaded.service'
const reloadedFile = '/etc/mco-reloaded'
const policies = {
  ...defaultPolicies,
  files: [
    ...defaultPolicies.files,
    { path: chronyConfig, actions: [{ type: 'Restart', restart: { serviceName: 'chronyd.service' } }] },
    { path: '/etc/mco-demo', actions: [{ type: 'Restart', restart: { serviceName: demo } }] },
    { path: reloadedFile, actions: [{ type: 'Reload', reload: { serviceName: reloaded } }] },
    { path: '/usr/local/share/ca-certificates', actions: [{ type: 'None' }] },
  ],
  units: [
    ...defaultPolicies.units,
    { name: demo, actions: [{ type: 'Restart', restart: { serviceName: demo } }] },
    { name: reloaded, actions: [{ type: 'Restart', restart: { serviceName: reloaded } }] },
    { name: 'mco-quiet.service', actions: [{ type: 'None' }] },
    { name: 'mco-broken.service', actions: [{ type: 'Restart', restart: { serviceName: 'mco-broken.service' } }] },
    { name: 'e2scrub_fail@.service', actions: [{ type: 'None' }] },
  ],
}

const demoUnit = (seconds: number) => ({
  name: demo,
  enabled: true,
  contents: `[Service]\nExecStart=/bin/sleep ${seconds}\n[Install]\nWantedBy=multi-user.target\n`,
})
/** Notes what it read when it was reloaded. */
const reloadedUnit = {
  name: reloaded,
  enabled: true,
  contents: [
    ...['[Service]', `ExecReload=/bin/cp ${reloadedFile} /run/mco-reloaded`, 'ExecStart=/bin/sleep 100000'],
    ...['[Install]', 'WantedBy=multi-user.target', ''],
  ].join('\n'),
}
const masked = { name: 'e2scrub_fail@.service', mask: true }
const first = (key: string): ConfigInput => ({
  name: 'first',
  files: {
    [chronyConfig]: 'pool time.example.com iburst\ndriftfile /var/lib/chrony/drift\n',
    '/etc/mco-demo/secret': { text: 'a secret', mode: 0o640, user: { name: 'core' }, group: { name: 'core' } },
  },
  units: [demoUnit(100_000), masked],
  keys: [key],
})

interface Outcome {
  readonly kind: string
  readonly message?: string
  readonly undone?: boolean
  readonly rebootNeeded?: boolean
}

/** One machine, no cluster: everything that a config may change, the reboot, what fails, and the way back. */
export function oneMachine(host: TestHost): Record<string, () => Promise<void>> {
  const apply = async (input: ConfigInput): Promise<Outcome> => {
    await writeFile(join(host.root, 'root/config.json'), JSON.stringify({ config: machineConfig(input), policies }))
    return JSON.parse(await host.must('node', ['/opt/mco-test/apply.mjs', 'apply', '/root/config.json']))
  }
  const undo = async (): Promise<Outcome> =>
    JSON.parse(await host.must('node', ['/opt/mco-test/apply.mjs', 'undo', '/root/config.json']))
  const output = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await host.run(program, args)).stdout.trim()
  const property = (unit: string, name: string) => output('systemctl', 'show', `--property=${name}`, '--value', unit)
  const vendor: { chrony?: string; tree?: string } = {}
  const state: { key: string } = { key: '' }
  const configured = () =>
    output('find', '/etc', '/boot', '/home', '-type', 'f', '-newermt', '2000-01-01', '-exec', 'sha256sum', '{}', '+')

  return {
    'the contract of every host holds on real systemd': async () => {
      const args = [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--configLoader',
        'runner',
        '--config',
        'test/hosts/vitest.config.ts',
      ]
      const { code, stdout, stderr } = await host.run('env', ['--chdir=/opt/mco', 'node', ...args])
      equal(code, 0, stdout + stderr)
    },
    'files with owner and mode, a unit that is started, a mask, a key, and a service that restarts': async () => {
      vendor.chrony = await output('cat', chronyConfig)
      await host.must('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', '/root/key'])
      state.key = await output('cat', '/root/key.pub')
      vendor.tree = await configured()
      const before = await property('chronyd.service', 'MainPID')
      const outcome = await apply(first(state.key))
      equal(outcome.kind, 'applied', outcome.message)
      equal(outcome.rebootNeeded, false)
      equal(await output('stat', '-c', '%U:%G %a', '/etc/mco-demo/secret'), 'core:core 640')
      match(await output('cat', chronyConfig), /time\.example\.com/)
      const after = await property('chronyd.service', 'MainPID')
      notEqual(before, '0')
      notEqual(after, before)
      equal(await property('chronyd.service', 'ActiveState'), 'active')
      equal(await output('systemctl', 'is-enabled', demo), 'enabled')
      equal(await property(demo, 'ActiveState'), 'active')
      equal(await output('systemctl', 'is-enabled', masked.name), 'masked')
      match((await host.run('systemctl', ['start', 'e2scrub_fail@a.service'])).stderr, /is masked/)
    },
    'the key really logs in': async () => {
      const options = [
        '-i',
        '/root/key',
        '-o',
        'StrictHostKeyChecking=no',
        '-o',
        'BatchMode=yes',
        '-o',
        'LogLevel=ERROR',
      ]
      await host.must('systemctl', ['start', 'ssh.service'])
      equal(await host.must('ssh', [...options, 'core@127.0.0.1', 'id', '-un']), 'core\n')
    },
    'a changed unit is read again and restarted: new process, new command': async () => {
      const before = await property(demo, 'MainPID')
      const outcome = await apply({ ...first(state.key), name: 'second', units: [demoUnit(200_000), masked] })
      equal(outcome.kind, 'applied', outcome.message)
      const after = await property(demo, 'MainPID')
      notEqual(after, before)
      equal((await output('cat', `/proc/${after}/cmdline`)).replaceAll('\0', ' ').trim(), '/bin/sleep 200000')
    },
    'a service that reloads has read its new file in the same process': async () => {
      const base = { ...first(state.key), units: [demoUnit(200_000), masked, reloadedUnit] }
      const withFile = (text: string) => ({ ...base, name: text, files: { ...base.files, [reloadedFile]: text } })
      // Unit and file at once: the restart that starts it comes after the reload in the list of actions.
      const started = await apply(withFile('before'))
      equal(started.kind, 'applied', started.message)
      const before = await property(reloaded, 'MainPID')
      notEqual(before, '0')
      equal((await apply(withFile('after'))).kind, 'applied')
      equal(await property(reloaded, 'MainPID'), before)
      equal(await output('cat', '/run/mco-reloaded'), 'after')
      const without = await apply({ ...first(state.key), name: 'second', units: [demoUnit(200_000), masked] })
      equal(without.rebootNeeded, false, without.message)
      equal(await property(reloaded, 'ActiveState'), 'inactive')
    },
    'a unit that fails takes everything back and says why': async () => {
      const disk = await configured()
      const contents = '[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo the disk is on fire; exit 1"\n'
      const units = [demoUnit(200_000), masked, { name: 'mco-broken.service', contents }]
      const outcome = await apply({ ...first(state.key), name: 'broken', units })
      equal(outcome.kind, 'failed')
      equal(outcome.undone, true)
      match(outcome.message ?? '', /mco-broken\.service.*last log lines:.*the disk is on fire/)
      equal(await configured(), disk)
      equal(await property(demo, 'ActiveState'), 'active')
    },
    'a service that refuses its new file runs again with the old one': async () => {
      const files = { ...first(state.key).files, [chronyConfig]: 'this is no directive\n' }
      const outcome = await apply({ ...first(state.key), name: 'refused', files, units: [demoUnit(200_000), masked] })
      equal(outcome.kind, 'failed')
      equal(outcome.undone, true)
      match(outcome.message ?? '', /chronyd\.service/)
      match(await output('cat', chronyConfig), /time\.example\.com/)
      equal(await property('chronyd.service', 'ActiveState'), 'active')
    },
    'so does one that failed too often in the meantime': async () => {
      const unit = (check: string) => ({
        name: 'mco-broken.service',
        enabled: true,
        contents: [
          ...['[Service]', 'Restart=on-failure', 'RestartSec=50ms', `ExecStartPre=${check}`],
          ...['ExecStart=/bin/sleep 1000', '[Install]', 'WantedBy=multi-user.target', ''],
        ].join('\n'),
      })
      const input = (name: string, check: string): ConfigInput => ({
        ...first(state.key),
        name,
        units: [demoUnit(200_000), masked, unit(check)],
      })
      equal((await apply(input('starts', '/bin/true'))).kind, 'applied')
      equal((await apply(input('flaps', '/bin/false'))).undone, true)
      equal(await property('mco-broken.service', 'ActiveState'), 'active')
      equal((await apply({ ...input('without', ''), units: [demoUnit(200_000), masked] })).kind, 'applied')
      equal(await property('mco-broken.service', 'ActiveState'), 'inactive')
    },
    'a unit that systemd has forgotten can be taken away': async () => {
      const units = [demoUnit(200_000), masked]
      const forgotten = {
        name: 'mco-broken.service',
        enabled: false,
        contents: '[Service]\nExecStart=/bin/sleep 1000\n',
      }
      equal((await apply({ ...first(state.key), name: 'with', units: [...units, forgotten] })).kind, 'applied')
      equal(await property(forgotten.name, 'ActiveState'), 'active')
      await host.must('systemctl', ['stop', forgotten.name])
      const outcome = await apply({ ...first(state.key), name: 'without', units })
      equal(outcome.kind, 'applied', outcome.message)
      equal(await property(forgotten.name, 'LoadState'), 'not-found')
    },
    'after an undo systemd knows the old units, not the newer ones': async () => {
      const broken = {
        name: 'mco-broken.service',
        contents: '[Service]\nExecStart=/bin/sleep 1000\nExecStartPre=/bin/false\n',
      }
      const quiet = {
        name: 'mco-quiet.service',
        enabled: false,
        contents: '[Unit]\nDescription=new\n[Service]\nExecStart=/bin/true\n',
      }
      // Loaded by whoever looks while the new file is there, as the restart of the other one makes systemd read it.
      const units = [demoUnit(300_000), masked, quiet, broken]
      equal((await apply({ ...first(state.key), name: 'refused', units })).undone, true)
      equal(await property(demo, 'NeedDaemonReload'), 'no')
      match(await property(demo, 'ExecStart'), /argv\[\]=\/bin\/sleep 200000 /)
      equal(await property(quiet.name, 'LoadState'), 'not-found')
    },
    'what this host cannot do is refused before anything is touched': async () => {
      const disk = await configured()
      const outcome = await apply({ ...first(state.key), name: 'image', osImageURL: 'quay.io/os:1' })
      equal(outcome.kind, 'refused')
      match(outcome.message ?? '', /not updated by images/)
      equal(await configured(), disk)
    },
    'kernel arguments reach the boot menu, and the kernel after the reboot': async () => {
      const input = { ...first(state.key), name: 'third', units: [demoUnit(200_000), masked] }
      const outcome = await apply({ ...input, kernelArguments: ['nosmt', 'mco.test="two words"'] })
      equal(outcome.kind, 'applied', outcome.message)
      equal(outcome.rebootNeeded, true)
      match(await output('cat', '/boot/grub/grub.cfg'), /linux.* nosmt mco\.test="two words"/)
      const [bootId, boot] = [await host.bootId(), host.boots()]
      await host.run('systemctl', ['reboot'])
      await host.afterReboot(boot)
      notEqual(await host.bootId(), bootId)
      match(await output('cat', '/proc/cmdline'), / nosmt mco\.test=/)
      equal(await property(demo, 'ActiveState'), 'active')
    },
    'undo takes the kernel arguments out again': async () => {
      const outcome = await undo()
      equal(outcome.kind, 'undone', JSON.stringify(outcome))
      ok(!/nosmt/.test(await output('cat', '/boot/grub/grub.cfg')))
      equal((await host.run('test', ['-e', '/etc/default/grub.d/99-mco.cfg'])).code, 1)
    },
    'a config that wants nothing brings the vendor files back': async () => {
      const outcome = await apply({ name: 'nothing' })
      equal(outcome.kind, 'applied', outcome.message)
      equal(await output('cat', chronyConfig), vendor.chrony)
      equal((await host.run('test', ['-e', `/etc/systemd/system/${demo}`])).code, 1)
      equal(await output('systemctl', 'is-enabled', masked.name), 'static')
      const left = changedLines(vendor.tree ?? '', await configured())
      deepEqual(left, [])
    },
  }
}

/** Paths whose content differs between two listings, apart from the daemon's own records. */
function changedLines(before: string, after: string): readonly string[] {
  const old = new Set(before.split('\n'))
  const own = /\/etc\/machine-config-daemon\/|\/boot\/grub\/grub\.cfg$|\/\.ssh\//
  return after.split('\n').filter((line) => !old.has(line) && !own.test(line))
}
