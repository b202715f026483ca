import { apiVersionOf } from '../../api/kind.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { eventReason } from '../../api/names.ts'
import type { Clock } from '../../kube/clock.ts'
import type { EventLimits } from '../../kube/eventCorrelator.ts'
import type { EventRecorder } from '../../kube/events.ts'
import type { Informers } from '../../kube/informers.ts'
import type { OnServed, Served } from '../admission.ts'

export interface ServedEvents {
  readonly onServed: OnServed
  /** Tells what was served, until the signal; then all that is left. */
  run(signal: AbortSignal): Promise<void>
}

export interface ServedEventPorts {
  readonly events: EventRecorder
  readonly clock: Clock
  readonly informers: Pick<Informers, 'cache' | 'hasSynced'>
  readonly mostPerSecond?: number
}

/** For the recorder: every event is told as it is, because each names other machines; the rate is kept here. */
export const auditEventLimits: EventLimits = {
  burst: 1000,
  refillMs: 1,
  similarMax: Number.MAX_SAFE_INTEGER,
  similarWindowMs: 0,
  memory: 256,
}

const pauseMs = 1000
/** An Event holds 1,024 characters. */
const longestMessage = 1000
/** Of one pool and config, before they are only counted. The log of the server has a line for each. */
const mostWaiting = 5000
/** Within this time a machine that asks again for the same config is still in the same boot. */
const sameBootMs = 3_600_000
const mostRemembered = 20_000

interface Waiting {
  readonly pool: string
  readonly config: string
  readonly machines: string[]
  untold: number
}

/**
 * An Event on the pool for every machine that got its config: who, by which token, which config. What was served within a second
 * is told together, so that a thousand boots are some thirty Events and not a thousand writes.
 */
export function servedEvents({ events, clock, informers, mostPerSecond = 20 }: ServedEventPorts): ServedEvents {
  const waiting = new Map<string, Waiting>()
  const told = new Map<string, number>()

  function isSameBoot({ pool, config, remoteAddress, at }: Served): boolean {
    const key = `${pool} ${config} ${remoteAddress}`
    const before = told.get(key)
    if (before !== undefined && at.getTime() - before < sameBootMs) return true
    told.delete(key)
    told.set(key, at.getTime())
    for (const oldest of told.keys()) {
      if (told.size <= mostRemembered) break
      told.delete(oldest)
    }
    return false
  }

  function tell(most: number): void {
    for (let left = most; left > 0; left--) {
      const [next] = waiting
      if (!next) return
      const [key, group] = next
      events.event(subjectOf(group.pool), 'Normal', eventReason.configServed, takeMessage(group))
      if (group.machines.length === 0) waiting.delete(key)
    }
  }

  /** An event that knows the pool's uid is shown by `kubectl describe`. A server without the API server does not know it. */
  function subjectOf(name: string): MachineConfigPool {
    const isKnown = informers.hasSynced(MachineConfigPool)
    const pool = isKnown ? informers.cache.get(MachineConfigPool, { name }) : undefined
    const { apiVersion, kind } = { apiVersion: apiVersionOf(MachineConfigPool), kind: MachineConfigPool.kind }
    return { ...(pool ?? { metadata: { name }, spec: {} }), apiVersion, kind }
  }

  return {
    onServed(served) {
      if (isSameBoot(served)) return
      const { pool, config } = served
      const key = `${pool} ${config}`
      const group = waiting.get(key) ?? { pool, config, machines: [], untold: 0 }
      waiting.set(key, group)
      if (group.machines.length < mostWaiting) group.machines.push(machineText(served))
      else group.untold += 1
    },
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(pauseMs, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
        tell(signal.aborted ? Number.POSITIVE_INFINITY : mostPerSecond)
      }
    },
  }
}

function machineText({ remoteAddress, identity }: Served): string {
  if (!identity) return `${remoteAddress} without a token`
  const { kind, name, machine } = identity
  return `${machine === undefined ? '' : `${machine} at `}${remoteAddress} by ${kind} ${name}`
}

/** As many machines as one message holds; they are taken out of the group. */
function takeMessage(group: Waiting): string {
  const { config, machines } = group
  let text = ''
  let count = 0
  for (const machine of machines) {
    if (count > 0 && config.length + text.length + machine.length > longestMessage - 120) break
    text += `${count === 0 ? '' : ', '}${machine}`
    count += 1
  }
  machines.splice(0, count)
  const rest =
    machines.length === 0 && group.untold > 0 ? `; and to ${group.untold} more, which the server's log names` : ''
  return `${config} was served to ${count} machine${count === 1 ? '' : 's'}: ${text}${rest}`
}
