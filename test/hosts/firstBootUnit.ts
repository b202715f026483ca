import { equal, match } from 'node:assert/strict'
import { machineConfig } from '../daemon/builders.ts'
import { until } from '../e2e/harness.ts'
import type { TestHost } from './testHost.ts'

const unit = 'mco-firstboot.service'
const file = '/etc/ignition-machine-config-encapsulated.json'

/** The end of an installation by its unit, before a kubelet: the example as it is, on a machine that Ignition has left. */
export function firstBootUnit(host: TestHost): Record<string, () => Promise<void>> {
  const shell = (script: string, input = '') => host.must('sh', ['-e', '-c', script], { input })
  const show = async (name: string, of = unit): Promise<string> =>
    (await host.must('systemctl', ['show', `--property=${name}`, '--value', of])).trim()
  const left = (kernelArguments: readonly string[]): Promise<string> =>
    shell(`cat > ${file}`, JSON.stringify(machineConfig({ name: 'rendered-worker-1', kernelArguments })))
  const kubeletStarts = (): Promise<void> =>
    until(async () => (await show('ActiveState', 'kubelet.service')) === 'active', 'the kubelet to start', 20_000)

  return {
    'a file that cannot be read keeps the kubelet from starting; put right, it starts without anybody': async () => {
      await shell(`
        printf '[Service]\\nExecStart=/bin/sleep 100000\\n[Install]\\nWantedBy=multi-user.target\\n' > /etc/systemd/system/kubelet.service
        ln -sf /opt/mco/bin/mco /usr/local/bin/mco
        cp /opt/mco/examples/systemd/${unit} /etc/systemd/system/
        mkdir /etc/systemd/system/${unit}.d
        printf '[Service]\\nRestartSec=1s\\n' > /etc/systemd/system/${unit}.d/sooner.conf
        echo '{' > ${file}
        systemctl daemon-reload
        systemctl enable --quiet kubelet.service ${unit}`)
      const { code } = await host.run('systemctl', ['start', 'kubelet.service'])
      equal(code, 1)
      equal(await show('ActiveState', 'kubelet.service'), 'inactive')
      const said = () => host.must('journalctl', ['--no-pager', '--output=cat', `--unit=${unit}`])
      await until(async () => (await said()).includes(`${file} is not JSON`), 'the reason in the journal', 10_000)
      await left([])
      await kubeletStarts()
      match(await said(), /^the installation to rendered-worker-1 is complete$/m)
    },
    'kernel arguments reach the boot menu, the machine reboots by itself, and the kubelet starts after that':
      async () => {
        await left(['mco.first=1'])
        const boot = host.boots()
        await host.loosePower()
        await host.start()
        await host.afterReboot(boot + 1)
        match(await host.must('cat', ['/boot/grub/grub.cfg']), /linux.* mco\.first=1/)
        match(await host.must('cat', ['/proc/cmdline']), / mco\.first=1/)
        await kubeletStarts()
        equal(await show('ConditionResult'), 'no')
        equal((await host.run('test', ['-e', file])).code, 1)
        equal((await host.run('test', ['-e', `${file}.bak`])).code, 0)
      },
  }
}
