import type { MachineConfigView } from '../forecast/configDiff.ts'
import type { HostFacts } from './hostFacts.ts'

/** The name of the config of a host that no config was applied to yet. */
export const emptyConfigName = 'mco-empty-mc'

export const emptyConfig: MachineConfigView = {
  name: emptyConfigName,
  osImageURL: '',
  kernelArguments: [],
  extensions: [],
  fips: false,
  kernelType: '',
  ignition: { ignition: { version: '3.5.0' } },
}

/** One update as its plan sees it. */
export interface Change {
  readonly old: MachineConfigView
  readonly next: MachineConfigView
  readonly facts: HostFacts
  readonly force: boolean
  /** No config was applied before: what Ignition does at the first boot is done too. */
  readonly firstContact: boolean
  /** Paths that the config does not write, because the daemon delivers them ahead of it. */
  readonly delivered: ReadonlySet<string>
  readonly sshUser: string
  readonly authorizedKeysFile: string
}
