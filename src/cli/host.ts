import { Command } from 'commander'
import { describeHost, type HostDescription } from '../host/describeHost.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { openHost } from './rootOption.ts'
import { formatTable, type Terminal } from './terminal.ts'

interface HostFlags {
  readonly root: string
  readonly output: OutputFormat
}

/** `mco host`: what a machine can do for a config, and why not the rest. */
export function hostCommand(terminal: Terminal): Command {
  return new Command('host')
    .description('show which parts of a config this machine supports, and why not the others')
    .option('--root <directory>', 'the root of the machine', '/')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  mco host\n  mco host --root /srv/machine -o json')
    .action(async ({ root, output }: HostFlags) => {
      const host = await openHost(root)
      try {
        const description = await describeHost(host)
        print(terminal, output, description, () => formatHost(terminal, description))
      } finally {
        host.close()
      }
    })
}

function formatHost(terminal: Terminal, { host, os, version, parts }: HostDescription): string {
  const rows = parts.map(({ name, supported, detail }) => [
    name,
    supported ? terminal.paint('green', 'yes') : terminal.paint('red', 'no'),
    detail,
  ])
  return [
    `${host}: ${[os, version].filter((text) => text !== '').join(' ')}`,
    formatTable(['PART', 'WORKS', 'HOW, OR WHY NOT'], rows),
  ].join('\n\n')
}
