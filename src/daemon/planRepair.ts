import type { MachineConfigView } from '../forecast/configDiff.ts'
import { disruptionActions } from '../forecast/disruptionActions.ts'
import type { ClusterPolicies, PolicyAction } from '../forecast/disruptionPolicies.ts'
import { equalValue } from '../ignition/equalValue.ts'
import type { Drift, DriftOptions } from './drift.ts'
import type { HostFacts } from './hostFacts.ts'
import { dropinOf, unitPath } from './hostPaths.ts'
import { planUpdate } from './plan.ts'
import type { UpdatePlan } from './planBuilder.ts'

export interface RepairPlan {
  readonly plan: UpdatePlan
  /** Services that the policies name for what is written again. */
  readonly actions: readonly PolicyAction[]
}

/** The part of a config that drifted: facts are gathered, and a plan is made, for nothing else. */
export function driftedPart(config: MachineConfigView, drift: readonly Drift[]): MachineConfigView {
  const { files, units } = subjectsOf(config, drift)
  const has = (kind: Drift['kind']): boolean => drift.some((found) => found.kind === kind)
  const { ignition, passwd } = config.ignition
  return {
    ...config,
    kernelArguments: has('kernelArguments') ? config.kernelArguments : [],
    ignition: {
      ignition,
      storage: { files: (config.ignition.storage?.files ?? []).filter(({ path }) => files.has(path)) },
      systemd: { units: (config.ignition.systemd?.units ?? []).filter(({ name }) => units.has(name)) },
      ...(has('keys') && passwd ? { passwd } : {}),
    },
  }
}

/**
 * How what differs is written again; pure. A repair never drains and never reboots, since no budget of the pool was asked
 * for it: of the policies' actions only those on services are done. The OS image, and what needs a boot, are left.
 */
export function planRepair(
  config: MachineConfigView,
  drift: readonly Drift[],
  facts: HostFacts,
  policies: ClusterPolicies,
  { currentConfigText, ...options }: DriftOptions & { readonly currentConfigText: string },
): RepairPlan {
  const part = driftedPart(config, drift)
  const plan = planUpdate(part, part, facts, { ...options, force: true, currentConfigText })
  const { files, units } = subjectsOf(config, drift)
  const passwd = part.ignition.passwd !== undefined
  const { because } = disruptionActions({ files: [...files].sort(), units: [...units].sort(), passwd }, policies)
  const wanted = because.flatMap(({ actions }) => actions).filter(({ type }) => onServices.has(type))
  return {
    plan: { ...plan, steps: plan.steps.filter(({ kind }) => !untouched.has(kind)) },
    actions: wanted.filter((action, index) => wanted.findIndex((other) => equalValue(other, action)) === index),
  }
}

const onServices: ReadonlySet<PolicyAction['type']> = new Set(['DaemonReload', 'Reload', 'Restart', 'Special'])
/** Not compared, or not without a boot. */
const untouched: ReadonlySet<string> = new Set(['setPasswordHash', 'setOsImage', 'setKernelType', 'setExtensions'])

function subjectsOf(
  config: MachineConfigView,
  drift: readonly Drift[],
): { readonly files: ReadonlySet<string>; readonly units: ReadonlySet<string> } {
  const ofKind = (kind: Drift['kind']): readonly string[] =>
    drift.filter((found) => found.kind === kind).map(({ path }) => path)
  const paths = new Set(ofKind('unit'))
  const names = (config.ignition.systemd?.units ?? []).map(({ name }) => name)
  const ofDropins = new Set([...paths].map((path) => dropinOf(path)?.unit))
  return {
    files: new Set(ofKind('file')),
    units: new Set(names.filter((name) => paths.has(unitPath(name)) || ofDropins.has(name))),
  }
}
