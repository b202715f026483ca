import { randomBytes } from 'node:crypto'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import { type Host, isMissing } from '../host/host.ts'
import { forgiveBoot, oweBoot } from './bootDebt.ts'
import { emptyConfig, emptyConfigName } from './change.ts'
import { gatherFacts, type HostFacts } from './hostFacts.ts'
import { encapsulatedConfigDonePath, encapsulatedConfigPath, ignitionPresetPath } from './hostPaths.ts'
import type { Journal } from './journal.ts'
import { type LoadedConfig, parseRecordedConfig } from './loadConfig.ts'
import { defaultSshUser } from './plan.ts'
import { planBuilder, type UpdatePlan } from './planBuilder.ts'
import { planMachine } from './planMachine.ts'
import { applyPlan, commit, type Progress, TransactionFailed } from './transaction.ts'
import { UnusableConfig } from './unusableConfig.ts'

/**
 * The end of a machine's installation: Ignition has written files and units; kernel arguments, OS image, kernel and
 * extensions of the config are left to us, in the file that the config server added for this. No file, nothing to do.
 */
export type FirstBoot =
  | { readonly kind: 'nothing' }
  /** The file is there and says nothing; nothing was touched. */
  | { readonly kind: 'unreadable'; readonly message: string }
  /** The host cannot do it; nothing was touched. */
  | { readonly kind: 'refused'; readonly config: string; readonly message: string }
  /** Everything was taken back. */
  | { readonly kind: 'failed'; readonly config: string; readonly message: string }
  /** With a reboot left to do the journal is open, and the next start after it closes it. */
  | { readonly kind: 'complete'; readonly config: string; readonly rebootNeeded: boolean }

/** Nobody else may change the host meanwhile, and no update may be open in the journal. */
export async function completeFirstBoot(
  host: Host,
  journal: Journal,
  onProgress?: (progress: Progress) => void,
): Promise<FirstBoot> {
  const next = await readEncapsulated(host)
  if (next === undefined) return { kind: 'nothing' }
  if (next instanceof UnusableConfig) return { kind: 'unreadable', message: next.message }
  const { name } = next.view
  const options = { sshUser: defaultSshUser, authorizedKeysFile: host.authorizedKeysFile }
  const facts = await gatherFacts(host, emptyConfig, emptyConfig, options)
  const hasPreset = (await host.files.status(ignitionPresetPath)) !== undefined
  const plan = planFirstBoot(next.view, facts, { ...options, hasPreset })
  if (plan.refusals.length > 0)
    return {
      kind: 'refused',
      config: name,
      message: plan.refusals.map(({ field, message }) => `${field}: ${message}`).join('; '),
    }
  const rebootNeeded = plan.steps.some((step) => !('path' in step))
  // The file that starts us is gone before the reboot is asked for: killed in between, we are started by this.
  if (rebootNeeded) await oweBoot(host)
  try {
    await applyPlan({
      host,
      journal,
      plan,
      id: randomBytes(4).toString('hex'),
      from: emptyConfigName,
      to: name,
      actions: rebootNeeded ? [{ type: 'Reboot' }] : [],
      onProgress,
    })
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    if (error.undoErrors.length === 0) await forgiveBoot(host)
    return { kind: 'failed', config: name, message: error.message }
  }
  if (!rebootNeeded) await commit(host, journal)
  return { kind: 'complete', config: name, rebootNeeded }
}

/** Only what Ignition could not do, and the end of the files that it left for us; pure. */
function planFirstBoot(
  next: MachineConfigView,
  facts: HostFacts,
  {
    hasPreset,
    ...user
  }: { readonly hasPreset: boolean; readonly sshUser: string; readonly authorizedKeysFile: string },
): UpdatePlan {
  const plan = planBuilder()
  const delivered = new Set<string>()
  planMachine(plan, { old: installed(next, facts), next, facts, force: false, firstContact: false, delivered, ...user })
  plan.add({ kind: 'copyFile', from: encapsulatedConfigPath, path: encapsulatedConfigDonePath })
  plan.add({ kind: 'remove', path: encapsulatedConfigPath })
  // systemd has followed it at this boot; later it would enable again what a newer config disables.
  if (hasPreset) plan.add({ kind: 'remove', path: ignitionPresetPath })
  return plan.build()
}

/** The machine as a config: what of the wanted one it has already. Images and the installer may bring some of it. */
function installed(next: MachineConfigView, facts: HostFacts): MachineConfigView {
  const { kernelArguments, osImage, kernelType, extensions } = facts
  const pending = kernelArguments.kind === 'known' ? kernelArguments.value : []
  return {
    ...emptyConfig,
    fips: next.fips,
    kernelArguments: splitKernelArguments(next.kernelArguments).filter((argument) => pending.includes(argument)),
    osImageURL: osImage.kind === 'known' ? osImage.value.booted : '',
    kernelType: kernelType.kind === 'known' ? kernelType.value : '',
    extensions: extensions.kind === 'known' ? extensions.value : [],
  }
}

async function readEncapsulated(host: Host): Promise<LoadedConfig | UnusableConfig | undefined> {
  try {
    const text = await host.files.read(encapsulatedConfigPath)
    const remedy = 'Write there what the config server left, or install the machine anew'
    return parseRecordedConfig(text.toString('utf8'), encapsulatedConfigPath, remedy)
  } catch (error) {
    if (isMissing(error)) return undefined
    if (error instanceof UnusableConfig) return error
    throw error
  }
}
