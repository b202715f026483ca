import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import type { Backlog, BacklogOptions } from '../backlog.ts'
import { backlogOf } from '../backlog.ts'
import type { BacklogItem } from '../backlogItems.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { pauseOf } from '../pauseRecord.ts'
import { type ClusterSample, sample, timeSample, unixSeconds } from './clusterFamilies.ts'

/** The nearest ones are what one acts on. */
const shownDeadlines = 10

/** Who may not move, since and until when, what waits for that, and what ends meanwhile. */
export function pauseSamples(
  snapshot: ClusterSnapshot,
  now: Date,
  options: Pick<BacklogOptions, 'parse'>,
): readonly ClusterSample[] {
  return snapshot.pools.flatMap((pool) => {
    const name = pool.metadata.name ?? ''
    const backlog = backlogOf(snapshot, name, now, options)
    return [
      ...pausedSamples(pool),
      sample('mco_pool_backlog_items', { pool: name }, backlog?.items.length ?? 0),
      ...deadlineSamples(name, backlog),
    ]
  })
}

function pausedSamples(pool: MachineConfigPool): readonly ClusterSample[] {
  const labels = { pool: pool.metadata.name ?? '' }
  const pause = pauseOf(pool)
  return [
    sample('mco_pool_paused', labels, pause ? 1 : 0),
    ...timeSample('mco_pool_paused_timestamp_seconds', labels, pause?.since),
    ...timeSample('mco_pool_pause_until_timestamp_seconds', labels, pause?.until),
  ]
}

/** The first end of each source. A change of several fragments counts for each: any of them is where to look. */
function deadlineSamples(pool: string, backlog: Backlog | undefined): readonly ClusterSample[] {
  const first = new Map<string, number>()
  for (const item of backlog?.items ?? []) {
    for (const { expires } of item.deadlines) {
      const end = unixSeconds(expires)
      if (end === undefined) continue
      for (const source of sourcesOf(item)) first.set(source, Math.min(end, first.get(source) ?? end))
    }
  }
  return [...first]
    .sort(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1))
    .slice(0, shownDeadlines)
    .map(([source, end]) => sample('mco_pool_backlog_deadline_timestamp_seconds', { pool, source }, end))
}

/** A removal has no source; it comes from what is gone. */
function sourcesOf({ sources, gone }: BacklogItem): readonly string[] {
  const names = sources.length > 0 ? sources.map(({ fragment }) => fragment) : gone
  return names.length > 0 ? names : ['unknown']
}
