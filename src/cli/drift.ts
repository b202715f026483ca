import process from 'node:process'
import { Command } from 'commander'
import { type DriftReport, driftReport } from '../daemon/driftReport.ts'
import { defaultSshUser } from '../daemon/plan.ts'
import { exitCodes } from './exitCodes.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { openHost } from './rootOption.ts'
import type { Terminal } from './terminal.ts'

interface DriftFlags {
  readonly root: string
  readonly sshUser: string
  readonly authorizedKeys?: string
  readonly output: OutputFormat
}

/** `mco drift`: where a machine is not what its applied config says. Changes nothing. */
export function driftCommand(terminal: Terminal): Command {
  return new Command('drift')
    .description('compare a machine with the config that was applied to it; exit code 1 when something differs')
    .option('--root <directory>', 'the root of the machine', '/')
    .option('--ssh-user <name>', 'the user whose keys are managed', defaultSshUser)
    .option('--authorized-keys <file>', "key file below that user's home (default: the one that sshd reads)")
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  mco drift\n  mco drift --root /srv/machine -o json | jq ".drift[].path"')
    .action(async ({ root, sshUser, authorizedKeys, output }: DriftFlags) => {
      const host = await openHost(root)
      try {
        const report = await driftReport(host, {
          sshUser,
          authorizedKeysFile: authorizedKeys ?? host.authorizedKeysFile,
        })
        print(terminal, output, driftValue(report), () => formatDrift(terminal, report))
        if (report.kind === 'checked' && report.drift.length > 0) process.exitCode = exitCodes.failed
      } finally {
        host.close()
      }
    })
}

const driftValue = (report: DriftReport): unknown =>
  report.kind === 'noConfig' ? { config: null, drift: [] } : { config: report.config, drift: report.drift }

function formatDrift(terminal: Terminal, report: DriftReport): string {
  if (report.kind === 'noConfig') return 'no config was applied to this machine yet'
  const { config, drift } = report
  if (drift.length === 0) return `no difference: the machine is as ${config} says`
  const lines = drift.map(({ path, message }) => `${terminal.paint('yellow', path)}: ${message}`)
  return [...lines, `${drift.length} ${drift.length === 1 ? 'difference' : 'differences'} from ${config}`].join('\n')
}
