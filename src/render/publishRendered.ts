import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool, MachineConfigPoolConfiguration } from '../api/machineConfigPool.ts'
import { eventReason, machineConfigAnnotation } from '../api/names.ts'
import type { OSImageStreamEntry } from '../api/osImageStream.ts'
import { applyRendered } from './applyRendered.ts'
import { contentHazards } from './contentHazards.ts'
import { type Generation, sourceOf } from './generate.ts'
import type { RenderAction } from './renderAction.ts'

export interface PublishInput {
  readonly pool: MachineConfigPool
  readonly configs: readonly MachineConfig[]
  readonly controllerConfig: ControllerConfig | undefined
  readonly hash: string
}

type Generated = Extract<Generation, { kind: 'generated' }>

/** The rendered config first, then the pool that names it: a pool must never name what does not exist. */
export function publishRendered(
  snapshot: PublishInput,
  generation: Generated,
  streamSet: OSImageStreamEntry | undefined,
): RenderAction[] {
  const { pool } = snapshot
  const { rendered, ordered } = generation
  const name = rendered.metadata.name ?? ''
  const source = sourceOf(ordered)
  const actions: RenderAction[] = []
  const application = applyRendered(configNamed(snapshot.configs, name), rendered)
  if (application.kind === 'create') {
    actions.push({
      kind: 'createRendered',
      object: application.object,
      because: `${ordered.length} MachineConfigs merge to ${name}`,
    })
    actions.push(...creationEvents(snapshot, generation, streamSet))
  } else if (application.kind === 'update') {
    actions.push({
      kind: 'updateRendered',
      object: application.object,
      because: `${application.changed.join(', ')} had been edited`,
    })
  }
  const target = pool.spec.configuration
  if (target?.name !== name) {
    actions.push({
      kind: 'setTarget',
      configuration: { name, source },
      because: `${target?.name || 'no config'} was the target`,
    })
  } else if (!sameSource(target.source ?? [], source)) {
    actions.push({
      kind: 'setTarget',
      configuration: { name, source },
      because: 'the same result comes from other MachineConfigs',
    })
  }
  return actions
}

function sameSource(a: NonNullable<MachineConfigPoolConfiguration['source']>, b: typeof a): boolean {
  const isSame = (index: number) =>
    a[index]?.name === b[index]?.name &&
    a[index]?.kind === b[index]?.kind &&
    a[index]?.apiVersion === b[index]?.apiVersion
  return a.length === b.length && a.every((_, index) => isSame(index))
}

function creationEvents(
  { controllerConfig, hash }: PublishInput,
  { rendered, merged, ordered, overridden }: Generated,
  streamSet: OSImageStreamEntry | undefined,
): RenderAction[] {
  const name = rendered.metadata.name ?? ''
  const release = rendered.metadata.annotations?.[machineConfigAnnotation.releaseImageVersion] ?? ''
  const generated: RenderAction = {
    kind: 'event',
    on: 'pool',
    type: 'Normal',
    reason: eventReason.renderedConfigGenerated,
    message: `${name} successfully generated (release version: ${release}, controller version: ${hash})`,
  }
  const hazards = contentHazards(ordered, merged.config).map(
    ({ message }): RenderAction => ({
      kind: 'event',
      on: 'pool',
      type: 'Warning',
      reason: eventReason.mergeHazard,
      message,
    }),
  )
  if (!overridden) return [generated, ...hazards]
  const was = streamSet?.osImage ?? controllerConfig?.spec.baseOSContainerImage ?? ''
  const message = `OSImageURL was overridden via machineconfig in ${name} (was: ${was} is: ${merged.osImageURL})`
  const reason = eventReason.osImageUrlOverridden
  return [generated, ...hazards, { kind: 'event', on: 'rendered', type: 'Normal', reason, message }]
}

export const configNamed = (configs: readonly MachineConfig[], name: string): MachineConfig | undefined =>
  name === '' ? undefined : configs.find((config) => config.metadata.name === name)
