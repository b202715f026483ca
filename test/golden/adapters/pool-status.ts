import { certificatesOf } from '../../../src/rollout/certificatesOf.ts'
import type { Layering } from '../../../src/rollout/layering.ts'
import { nodeToView } from '../../../src/rollout/nodeView.ts'
import { osImageStreamOf } from '../../../src/rollout/osImageStreamOf.ts'
import { poolStatus } from '../../../src/rollout/poolStatus.ts'
import type { Adapter, Input } from '../adapter.ts'

const recorded = '2023-05-06T07:08:09Z'

export const adapter: Adapter = {
  run(_topic, input) {
    const layering: Layering =
      input.machineOSConfig || input.machineOSBuild
        ? { kind: 'layered', config: input.machineOSConfig, build: input.machineOSBuild }
        : { kind: 'plain' }
    const configs: Input[] = input.machineConfigs ?? []
    const status = poolStatus(
      {
        pool: input.pool,
        nodes: input.nodes.map(nodeToView),
        layering,
        machineConfigNodes: input.machineConfigNodes ?? [],
        featureGates: new Set<string>(input.featureGates),
        certificates: certificatesOf(input.controllerConfig),
        osImageStream: () =>
          osImageStreamOf(input.pool, input.osImageStream, (name) => configs.find((c) => c.metadata.name === name)),
      },
      new Date(),
    )
    return { status: withTimeMarks(status) }
  },
}

/** Recorded conditions say `kept` or `now` instead of a time. */
export function withTimeMarks(status: Input): Input {
  const mark = (time: string) => (time === recorded ? 'kept' : 'now')
  return {
    ...status,
    conditions: status.conditions.map((condition: Input) => ({
      ...condition,
      lastTransitionTime: mark(condition.lastTransitionTime),
    })),
  }
}
