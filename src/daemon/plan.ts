import type { MachineConfigView } from '../forecast/configDiff.ts'
import { type Change, emptyConfigName } from './change.ts'
import { deliveredPaths } from './clusterCertificates.ts'
import { type HostFacts, sha256 } from './hostFacts.ts'
import { currentConfigPath, currentImagePath } from './hostPaths.ts'
import { planBuilder, type UpdatePlan } from './planBuilder.ts'
import { planFiles, planStaleFiles } from './planFiles.ts'
import { planMachine } from './planMachine.ts'
import { planPlaces } from './planPlaces.ts'
import { planUnits } from './planUnits.ts'
import { planUsers } from './planUsers.ts'

export interface PlanOptions {
  /** Everything is written again, also what did not change. */
  readonly force?: boolean
  /** The exact text for the file that names the applied config; written last. Absent: there is to be no such file. */
  readonly currentConfigText?: string | undefined
  readonly currentImage?: string
  readonly delivered?: ReadonlySet<string>
  readonly sshUser?: string
  readonly authorizedKeysFile?: string
}

export const defaultSshUser = 'core'
/** Below the user's home; sshd of the CoreOS family reads it (spec: daemon 9.0.2). */
export const defaultAuthorizedKeysFile = '.ssh/authorized_keys.d/ignition'

/**
 * What must be done to a host to bring it from one config to another; pure. Order: directories, files, links, units,
 * what the new config gave up, keys and password, kernel and image, and last the file that names the config.
 * Assumes that the host is at `old`; only what differs is written.
 */
export function planUpdate(
  old: MachineConfigView,
  next: MachineConfigView,
  facts: HostFacts,
  options: PlanOptions,
): UpdatePlan {
  const plan = planBuilder()
  const { force = false, sshUser = defaultSshUser, authorizedKeysFile = defaultAuthorizedKeysFile } = options
  const { delivered = deliveredPaths(undefined) } = options
  const firstContact = old.name === emptyConfigName
  const change = { old, next, facts, force, firstContact, delivered, sshUser, authorizedKeysFile }
  planPlaces(plan, change)
  planFiles(plan, change)
  planUnits(plan, change)
  planStaleFiles(plan, change)
  planUsers(plan, change)
  planMachine(plan, change)
  planRecords(plan, change, options)
  return plan.build()
}

/** The config may hold secrets in clear: nobody but root reads the record of it. */
const recordAttributes = { mode: 0o600, uid: 0, gid: 0 }

function planRecords(
  plan: ReturnType<typeof planBuilder>,
  { facts }: Change,
  { currentConfigText, currentImage = '' }: PlanOptions,
): void {
  const image = facts.paths.get(currentImagePath)
  const imageText = Buffer.from(currentImage)
  if (currentImage !== '') {
    if (image?.kind !== 'file' || image.sha256 !== sha256(imageText))
      plan.writeFile(currentImagePath, imageText, recordAttributes)
  } else if (image && image.kind !== 'absent') plan.add({ kind: 'remove', path: currentImagePath })
  if (currentConfigText === undefined) return
  const text = Buffer.from(currentConfigText)
  const record = facts.paths.get(currentConfigPath)
  const key = sha256(text)
  if (record?.kind !== 'file' || record.sha256 !== key) plan.writeFile(currentConfigPath, text, recordAttributes, key)
}
