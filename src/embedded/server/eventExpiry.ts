import type { Event } from '../../api/core.ts'
import type { ServerContext } from './context.ts'
import { deleteStored } from './internalWrites.ts'
import type { ApiObject } from './resource.ts'

const lifetimeMs = 3600_000
const lookEveryMs = 300_000

/** Events live for an hour after they were last seen, as with kube-apiserver's default `--event-ttl`. Ends by `signal`. */
export async function expireEvents(context: ServerContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const nowMs = context.clock.now().getTime()
    const old = context.database
      .collection('core/events')
      .list()
      .filter(({ object }) => nowMs - lastSeenMs(object) > lifetimeMs)
    await Promise.all(old.map((entry) => deleteStored(context, entry, undefined)))
    await context.clock.sleep(lookEveryMs, signal)
  }
}

/** The newest of the times that an event carries. */
function lastSeenMs(object: ApiObject): number {
  const { lastTimestamp, eventTime, series, metadata } = object as ApiObject & Event
  const times = [lastTimestamp, eventTime, series?.lastObservedTime, metadata.creationTimestamp]
  return Math.max(...times.map((time) => (time ? Date.parse(time) : 0)).filter(Number.isFinite))
}
