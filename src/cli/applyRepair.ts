import { randomBytes } from 'node:crypto'
import { checkDisk } from '../daemon/checkDisk.ts'
import type { Drift } from '../daemon/drift.ts'
import { openJournal } from '../daemon/journal.ts'
import type { LoadedConfig } from '../daemon/loadConfig.ts'
import { defaultSshUser } from '../daemon/plan.ts'
import { repairDrift } from '../daemon/repairDrift.ts'
import type { ClusterPolicies } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { systemClock } from '../kube/clock.ts'
import { CliError } from './exitCodes.ts'
import type { Terminal } from './terminal.ts'

const usersOf = (host: Host) => ({ sshUser: defaultSshUser, authorizedKeysFile: host.authorizedKeysFile })

/** Where a machine is not what a config says. */
export const driftFrom = (host: Host, config: LoadedConfig): Promise<readonly Drift[]> =>
  checkDisk(host, config.view, usersOf(host))

/**
 * Writes again these differences on a machine that is at its config otherwise; never reboots. What `mco undo` takes back stays
 * the last change of the config.
 */
export async function applyRepair(
  terminal: Terminal,
  host: Host,
  config: LoadedConfig,
  policies: ClusterPolicies,
  drift: readonly Drift[],
): Promise<void> {
  const outcome = await repairDrift(
    {
      ...usersOf(host),
      host,
      policies,
      journal: openJournal(host.files),
      id: randomBytes(4).toString('hex'),
      clock: systemClock,
      onEvent: () => undefined,
      onLog: () => undefined,
    },
    config,
    drift,
  )
  if (outcome.kind === 'failed') throw new CliError(outcome.message)
  const written = new Set(drift.map(({ path }) => path))
  const left = (await driftFrom(host, config)).filter(({ path }) => written.has(path))
  if (left.length > 0)
    throw new CliError(`these differences stay: ${left.map(({ message }) => message).join('; ')}; a boot may be needed`)
  terminal.err(`written again: ${drift.map(({ path }) => path).join(', ')}`)
}
