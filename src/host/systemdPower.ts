import { type Exec, type HeldCommand, runOrFail } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { HostError, type HostFiles, type Power } from './host.ts'

const bootIdFile = '/proc/sys/kernel/random/boot_id'
const rebootUnit = 'mco-reboot'

/** Boot, reboot and the hold against it on a machine that runs systemd. */
export function systemdPower(exec: Exec, files: HostFiles): Power {
  return {
    async bootId() {
      return (await files.read(bootIdFile)).toString('utf8').trim()
    },
    async reboot(why) {
      // A unit of its own: the request outlives whoever asked, whose service the shutdown ends first.
      if (await findProgram(files, 'systemd-run'))
        await runOrFail(exec, { program: 'systemd-run', args: await rebootArguments(files, why) })
      else await runOrFail(exec, { program: 'systemctl', args: ['reboot'] })
    },
    async holdOff(why) {
      const held = await inhibit(exec, files, why)
      return { release: async () => held?.stop() }
    },
  }
}

async function rebootArguments(files: HostFiles, why: string): Promise<readonly string[]> {
  const staged = 'ostree-finalize-staged.service'
  // Rebooting before the next deployment is finalized would boot the old one.
  const order = (await isOstree(files)) ? [`--property=Requires=${staged}`, `--property=After=${staged}`] : []
  const systemctl = (await findProgram(files, 'systemctl')) ?? '/usr/bin/systemctl'
  return [`--unit=${rebootUnit}`, '--collect', `--description=mco: ${why}`, ...order, '--', systemctl, 'reboot']
}

export const isOstree = async (files: HostFiles): Promise<boolean> =>
  (await files.status('/run/ostree-booted')) !== undefined

/**
 * `systemd-inhibit` around a program that ends with its input: a killed daemon leaves no lock behind. Undefined where
 * nobody keeps such locks; then nobody asks for them either.
 */
async function inhibit(exec: Exec, files: HostFiles, why: string): Promise<HeldCommand | undefined> {
  const hasLogind = await files.status('/run/systemd/inhibit')
  const cat = await findProgram(files, 'cat')
  if (!hasLogind || !cat || !(await findProgram(files, 'systemd-inhibit'))) return undefined
  const args = ['--what=shutdown', '--mode=block', '--who=mco', `--why=${why}`, '--', cat]
  try {
    return await exec.hold({ program: 'systemd-inhibit', args, timeoutMs: 10_000 })
  } catch (error) {
    // A login manager that refuses or hangs must not keep the machine from its config.
    if (error instanceof HostError) return undefined
    throw error
  }
}
