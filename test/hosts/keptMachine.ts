import { equal, match, notEqual } from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../e2e/harness.ts'
import type { TestHost } from './testHost.ts'

const service = 'mco-apply.service'
const chrony = '/etc/chrony.conf'
const lateUnit = 'mco-late.service'
const lateFragment = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 50-late, labels: {machineconfiguration.openshift.io/role: worker}}
spec:
  config:
    ignition: {version: 3.5.0}
    systemd:
      units:
        - {name: ${lateUnit}, enabled: true, contents: "[Service]\\nExecStart=/bin/sleep 10000\\n[Install]\\nWantedBy=multi-user.target\\n"}
`
const badFragment = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 60-bad, labels: {machineconfiguration.openshift.io/role: worker}}
spec:
  config:
    ignition: {version: 3.5.0}
    storage:
      files:
        - {path: /etc/mco-bad, mode: 9999, contents: {source: "data:,never"}}
`

/** A machine that systemd keeps at a directory of fragments, set up as the page for one machine says (examples/systemd). */
export function keptMachine(host: TestHost): Record<string, () => Promise<void>> {
  const shell = (script: string, input = '') => host.must('sh', ['-e', '-c', script], { input })
  const server = async (): Promise<string> => (await host.run('head', ['-n', '1', chrony])).stdout.trim()
  const show = async (name: string): Promise<string> =>
    (await host.must('systemctl', ['show', `--property=${name}`, '--value', service])).trim()
  /** What the last run of the service said. */
  const said = async (): Promise<string> =>
    host.must('journalctl', ['--no-pager', '--output=cat', `_SYSTEMD_INVOCATION_ID=${await show('InvocationID')}`])
  /** The journal of a busy machine may lag behind the end of the service. */
  const says = async (text: RegExp): Promise<void> => {
    const deadline = Date.now() + 10_000
    while (!text.test(await said()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100))
    match(await said(), text)
  }
  const ended = async (result: string, invocation: string): Promise<void> =>
    until(
      async () =>
        (await show('InvocationID')) !== invocation &&
        ['inactive', 'failed'].includes(await show('ActiveState')) &&
        (await show('Result')) === result,
      `a run of ${service} with result ${result}`,
      30_000,
    )

  return {
    'the commands of the page bring the machine to its fragments': async () => {
      await shell(`cd /opt/mco\n${await commandsOfThePage()}`)
      equal(await server(), 'pool time.example.com iburst')
      await says(/^applied rendered-worker-[0-9a-f]+; a reboot completes it\./m)
      equal(await show('Result'), 'success')
    },
    'a changed fragment is applied as soon as it is there': async () => {
      const before = await show('InvocationID')
      await shell('sed -i s/time.example.com/ntp.example.net/ /etc/mco.d/chrony.yaml')
      await ended('success', before)
      equal(await server(), 'pool ntp.example.net iburst')
    },
    'the next run writes again what was changed by hand': async () => {
      await shell(`echo tampered > ${chrony}; systemctl start ${service}`)
      equal(await server(), 'pool ntp.example.net iburst')
      await says(/^written again: \/etc\/chrony\.conf$/m)
    },
    'a bad fragment fails the unit with a sentence in its journal, and changes nothing': async () => {
      const before = await show('InvocationID')
      await shell('cat > /etc/mco.d/60-bad.yaml', badFragment)
      await ended('exit-code', before)
      equal((await host.run('systemctl', ['is-failed', service])).stdout.trim(), 'failed')
      await says(/^ {2}\/etc\/mco\.d\/60-bad\.yaml:9:\d+: .*\.mode: illegal file mode: found 9999/m)
      equal(await server(), 'pool ntp.example.net iburst')
      equal((await host.run('test', ['-e', '/etc/mco-bad'])).code, 1)
      const failed = await show('InvocationID')
      await shell('rm /etc/mco.d/60-bad.yaml')
      await ended('success', failed)
    },
    'a boot brings it to what changed while it was off; the next one starts the unit that was enabled': async () => {
      await host.loosePower()
      await writeFile(join(host.root, 'etc/mco.d/50-late.yaml'), lateFragment)
      await rm(join(host.root, chrony))
      await host.start()
      await ended('success', '')
      equal(await server(), 'pool ntp.example.net iburst')
      equal((await host.must('systemctl', ['is-enabled', lateUnit])).trim(), 'enabled')
      notEqual((await host.run('systemctl', ['is-active', lateUnit])).stdout.trim(), 'active')
      await says(/a reboot completes it/)
      const boot = host.boots()
      await host.run('systemctl', ['reboot'])
      await host.afterReboot(boot)
      equal((await host.must('systemctl', ['is-active', lateUnit])).trim(), 'active')
    },
    'it lets go of everything that it brought': async () => {
      await shell('systemctl disable --now mco-apply.path mco-apply.timer mco-apply.service 2>&1')
      await shell('rm -r /etc/mco.d /etc/systemd/system/mco-apply.*; systemctl daemon-reload')
      await shell('cat > /root/nothing.ign; mco apply /root/nothing.ign --yes 2>&1', '{"ignition":{"version":"3.5.0"}}')
      for (const path of [chrony, `/etc/systemd/system/${lateUnit}`])
        equal((await host.run('test', ['-e', path])).code, 1, path)
    },
  }
}

async function commandsOfThePage(): Promise<string> {
  const page = await readFile('docs/one-machine.md', 'utf8')
  const [, commands] = /^## Keep it there$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  if (commands === undefined) throw new Error('docs/one-machine.md has no commands under "Keep it there"')
  return commands
}
