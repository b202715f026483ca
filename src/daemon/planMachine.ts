import { canonicalKernelType, type MachineConfigView } from '../forecast/configDiff.ts'
import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { IgnitionKernelArguments } from '../ignition/types.ts'
import type { Change } from './change.ts'
import type { PlanBuilder } from './planBuilder.ts'

/** Kernel arguments, OS image, kernel and extensions: done by the host's adapter, or refused with its reason. */
export function planMachine(plan: PlanBuilder, change: Change): void {
  planKernelArguments(plan, change)
  planOsImage(plan, change)
  planKernelType(plan, change)
  planExtensions(plan, change)
  if (change.firstContact) refuseInstallTimeParts(plan, change.next)
}

/** The image a config wants to run: the one built in the cluster, else the plain one. */
export const imageOf = (config: MachineConfigView): string => config.layeredImage ?? config.osImageURL

/**
 * The boot loader's list after an update: each old argument is dropped once, the new ones are appended. Order and
 * duplicates survive, and arguments that are not ours stay.
 */
function nextKernelArguments(
  pending: readonly string[],
  old: readonly string[],
  next: readonly string[],
): readonly string[] {
  const rest = [...pending]
  for (const argument of splitKernelArguments(old)) {
    const index = rest.indexOf(argument)
    if (index >= 0) rest.splice(index, 1)
  }
  return [...rest, ...splitKernelArguments(next)]
}

function planKernelArguments(plan: PlanBuilder, { old, next, facts, force, firstContact }: Change): void {
  const atFirstBoot = firstContact ? next.ignition.kernelArguments : undefined
  const wanted =
    atFirstBoot !== undefined ||
    !equalValue(splitKernelArguments(old.kernelArguments), splitKernelArguments(next.kernelArguments))
  if (facts.kernelArguments.kind === 'unsupported') {
    if (wanted)
      plan.refuse(
        'spec.kernelArguments',
        `kernel arguments cannot be changed on this host: ${facts.kernelArguments.reason}`,
      )
    return
  }
  if (!wanted && !force) return
  const pending = facts.kernelArguments.value
  const merged = withIgnitionArguments(
    nextKernelArguments(pending, old.kernelArguments, next.kernelArguments),
    atFirstBoot,
  )
  if (!equalValue(merged, pending)) plan.add({ kind: 'setKernelArguments', kernelArguments: merged })
}

function withIgnitionArguments(
  list: readonly string[],
  { shouldExist = [], shouldNotExist = [] }: IgnitionKernelArguments = {},
): readonly string[] {
  const unwanted = new Set(splitKernelArguments(shouldNotExist))
  const kept = list.filter((argument) => !unwanted.has(argument))
  return [...kept, ...splitKernelArguments(shouldExist).filter((argument) => !kept.includes(argument))]
}

function planOsImage(plan: PlanBuilder, { old, next, facts, force }: Change): void {
  const target = imageOf(next)
  const changed = imageOf(old) !== target
  if (target === '' || !(changed || force)) return
  if (facts.osImage.kind === 'unsupported') {
    if (changed) plan.refuse('spec.osImageURL', `the OS image cannot be switched on this host: ${facts.osImage.reason}`)
    return
  }
  if (facts.osImage.value.pending !== target) plan.add({ kind: 'setOsImage', image: target })
}

function planKernelType(plan: PlanBuilder, { old, next, facts }: Change): void {
  const target = canonicalKernelType(next.kernelType)
  if (canonicalKernelType(old.kernelType) === target) return
  if (facts.kernelType.kind === 'unsupported')
    plan.refuse(
      'spec.kernelType',
      `the kernel cannot be changed to "${target}" on this host: ${facts.kernelType.reason}`,
    )
  else if (facts.kernelType.value !== target) plan.add({ kind: 'setKernelType', kernelType: target })
}

function planExtensions(plan: PlanBuilder, { old, next, facts }: Change): void {
  if (equalValue(old.extensions, next.extensions)) return
  if (facts.extensions.kind === 'unsupported')
    plan.refuse('spec.extensions', `extensions cannot be changed on this host: ${facts.extensions.reason}`)
  else if (!equalValue(facts.extensions.value, next.extensions))
    plan.add({ kind: 'setExtensions', extensions: next.extensions })
}

/** Disks are laid out when a machine is installed; a daemon on a running host must not touch them. */
function refuseInstallTimeParts(plan: PlanBuilder, { ignition, fips }: MachineConfigView): void {
  const { disks = [], filesystems = [], raid = [], luks = [] } = ignition.storage ?? {}
  for (const [section, list] of Object.entries({ disks, filesystems, raid, luks }))
    if (list.length > 0)
      plan.refuse(
        `spec.config.storage.${section}`,
        `storage.${section} can only be applied when a machine is installed, not on a running host`,
      )
  if (fips)
    plan.refuse('spec.fips', 'FIPS mode can only be switched on when a machine is installed, not on a running host')
}
