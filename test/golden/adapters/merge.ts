import { ignitionToJson } from '../../../src/ignition/serialize.ts'
import { specToValue } from '../../../src/render/generate.ts'
import { mergeMachineConfigs, mergeOrder } from '../../../src/render/mergeMachineConfigs.ts'
import { fragmentParser } from '../../../src/render/parseFragment.ts'
import { renderedName } from '../../../src/render/renderedName.ts'
import type { Adapter, Input } from '../adapter.ts'

export const adapter: Adapter = { run: (_topic, input) => merged(input), ignorePositions: ['error'] }

/** The merge of a pool without the checks around it: fields, exact text and name. */
export function merged({ pool, configs, controllerConfig, imageStreamSet }: Input): Record<string, unknown> | null {
  const parser = fragmentParser()
  const { baseOSContainerImage = '', baseOSExtensionsContainerImage = '' } = controllerConfig.spec
  const merge = mergeMachineConfigs(mergeOrder(configs.map(parser.parse)), {
    osImage: imageStreamSet ? (imageStreamSet.osImage ?? '') : baseOSContainerImage,
    extensionsImage: imageStreamSet ? (imageStreamSet.osExtensionsImage ?? '') : baseOSExtensionsContainerImage,
  })
  if (merge.kind === 'empty') return null
  if (merge.kind === 'refused') return { error: merge.message }
  const { config, ...fields } = merge.spec
  const named = renderedName(pool, specToValue(merge.spec))
  return { ignition: ignitionToJson(config), ...fields, ...named }
}
