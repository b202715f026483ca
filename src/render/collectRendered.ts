import { Node } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild } from '../api/machineOSConfig.ts'
import { PoolRollout } from '../api/poolRollout.ts'
import type { Clock } from '../kube/clock.ts'
import type { Cache } from '../kube/controller.ts'
import { isConflict, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { type CollectOptions, decideCollect, type RenderedReferences } from './decideCollect.ts'
import { historyLimit } from './historyLimit.ts'
import { renderedPrefix } from './renderedName.ts'

export interface CollectPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly log: Log
  readonly collect?: CollectOptions
}

/** Few at a time: a backlog of years is worked off without a burst of writes. */
const maxRemovals = 5

/** Deletes rendered configs of a pool that nobody needs any more. Called when the pool is settled, never in a hurry. */
export async function collectRendered(pool: string, ports: CollectPorts, signal: AbortSignal): Promise<void> {
  const { cache, kube, clock, log } = ports
  const keepNewest = ports.collect?.keepNewest ?? historyLimit(cache.get(MachineConfigPool, { name: pool }) ?? unnamed)
  const owned = cache.list(MachineConfig).filter((config) => isRenderedFor(config, pool))
  if (owned.length <= keepNewest) return
  const views = owned.map(({ metadata }) => ({
    name: metadata.name ?? '',
    createdAt: new Date(metadata.creationTimestamp ?? Number.NaN),
  }))
  const { remove } = decideCollect(views, referencesIn(cache), clock.now(), { ...ports.collect, keepNewest })
  for (const { name, message } of remove.slice(0, maxRemovals)) {
    const { uid, resourceVersion } = cache.get(MachineConfig, { name })?.metadata ?? {}
    if (uid === undefined || resourceVersion === undefined) continue
    try {
      await kube.delete(MachineConfig, { name }, { preconditions: { uid, resourceVersion }, signal })
      log.info('an unused rendered config was removed', { pool, config: name, because: message })
    } catch (error) {
      // Somebody changed or removed it: it is looked at again when the pool is.
      if (!isConflict(error) && !isNotFound(error)) throw error
    }
  }
}

/** A pool that is gone says nothing about its history. */
const unnamed = { metadata: {} }

function isRenderedFor({ metadata }: MachineConfig, pool: string): boolean {
  const owners = metadata.ownerReferences ?? []
  // Without a controller it is of a pool that is gone, and kept for the nodes that `pool` took over.
  const owner = owners.find(({ controller }) => controller) ?? owners[0]
  const isOwned = owner?.kind === MachineConfigPool.kind && owner.name === pool
  return isOwned && (metadata.name ?? '').startsWith(renderedPrefix)
}

function referencesIn(cache: Cache): RenderedReferences {
  return {
    pools: cache
      .list(MachineConfigPool)
      .flatMap(({ spec, status }) => [spec.configuration?.name ?? '', status?.configuration?.name ?? '']),
    nodes: cache.list(Node).flatMap(({ metadata }) => renderedNamesIn(Object.values(metadata.annotations ?? {}))),
    builds: cache.list(MachineOSBuild).map(({ spec }) => spec.machineConfig.name),
    history: cache.list(PoolRollout).flatMap(({ spec }) => [spec.from ?? '', spec.to]),
  }
}

/** Every annotation counts, whatever it is for: drain requests and marks of other tools name configs too. */
const renderedNamesIn = (values: readonly string[]): string[] =>
  values.flatMap((value) => (value.length < 1000 ? (value.match(/rendered-.*-[0-9a-f]{32}/) ?? []) : []))
