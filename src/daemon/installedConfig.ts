import { type IrreconcilableDifference, irreconcilableReport } from '../forecast/irreconcilableReport.ts'
import { type Host, type HostFiles, isMissing } from '../host/host.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'
import { installedConfigPath } from './hostPaths.ts'
import { type LoadedConfig, parseRecordedConfig } from './loadConfig.ts'

interface InstalledConfigPorts {
  readonly nodeName: string
  readonly host: Host
  readonly log: Log
}

/**
 * Where the disks of this machine, laid out when it was installed, are not what its present config asks for. Undefined on
 * a machine that does not remember with what it was installed. This only tells: what cannot be compared is logged, and
 * keeps no node from being Done.
 */
export async function irreconcilableChanges(
  { nodeName, host, log }: InstalledConfigPorts,
  { view }: LoadedConfig,
): Promise<readonly IrreconcilableDifference[] | undefined> {
  try {
    const text = await readText(host.files)
    if (text === undefined) return undefined
    const installed = parseRecordedConfig(text, installedConfigPath)
    return irreconcilableReport(installed.view.ignition.storage, view.ignition.storage)
  } catch (error) {
    log.warn('could not compare the disks with the config', { node: nodeName, error: messageOf(error) })
    return undefined
  }
}

async function readText(files: HostFiles): Promise<string | undefined> {
  try {
    return (await files.read(installedConfigPath)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
