import { Node, Secret } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { type ChangedFragment, PoolRollout } from '../api/poolRollout.ts'
import { cacheSnapshot } from '../forecast/cacheSnapshot.ts'
import { fieldOwner } from '../forecast/fieldOwner.ts'
import { renderOf } from '../forecast/renderOf.ts'
import { rolloutSourcesOf } from '../forecast/rolloutSourcesOf.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { ignoreGone } from '../kube/ignoreGone.ts'
import { isAlreadyExists, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { listKnown } from '../kube/listKnown.ts'
import type { Log } from '../kube/log.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { rememberGeneration } from '../render/rememberGeneration.ts'
import { poolOfRendered } from '../render/renderedName.ts'
import { MembershipMemory } from '../rollout/poolMembership.ts'
import { copyLabel } from './copies.ts'
import { decidePoolRollouts, type HistoryPlan } from './decidePoolRollouts.ts'
import { Explained } from './explained.ts'
import { digestOf } from './fragmentRecord.ts'
import { keepCopies } from './keepCopies.ts'
import { poolFacts } from './poolFacts.ts'
import { restoreRendered } from './restoreRendered.ts'
import { SeenRollouts } from './seenRollouts.ts'
import { systemChange } from './systemChange.ts'

export interface HistoryPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
}

const fieldManager = 'history'
/** Between two statuses of a pool that only count on. A large pool's status is large, and is written less often. */
const leastPauseMs = 1_000
const pausePerNodeMs = 10
/** Until blockers are asked for again while nothing changes: some arise from time alone. */
const lookAgainMs = 5_000

/**
 * Keeps the PoolRollouts of every pool, the copies that a way back needs, and the rendered configs that are in use. Writes
 * nothing else. Everything it knows is in objects: a restart goes on where the last process stopped.
 */
