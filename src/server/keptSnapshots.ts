import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'
import type { ClusterSource } from './clusterSource.ts'
import type { PoolSnapshot, SnapshotSource } from './preparedBodies.ts'
import { replaceFile } from './replaceFile.ts'

/** What was last served, on disk: the server's answer after a restart, until the API server is there again. */
export interface KeptSnapshots {
  get(pool: string): KeptSnapshot | undefined
  put(pool: string, snapshot: PoolSnapshot, at: Date): Promise<void>
  remove(pool: string): Promise<void>
  pools(): readonly string[]
}

interface KeptSnapshot {
  readonly savedAt: string
  readonly snapshot: PoolSnapshot
}

/**
 * One file per pool, replaced as a whole. They hold everything that a machine gets, credentials too: only the server's own user
 * reads them. Snapshots instead of bodies, so that every Ignition version can be served from one.
 */
export async function openKeptSnapshots(directory: string, log: Log): Promise<KeptSnapshots> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  const kept = new Map<string, KeptSnapshot>()
  for (const name of await readdir(directory)) {
    const pool = /^(.+)\.json$/.exec(name)?.[1]
    if (pool === undefined) continue
    const found = parseKept(await readFile(join(directory, name), 'utf8'))
    if (found) kept.set(pool, found)
    else log.warn('a kept config cannot be read and is left out', { file: join(directory, name) })
  }
  return {
    get: (pool) => kept.get(pool),
    pools: () => [...kept.keys()],
    async put(pool, snapshot, at) {
      // Names of pools are DNS names, so they are names of files.
      const file: KeptFile = { format, savedAt: at.toISOString(), snapshot }
      await replaceFile(directory, `${pool}.json`, JSON.stringify(file))
      kept.set(pool, file)
    },
    async remove(pool) {
      await rm(join(directory, `${pool}.json`), { force: true })
      kept.delete(pool)
    },
  }
}

const format = 1

interface KeptFile extends KeptSnapshot {
  readonly format: typeof format
}

function parseKept(text: string): KeptSnapshot | undefined {
  try {
    const parsed: KeptFile = JSON.parse(text)
    const { snapshot } = parsed
    const isWhole =
      parsed.format === format && snapshot.kind === 'chosen' && Boolean(snapshot.snapshot.rendered.metadata)
    return isWhole ? parsed : undefined
  } catch (error) {
    // Cut short, or of another format: the same as none.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** The cluster's snapshots; as long as the cluster cannot be asked, the kept ones. */
export function withKeptSnapshots(source: SnapshotSource, kept: KeptSnapshots): SnapshotSource {
  return {
    generation: () => source.generation(),
    snapshotOf(pool) {
      const found = source.snapshotOf(pool)
      if (found.kind === 'chosen' || found.reason !== 'NotSynchronised') return found
      return kept.get(pool)?.snapshot ?? found
    },
  }
}

/** Keeps the disk equal to the cluster, until the signal; a burst of changes is written once. */
export async function keepSnapshots(
  source: ClusterSource,
  kept: KeptSnapshots,
  { clock, log, coalesceMs = 1000 }: { readonly clock: Clock; readonly log: Log; readonly coalesceMs?: number },
  signal: AbortSignal,
): Promise<void> {
  let written = -1
  let fault = ''
  // What changed just before the end is written too: the next start may come without the API server.
  while (!signal.aborted) {
    await clock.sleep(coalesceMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    const generation = source.generation()
    if (generation === written) continue
    try {
      if (await writeChanges(source, kept, clock.now())) written = generation
      fault = ''
    } catch (error) {
      // A full or read-only disk takes away the safety net, not the service.
      const message = messageOf(error)
      if (message !== fault) log.error('the last known configs cannot be kept on disk', { error: message })
      fault = message
    }
  }
}

/** False while the cluster is not known completely. */
async function writeChanges(source: ClusterSource, kept: KeptSnapshots, now: Date): Promise<boolean> {
  const pools = source.pools()
  if (!pools || !source.isSynced()) return false
  for (const pool of pools) {
    const found = source.snapshotOf(pool)
    if (found.kind === 'chosen' && kept.get(pool)?.snapshot.key !== found.key) await kept.put(pool, found, now)
  }
  for (const pool of kept.pools()) if (!pools.includes(pool)) await kept.remove(pool)
  return true
}
