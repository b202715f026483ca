import { type IrreconcilableDifference, irreconcilableReport } from '../forecast/irreconcilableReport.ts'
import { type HostFiles, isMissing } from '../host/host.ts'
import { installedConfigPath } from './hostPaths.ts'
import { type LoadedConfig, parseRecordedConfig } from './loadConfig.ts'

/**
 * Where the disks of this machine, laid out when it was installed, are not what its present config asks for. Undefined on
 * a machine that does not remember with what it was installed.
 */
export async function irreconcilableChanges(
  files: HostFiles,
  { view }: LoadedConfig,
): Promise<readonly IrreconcilableDifference[] | undefined> {
  const text = await readText(files)
  if (text === undefined) return undefined
  const installed = parseRecordedConfig(text, installedConfigPath)
  return irreconcilableReport(installed.view.ignition.storage, view.ignition.storage)
}

async function readText(files: HostFiles): Promise<string | undefined> {
  try {
    return (await files.read(installedConfigPath)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
