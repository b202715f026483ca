import { nodeAnnotation } from '../../api/names.ts'
import { renderedPrefix } from '../../render/renderedName.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import type { Finding } from '../finding.ts'
import { fieldFact } from './evidence.ts'
import type { Situation } from './situation.ts'

/** Fragments that no pool takes: their author waits for a change that never comes. */
export function fragmentCauses({ snapshot, nodes }: Situation): readonly Finding[] {
  const { pools, machineConfigs } = snapshot
  const named = new Set([
    ...pools.map(({ spec }) => spec.configuration?.name),
    ...nodes.flatMap(({ view: { annotations } }) => [
      annotations[nodeAnnotation.currentConfig],
      annotations[nodeAnnotation.desiredConfig],
    ]),
  ])
  const selected = new Set(
    pools.flatMap((pool) => {
      const selection = selectMachineConfigs(pool, machineConfigs)
      return selection.kind === 'selected' ? selection.configs : []
    }),
  )
  return machineConfigs
    .filter((config) => !selected.has(config) && !named.has(config.metadata.name))
    .filter(({ metadata }) => !metadata.name?.startsWith(renderedPrefix))
    .map((config) => {
      const name = config.metadata.name ?? ''
      const roles = pools.map(({ metadata }) => metadata.name ?? '').sort()
      return {
        code: 'FragmentNotSelected',
        severity: 'info',
        subject: { kind: 'mc', name },
        what: `no pool takes MachineConfig ${name}: it changes nothing`,
        why: `its labels match the machineConfigSelector of none of the pools ${roles.join(', ')}`,
        remedy: `label it with the role of its pool, for instance: kubectl label mc ${name} machineconfiguration.openshift.io/role=${roles.at(-1) ?? 'worker'}`,
        evidence: [fieldFact(`machineconfig/${name}`, config, 'metadata.labels')],
      } satisfies Finding
    })
}
