import type { MachineConfigView } from '../forecast/configDiff.ts'
import type { Host } from '../host/host.ts'
import { enablementLinks, parseInstallSection } from '../host/unitFile.ts'
import { type Drift, type DriftFacts, type DriftOptions, findDrift } from './drift.ts'
import { gatherFacts, keyPaths } from './hostFacts.ts'
import { parentOf, unitPath } from './hostPaths.ts'
import { managedPaths } from './managedPaths.ts'

/** Reads what the config has an opinion about and compares. */
export async function checkDisk(
  host: Host,
  config: MachineConfigView,
  options: DriftOptions,
): Promise<readonly Drift[]> {
  return findDrift(config, await gatherDriftFacts(host, config, options), options)
}

/** The directories in which a change may mean drift. */
export async function watchedDirectories(
  host: Host,
  config: MachineConfigView,
  options: DriftOptions,
): Promise<readonly string[]> {
  const user = await host.accounts.user(options.sshUser)
  const keys =
    (config.ignition.passwd?.users ?? []).length > 0 ? keyPaths(user, options.authorizedKeysFile).slice(-1) : []
  return [...new Set([...managedPaths(config), ...keys, ...enablementPaths(config)].map(parentOf))].sort()
}

/** A directory that is not there is watched for from the nearest one above it that is. */
export async function nearestDirectories(host: Host, directories: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const wanted of directories) {
    let directory = wanted
    while (directory !== '/' && !(await host.files.status(directory))) directory = parentOf(directory)
    found.add(directory)
  }
  return [...found].sort()
}

/** The links by which units are enabled, or would be. */
function enablementPaths(config: MachineConfigView): readonly string[] {
  const units = (config.ignition.systemd?.units ?? []).filter(({ enabled }) => enabled !== undefined)
  return units.flatMap(({ name, contents = '' }) =>
    enablementLinks(name, unitPath(name), parseInstallSection(contents)).map(({ path }) => unitPath(path)),
  )
}

async function gatherDriftFacts(host: Host, config: MachineConfigView, options: DriftOptions): Promise<DriftFacts> {
  const facts = await gatherFacts(host, config, config, { ...options, scope: { originals: false } })
  const bootedKernelArguments =
    host.kernelArguments.kind === 'supported' ? await host.kernelArguments.use.booted() : undefined
  return { ...facts, bootedKernelArguments }
}
