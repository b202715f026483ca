import { hostname, userInfo } from 'node:os'
import { Command } from 'commander'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { pauseChange } from '../forecast/pauseChange.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type Reference, referenceTo } from './reference.ts'
import type { Terminal } from './terminal.ts'

interface PauseFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly reason: string
  readonly until?: string
  readonly thenResume?: boolean
  readonly by?: string
}

/** `mco pause`: pauses a pool and leaves on it who, since when, why and until when. */
export function pauseCommand(terminal: Terminal): Command {
  return new Command('pause')
    .description('pause a pool, and leave on it who did it, why and until when')
    .argument('<pool>', 'mcp/NAME', referenceTo('mcp'))
    .requiredOption('-r, --reason <text>', 'why; whoever is on call reads it')
    .option('--until <time>', 'when it is meant to end: 2026-01-31T08:00:00Z, or 90m, 8h, 7d from now')
    .option('--then-resume', 'resume by itself at that time; without it a passed end is only told')
    .option('--no-then-resume', 'take that back')
    .option('--by <name>', 'who pauses (default: USER@HOST of this command)')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText(
      'after',
      '\nNodes that are on their way already arrive all the same. Of a pool that is paused the reason and the end are changed.\n\nExamples:\n  mco pause mcp/worker --reason "quarter end" --until 7d\n  mco resume mcp/worker',
    )
    .action(async ({ name }: Reference<'mcp'>, flags: PauseFlags) => {
      const kube = await connect(flags)
      const pool = await poolNamed(kube, name)
      const change = pauseChange(pool, { ...flags, by: flags.by ?? whoAmI() }, new Date())
      if (change.kind === 'refused') throw new CliError(change.message, exitCodes.usage)
      const { body } = change
      await kube.patch(MachineConfigPool, { name }, { type: 'merge', body }, { fieldManager: pauseFieldManager })
      const end = change.until === undefined ? 'without an end' : `until ${change.until}`
      terminal.out(
        change.wasPaused
          ? `mcp/${name} was paused already; it is now recorded as paused ${end}: ${flags.reason}`
          : `mcp/${name} is paused ${end}; mco resume mcp/${name} shows what waits`,
      )
    })
}

/** Owns spec.paused and the annotations of pauses, so that a pause by other means can be told from ours. */
export const pauseFieldManager = 'mco-pause'

export async function poolNamed(kube: KubeApi, name: string): Promise<MachineConfigPool> {
  return kube.get(MachineConfigPool, { name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new CliError(`there is no pool ${name}; kubectl get mcp lists them`, exitCodes.unavailable, { cause: error })
  })
}

const whoAmI = (): string => `${userInfo().username}@${hostname()}`
