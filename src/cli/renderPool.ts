import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { machineConfigAnnotation } from '../api/names.ts'
import { type Generation, generate } from '../render/generate.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { selectMachineConfigs } from '../render/selectMachineConfigs.ts'
import { CliError } from './exitCodes.ts'
import { controllerConfigFor, type OfflineObjects } from './fragments.ts'
import { version } from './version.ts'

export type Rendered = Extract<Generation, { kind: 'generated' }>

/** Renders one pool from offline objects, exactly as the controller would. Throws CliError with the render's own message. */
export function renderPool(pool: MachineConfigPool, objects: OfflineObjects): Rendered {
  const configs = objects.machineConfigs.map(({ object }) => object)
  const selection = selectMachineConfigs(pool, configs)
  const name = pool.metadata.name ?? ''
  if (selection.kind === 'invalid') throw new CliError(`pool ${name}: ${selection.message}`)
  if (selection.kind === 'selectingAll')
    throw new CliError(`pool ${name}: machineConfigSelector is empty; name the roles that it selects`)
  if (selection.kind === 'none')
    throw new CliError(
      `pool ${name} selects none of the ${configs.length} MachineConfigs given (${namesOf(configs)}); check their label machineconfiguration.openshift.io/role`,
    )
  const parser = fragmentParser()
  const generation = generate({
    pool,
    fragments: selection.configs.map((config) => parser.parse(config)),
    controllerConfig: controllerConfigFor(objects.controllerConfig, version),
    version,
    hash: buildHashOf(selection.configs),
  })
  if (generation.kind === 'refused') throw new CliError(`pool ${name}: ${generation.message}`)
  if (generation.size.kind === 'tooLarge') throw new CliError(`pool ${name}: ${generation.size.message}`)
  return generation
}

/** Generated fragments must come from one build; offline, that build is taken as the running one. */
function buildHashOf(configs: readonly MachineConfig[]): string {
  const key = machineConfigAnnotation.generatedByControllerVersion
  return configs.map((config) => config.metadata.annotations?.[key] ?? '').find((hash) => hash !== '') ?? version
}

function namesOf(configs: readonly MachineConfig[]): string {
  const names = configs.map((config) => config.metadata.name ?? '(no name)')
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ') || 'none'
}
