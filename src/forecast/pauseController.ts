import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled, watching } from '../kube/controller.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { decidePauseEnd, forgetPatch } from './decidePauseEnd.ts'
import { resumePatch } from './pauseChange.ts'

export interface PausePorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
}

/**
 * Tells when the end of a pause has passed, and resumes a pool whose pause asks for that. Writes the annotations of pauses and,
 * in that one case, spec.paused.
 */
export function pauseController({ cache, kube, clock, events, log }: PausePorts): Controller {
  const told = new Map<string, string>()
  return {
    name: 'pause',
    watches: [watching(MachineConfigPool, ({ old, now }) => [(now ?? old)?.metadata.name ?? ''])],

    async reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
      const cached = cache.get(MachineConfigPool, { name })
      if (!cached) {
        told.delete(name)
        return settled
      }
      const first = decidePauseEnd(cached, clock.now())
      if (first.kind === 'nothing') return settled
      if (first.kind === 'later') return again(first.at)
      if (first.kind === 'overdue' && told.get(name) === first.until) return settled
      // Caches drop the record of who wrote what, without which an earlier pause's wish could be taken for this one's.
      const pool = await kube.get(MachineConfigPool, { name }, { signal }).catch(undefinedIfGone)
      if (!pool) return settled
      const end = decidePauseEnd(pool, clock.now())
      const { resourceVersion } = pool.metadata
      const write = (patch: typeof resumePatch | typeof forgetPatch): Promise<unknown> => {
        const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } }
        return kube.patch(MachineConfigPool, { name }, { type: 'merge', body }, { fieldManager: 'pause', signal })
      }
      switch (end.kind) {
        case 'nothing':
          return settled
        case 'later':
          return again(end.at)
        case 'overdue':
          told.set(name, end.until)
          events.event(pool, 'Warning', 'PauseOverdue', overdueText(name, end.until))
          return settled
        case 'forget':
          await write(forgetPatch)
          return settled
        case 'resume':
          await write(resumePatch)
          events.event(pool, 'Normal', 'PauseEnded', `The pause by ${end.by} ended at ${end.until}, as it asked for`)
          log.info('a pool resumed at the end of its pause', { pool: name, until: end.until })
          return settled
        default:
          return end satisfies never
      }
    },
  }
}

const overdueText = (name: string, until: string): string =>
  `The pause was meant to end at ${until} and does not end by itself; mco resume mcp/${name} shows what waits and resumes`

function undefinedIfGone(error: unknown): undefined {
  if (isNotFound(error)) return undefined
  throw error
}
