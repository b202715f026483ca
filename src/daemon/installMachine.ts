import { randomBytes } from 'node:crypto'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { messageOf } from '../kube/errors.ts'
import {
  currentConfigPath,
  encapsulatedConfigDonePath,
  encapsulatedConfigPath,
  nodeAnnotationsDonePath,
  nodeAnnotationsPath,
} from './hostPaths.ts'
import type { Journal } from './journal.ts'
import { emptyLoadedConfig, type LoadedConfig, loadConfig } from './loadConfig.ts'
import { prepareUpdate } from './prepareUpdate.ts'
import { applyPlan, commit, type Progress, TransactionFailed } from './transaction.ts'
import { UnusableConfig } from './unusableConfig.ts'

export type Installation =
  /** By Ignition, or by us at an earlier start. */
  | { readonly kind: 'present' }
  | { readonly kind: 'installed' }
  /** Nothing was touched. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Everything was taken back. */
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Writes what the config server serves to a machine that no Ignition has set up, as one transaction: files, units, keys. It
 * leaves no record of an applied config: the daemon finds the name in the files, as after Ignition. Services begin with the
 * next boot.
 */
export async function installMachine(
  host: Host,
  journal: Journal,
  served: string,
  onProgress?: (progress: Progress) => void,
): Promise<Installation> {
  if (await isInstalled(host)) return { kind: 'present' }
  const next = readServed(served)
  if ('message' in next) return { kind: 'refused', message: next.message }
  const prepared = await prepareUpdate(host, emptyLoadedConfig, next, {
    policies: defaultPolicies,
    leavesRecord: false,
  })
  if (prepared.kind !== 'ready') return { kind: 'refused', message: prepared.message }
  const { plan } = prepared
  const names = { id: randomBytes(4).toString('hex'), from: emptyLoadedConfig.view.name, to: next.view.name }
  try {
    await applyPlan({ host, journal, plan, ...names, actions: [], onProgress })
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    return { kind: 'failed', message: error.message }
  }
  await commit(host, journal)
  return { kind: 'installed' }
}

async function isInstalled({ files }: Host): Promise<boolean> {
  const signs = [currentConfigPath, nodeAnnotationsPath, nodeAnnotationsDonePath]
  for (const path of [...signs, encapsulatedConfigPath, encapsulatedConfigDonePath])
    if (await files.status(path)) return true
  return false
}

function readServed(text: string): LoadedConfig | { readonly message: string } {
  try {
    const config: unknown = JSON.parse(text)
    if (typeof config !== 'object' || config === null) return { message: 'what was served is no Ignition config' }
    const metadata = { name: 'installation' }
    const apiVersion = 'machineconfiguration.openshift.io/v1'
    return loadConfig({ apiVersion, kind: 'MachineConfig', metadata, spec: { config: { ...config } } })
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof UnusableConfig)) throw error
    return { message: `what was served is no Ignition config: ${messageOf(error)}` }
  }
}
