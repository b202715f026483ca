import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { Clock } from '../kube/clock.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isAlreadyExists, type KubeApi } from '../kube/kubeApi.ts'
import type { RenderAction } from './renderAction.ts'
import { setRenderDegraded } from './renderCondition.ts'

export interface ExecutePorts {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
}

/**
 * Carries out the actions in their order. A process may die behind any of them: the next look at the pool finds what is
 * left to do. A conflict means that the pool was observed too early, and is thrown.
 */
export async function executeRender(
  pool: MachineConfigPool,
  { actions }: { readonly actions?: readonly RenderAction[] },
  ports: ExecutePorts,
  signal: AbortSignal,
): Promise<void> {
  const { kube, clock, events } = ports
  // Each write answers with the newest pool: the status is written on that, never on the version that was decided on.
  let newest = pool
  let rendered: MachineConfig | undefined
  for (const action of actions ?? []) {
    switch (action.kind) {
      case 'createRendered':
        rendered = await create(action.object, kube, signal)
        break
      case 'updateRendered':
        rendered = await kube.update(MachineConfig, action.object, { signal })
        break
      case 'setTarget': {
        const { name = '', resourceVersion } = newest.metadata
        const body = { metadata: { resourceVersion }, spec: { configuration: action.configuration } }
        newest = await kube.patch(MachineConfigPool, { name }, { type: 'merge', body }, { signal })
        break
      }
      case 'setRenderDegraded': {
        const conditions = setRenderDegraded(newest.status?.conditions ?? [], action.failure, clock.now())
        if (!conditions) break
        const status = { ...newest.status, conditions }
        newest = await kube.updateStatus(MachineConfigPool, { ...newest, status }, { signal })
        break
      }
      case 'event':
        events.event(
          action.on === 'rendered' && rendered ? rendered : newest,
          action.type,
          action.reason,
          action.message,
        )
        break
      default:
        action satisfies never
    }
  }
}

/** The name is made from the content: one that is there already is the same config, made a moment before. */
async function create(object: MachineConfig, kube: KubeApi, signal: AbortSignal): Promise<MachineConfig> {
  try {
    return await kube.create(MachineConfig, object, { signal })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    return object
  }
}