export function historyController(ports: HistoryPorts): Controller {
  const { cache, kube, clock, log } = ports
  const tools = { parse: fragmentParser().parse, generate: rememberGeneration() }
  const memory = new MembershipMemory()
  const seen = new SeenRollouts()
  const deleted = new LastDeleted()
  const explained = new Explained()
  const written = new Map<string, { readonly atMs: number; readonly phase: string }>()
  /** Pools whose copies were looked through since something about them changed. */
  const checked = new Set<string>()

  return {
    name: 'history',
    watches: [
      watching(MachineConfigPool, ({ old, now }) => [(now ?? old)?.metadata.name ?? ''], { coalesceMs: 50 }),
      watching(MachineConfig, ({ old, now }) => {
        if (old && !now) deleted.record(old)
        const pools = listKnown(cache, MachineConfigPool).map(({ metadata }) => metadata.name ?? '')
        // A fragment may be one of any pool; a rendered config says whose it is.
        const name = (now ?? old)?.metadata.name ?? ''
        const origin = poolOfRendered(name)
        // Of a pool that is gone: the pool that its nodes belong to now needs it.
        if (origin !== undefined) return pools.includes(origin) ? [origin] : pools
        return old && now && digestOf(old) === digestOf(now) ? [] : pools
      }),
      watching(Node, ({ old, now }) => (isSameNode(old, now) ? [] : poolNames(cache)), { coalesceMs: 1_000 }),
      watching(MachineConfigNode, () => []),
      watching(PoolRollout, ({ old, now }) => {
        if (old && !now) seen.forget(old.metadata.name ?? '')
        return [(now ?? old)?.spec.pool ?? '']
      }),
      watching(Secret, ({ old, now }) => {
        if (now || old?.metadata.labels?.[copyLabel] === undefined) return []
        checked.clear()
        return poolNames(cache)
      }),
    ],
    coalesceMs: 20,
    // One worker: copies are shared by pools, and are removed when no pool names them.
    workers: 1,

    async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
      const pool = cache.get(MachineConfigPool, { name: key })
      if (!pool || pool.metadata.deletionTimestamp) {
        written.delete(key)
        checked.delete(key)
        return settled
      }
      const lastSeen = (name: string) => deleted.find(name)
      await restoreRendered(pool, { ...ports, lastSeen }, signal)
      const now = clock.now()
      const snapshot = cacheSnapshot(cache)
      const sources = rolloutSourcesOf(snapshot, memory)
      const render = renderOf(snapshot, pool, tools, now)
      const existing = seen.newest(cache.list(PoolRollout))
      const findings = isAtRest(pool) ? [] : explained.findings(snapshot, existing, now)
      const facts = poolFacts(snapshot, sources, pool, render, tools.parse, findings, now)
      if (!facts) return settled
      const plan = decidePoolRollouts(facts, existing, now)
      await carryOut(key, pool, plan, existing, signal)
      const phase = activePhase(plan, existing, key)
      const pauseMs = Math.max(leastPauseMs, facts.nodes.length * pausePerNodeMs)
      const last = written.get(key)
      const active = plan.statuses[0]
      if (active) {
        const mayWrite = !last || last.phase !== active.status.phase || now.getTime() - last.atMs >= pauseMs
        if (!mayWrite) return again(new Date(last.atMs + pauseMs))
        for (const { rollout, status } of plan.statuses) await writeStatus({ ...rollout, status }, signal)
        written.set(key, { atMs: now.getTime(), phase: active.status.phase ?? '' })
      }
      return phase === 'Complete' ? settled : again(new Date(now.getTime() + lookAgainMs))
    },
  }

  async function carryOut(
    key: string,
    pool: MachineConfigPool,
    plan: HistoryPlan,
    existing: readonly PoolRollout[],
    signal: AbortSignal,
  ): Promise<void> {
    const removed = new Set(plan.remove.map(({ rollout }) => rollout))
    if (plan.create || removed.size > 0 || !checked.has(key)) {
      const all = [...existing.filter((rollout) => !removed.has(rollout)), ...(plan.create ? [plan.create] : [])]
      const own = all.filter(({ spec }) => spec.pool === key)
      await keepCopies(own, all, ports, signal)
      checked.add(key)
    }
    if (plan.create) await create(plan.create, signal)
    for (const { rollout, metadata } of plan.repairs) {
      const { name = '', resourceVersion } = rollout.metadata
      const body = { metadata: { ...metadata, ...(resourceVersion && { resourceVersion }) } }
      seen.record(await kube.patch(PoolRollout, { name }, { type: 'merge', body }, { signal, fieldManager }))
    }
    for (const { rollout, because } of plan.remove) {
      const { name = '', uid } = rollout.metadata
      await ignoreGone(kube.delete(PoolRollout, { name }, { signal, ...(uid && { preconditions: { uid } }) }))
      log.info('a rollout was removed from the history', { pool: pool.metadata.name, rollout: name, because })
    }
  }

  async function create(rollout: PoolRollout, signal: AbortSignal): Promise<void> {
    const { status, ...object } = await withAuthors(rollout, signal)
    const { creationTimestamp: _set, ...metadata } = object.metadata
    let created: PoolRollout
    try {
      created = await kube.create(PoolRollout, { ...object, metadata }, { signal, fieldManager })
    } catch (error) {
      // Made a moment before, or by hand: the next look finds it in the cache and judges it.
      if (isAlreadyExists(error)) return
      throw error
    }
    seen.record(created)
    log.info('a rollout was recorded', {
      pool: rollout.spec.pool,
      rollout: created.metadata.name,
      config: rollout.spec.to,
    })
    const conditions = status?.conditions?.map((each) => ({
      ...each,
      observedGeneration: created.metadata.generation ?? 1,
    }))
    const first = { ...status, observedGeneration: created.metadata.generation ?? 1, ...(conditions && { conditions }) }
    await writeStatus({ ...created, status: first }, signal)
    written.set(rollout.spec.pool, { atMs: clock.now().getTime(), phase: status?.phase ?? '' })
  }

  async function writeStatus(rollout: PoolRollout, signal: AbortSignal): Promise<void> {
    try {
      seen.record(await kube.updateStatus(PoolRollout, rollout, { signal, fieldManager }))
    } catch (error) {
      if (!isNotFound(error)) throw error
      // Removed by hand a moment ago: the next look makes it again, where it is still needed.
      seen.forget(rollout.metadata.name ?? '')
      throw new Retryable(`poolrollout/${rollout.metadata.name} is gone`, { cause: error })
    }
  }

  /** Who changed the fragments, which caches do not keep, and what changes below the files. */
  async function withAuthors(rollout: PoolRollout, signal: AbortSignal): Promise<PoolRollout> {
    const { change, from = '', to } = rollout.spec
    if (!change) return rollout
    const system = systemChange(cache.get(MachineConfig, { name: from }), cache.get(MachineConfig, { name: to }))
    const [added, modified] = [await authors(change.added ?? []), await authors(change.modified ?? [])]
    return {
      ...rollout,
      spec: { ...rollout.spec, change: { ...change, added, modified, ...(system.length > 0 && { system }) } },
    }

    async function authors(fragments: readonly ChangedFragment[]): Promise<readonly ChangedFragment[]> {
      const known: ChangedFragment[] = []
      for (const fragment of fragments) {
        // A burst of hundreds is a migration, not an author's change.
        const owner = known.length < maxAuthors ? await authorOf(fragment.name, signal) : undefined
        known.push({
          ...fragment,
          ...(owner && { changedBy: owner.manager }),
          ...(owner?.time !== undefined && { changedAt: owner.time }),
        })
      }
      return known
    }
  }

  async function authorOf(name: string, signal: AbortSignal) {
    try {
      return fieldOwner(await kube.get(MachineConfig, { name }, { signal }), ['spec'])
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

const maxAuthors = 20

const poolNames = (cache: Cache): readonly string[] =>
  listKnown(cache, MachineConfigPool).map(({ metadata }) => metadata.name ?? '')

const isAtRest = ({ status }: MachineConfigPool): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Updated' && value === 'True') ?? false

function activePhase(plan: HistoryPlan, existing: readonly PoolRollout[], pool: string): string | undefined {
  if (plan.create) return plan.create.status?.phase
  const newest = existing
    .filter(({ spec }) => spec.pool === pool)
    .reduce<PoolRollout | undefined>(
      (best, each) => (best && best.spec.revision > each.spec.revision ? best : each),
      undefined,
    )
  return (plan.statuses.find(({ rollout }) => rollout === newest)?.status ?? newest?.status)?.phase
}

/** A kubelet's heartbeat changes the conditions' times only. */
function isSameNode(old: Node | undefined, now: Node | undefined): boolean {
  const seen = (node: Node | undefined) =>
    node && [
      node.metadata.annotations,
      node.metadata.labels,
      node.spec?.unschedulable,
      node.status?.conditions?.map(({ type, status }) => [type, status]),
    ]
  return old !== undefined && now !== undefined && JSON.stringify(seen(old)) === JSON.stringify(seen(now))
}

const maxDeleted = 50

/** Rendered configs that were deleted lately, newest last. */
class LastDeleted {
  readonly #configs = new Map<string, MachineConfig>()

  record(config: MachineConfig): void {
    const { name = '' } = config.metadata
    if (poolOfRendered(name) === undefined) return
    this.#configs.delete(name)
    this.#configs.set(name, config)
    const [oldest] = this.#configs.keys()
    if (this.#configs.size > maxDeleted && oldest !== undefined) this.#configs.delete(oldest)
  }

  find(name: string): MachineConfig | undefined {
    return this.#configs.get(name)
  }
}
