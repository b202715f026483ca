import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PoolRollout, PoolRolloutStatus } from '../../../src/api/poolRollout.ts'
import { historyLimitAnnotation } from '../../../src/api/poolRollout.ts'
import { decidePoolRollouts } from '../../../src/history/decidePoolRollouts.ts'
import type { PoolFacts } from '../../../src/history/poolFacts.ts'
import { isSettledPhase } from '../../../src/history/rolloutStatus.ts'
import { pool } from '../../kube/renderObjects.ts'

type Phase = NonNullable<PoolRolloutStatus['phase']>

/** What may happen between two looks: to the pool and its nodes, and to the history by hand. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('target' as const), config: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('fragment' as const), digest: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant('rendering' as const), to: fc.constantFrom('settled', 'changing', 'stuck') }),
  fc.record({ kind: fc.constant('node' as const), index: fc.nat(2), isDone: fc.boolean() }),
  fc.constant({ kind: 'arrive' as const }),
  fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean() }),
  fc.record({ kind: fc.constant('forget' as const), index: fc.nat(4) }),
  fc.record({
    kind: fc.constant('lie' as const),
    index: fc.nat(4),
    phase: fc.constantFrom<Phase>('Waiting', 'Progressing', 'Complete', 'Reverted', 'Superseded'),
  }),
)
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

const limit = 3

/** One pool whose nodes, target and fragments are what the events made of them. */
class World {
  target = 0
  digest = 0
  rendering: PoolFacts['rendering'] = 'settled'
  paused = false
  done = [true, true, true]
  completed = 'rendered-worker-0'
  rollouts: readonly PoolRollout[] = []

  apply(change: Event): void {
    switch (change.kind) {
      case 'target':
        if (change.config !== this.target) this.done = [false, false, false]
        this.target = change.config
        return
      case 'fragment':
        this.digest = change.digest
        return
      case 'rendering':
        this.rendering = change.to
        return
      case 'node':
        this.done[change.index] = change.isDone
        return
      case 'arrive':
        this.done = [true, true, true]
        return
      case 'pause':
        this.paused = change.paused
        return
      case 'forget':
        this.rollouts = this.rollouts.filter((_, index) => index !== change.index)
        return
      case 'lie':
        this.rollouts = this.rollouts.map((each, index) =>
          index === change.index ? { ...each, status: { ...each.status, phase: change.phase } } : each,
        )
        return
      default:
        change satisfies never
    }
  }

  facts(): PoolFacts {
    const target = `rendered-worker-${this.target}`
    const isUpdated = this.done.every(Boolean)
    if (isUpdated) this.completed = target
    const live = pool('worker', { paused: this.paused }, { annotations: { [historyLimitAnnotation]: String(limit) } })
    return {
      pool: { ...live, status: { configuration: { name: this.completed } } },
      target,
      isUpdated,
      fragments: [{ name: '00-worker', digest: `sha256:${this.digest}`, generation: this.digest + 1 }],
      rendering: this.rendering,
      nodes: this.done.map((isDone, index) => ({
        name: `w-${index}`,
        state: isDone ? 'Done' : 'Updating',
        isTargeted: isDone || (!this.paused && index === 0),
        isDone,
      })),
      unavailable: 0,
      degraded: 0,
      maxUnavailable: 1,
      blockers: [],
    }
  }

  /** What the controller writes: statuses, repairs, the new rollout, and removals. */
  look(now: Date) {
    const plan = decidePoolRollouts(this.facts(), this.rollouts, now)
    const removed = new Set(plan.remove.map(({ rollout }) => rollout))
    const statuses = new Map(plan.statuses.map(({ rollout, status }) => [rollout, status] as const))
    const repairs = new Map(plan.repairs.map(({ rollout, metadata }) => [rollout, metadata] as const))
    const kept = this.rollouts
      .filter((rollout) => !removed.has(rollout))
      .map((rollout) => ({
        ...rollout,
        metadata: { ...rollout.metadata, ...repairs.get(rollout) },
        status: statuses.get(rollout) ?? rollout.status ?? {},
      }))
    this.rollouts = [...(plan.create ? [plan.create] : []), ...kept].sort((a, b) => b.spec.revision - a.spec.revision)
    return plan
  }
}

describe('any history of a pool', () => {
  it('has one rollout under way at most, settled ones stay settled, and numbers grow', () => {
    const ends = new Map<Phase | undefined, number>()
    fc.assert(
      fc.property(fc.array(event, { minLength: 5, maxLength: 60 }), (events) => {
        const world = new World()
        let now = Date.UTC(2026, 0, 1)
        world.look(new Date(now))
        const closed = new Map<string, Phase | undefined>()
        for (const change of events) {
          const newestBefore = world.rollouts[0]?.spec.revision ?? 0
          const isByHand = change.kind === 'lie' || change.kind === 'forget'
          if (isByHand) closed.clear()
          world.apply(change)
          now += 10_000
          const plan = world.look(new Date(now))
          const { rollouts } = world
          expect(rollouts.length).toBeLessThanOrEqual(limit)
          const revisions = rollouts.map(({ spec }) => spec.revision)
          expect(new Set(revisions).size).toBe(revisions.length)
          if (plan.create && change.kind !== 'forget') expect(plan.create.spec.revision).toBe(newestBefore + 1)
          for (const [index, { metadata, status }] of rollouts.entries()) {
            if (index > 0) expect(isSettledPhase(status?.phase), `${metadata.name} ${status?.phase}`).toBe(true)
            const settled = status?.conditions?.find(({ type }) => type === 'Settled')?.status
            if (index > 0 && !isByHand) expect(settled).toBe('True')
            const before = closed.get(metadata.name ?? '')
            if (before !== undefined) expect(status?.phase).toBe(before)
            if (index > 0) closed.set(metadata.name ?? '', status?.phase)
            ends.set(status?.phase, (ends.get(status?.phase) ?? 0) + 1)
          }
          // A second look at the same world has nothing to do.
          const again = world.look(new Date(now))
          expect([again.create, again.remove, again.repairs]).toEqual([undefined, [], []])
          for (const { rollout, status } of again.statuses) expect(status).toEqual(rollout.status)
        }
      }),
      { numRuns: 500 },
    )
    for (const phase of ['Complete', 'Superseded', 'Reverted', 'Paused', 'Progressing'] as const)
      expect(ends.get(phase) ?? 0, phase).toBeGreaterThan(20)
  })
})
