import { blameFragment } from '../../../src/render/blameFragment.ts'
import { renderPools } from '../../../src/render/bootstrap.ts'
import { generate } from '../../../src/render/generate.ts'
import { fragmentParser } from '../../../src/render/parseFragment.ts'
import { reconcilable } from '../../../src/render/reconcilable.ts'
import { selectMachineConfigs } from '../../../src/render/selectMachineConfigs.ts'
import type { Adapter, Input } from '../adapter.ts'

export const adapter: Adapter = {
  run(topic, input) {
    switch (topic) {
      case 'select':
        return selected(input)
      case 'bootstrap':
      case 'bootstrap-streams':
        return bootstrapped(input)
      case 'reconcile':
        return reconciled(input)
      default:
        return generated(input)
    }
  },
  ignorePositions: ['error'],
}

function selected({ poolObject, configs }: Input): unknown {
  const selection = selectMachineConfigs(poolObject, configs)
  switch (selection.kind) {
    case 'selected':
      return { selected: selection.configs.map(({ metadata }) => metadata.name) }
    case 'selectingAll':
      return { selected: [] }
    case 'none':
      return { error: `couldn't find any MachineConfigs for pool: ${poolObject.metadata.name}` }
    case 'invalid':
      return { error: selection.message }
    default:
      return selection satisfies never
  }
}

function generationOf({ poolObject: pool, configs, controllerConfig, imageStreamSet, version, hash }: Input) {
  const { parse } = fragmentParser()
  const fragments = configs.map(parse)
  return {
    parse,
    generation: generate({ pool, fragments, controllerConfig, streamSet: imageStreamSet, version, hash }),
  }
}

function generated(input: Input): unknown {
  const { generation } = generationOf(input)
  return generation.kind === 'refused'
    ? { error: generation.message }
    : { machineConfig: withoutType(generation.rendered) }
}

function reconciled(input: Input): unknown {
  const { parse, generation } = generationOf(input)
  if (generation.kind === 'refused') return { error: generation.message }
  const [current, next] = [parse(input.current), parse(generation.rendered)]
  const verdict = reconcilable(current, next, input.overrides ?? {})
  if (verdict.kind === 'reconcilable') return { name: generation.rendered.metadata.name }
  return { error: blameFragment(verdict, current, generation.ordered, input.overrides ?? {}).message }
}

function bootstrapped({ imageStream, ...input }: Input): unknown {
  const result = renderPools({ ...input, stream: imageStream })
  if (result.kind === 'refused') return { error: result.message }
  return { pools: result.pools, machineConfigs: result.machineConfigs.map(withoutType) }
}

/** The recorded MachineConfigs carry no kind and no apiVersion. */
function withoutType({ apiVersion: _apiVersion, kind: _kind, ...object }: Input): unknown {
  return object
}
