import type { PoolRollout } from '../../api/poolRollout.ts'
import type { ChangeEffect } from '../changeEffect.ts'

/** How long one node takes for a change, and where the number comes from. */
export interface NodeSeconds {
  readonly seconds: number
  readonly basis: string
}

type Impact = ChangeEffect['impact']

/** Assumptions, where nothing was measured: they are named in the plan. */
export const assumedSeconds: Readonly<Record<Impact, number>> = {
  none: 15,
  reload: 20,
  restart: 30,
  drain: 120,
  reboot: 420,
  refused: 0,
  unknown: 420,
}

/** As long as the newest rollout of the pool that did the same to its nodes took for one of them; else an assumption. */
export function nodeSecondsOf(impact: Impact, pool: string, history: readonly PoolRollout[]): NodeSeconds {
  const newestFirst = history
    .filter(({ spec }) => spec.pool === pool)
    .toSorted((a, b) => b.spec.revision - a.spec.revision)
  for (const { metadata, status } of newestFirst) {
    const measured = (status?.nodes ?? []).flatMap(({ startedAt, finishedAt, seconds }) => {
      const taken = (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000
      return taken >= 0 && kindOf(seconds) === kindOfImpact(impact) ? [taken] : []
    })
    if (measured.length === 0) continue
    const average = measured.reduce((sum, each) => sum + each, 0) / measured.length
    const nodes = `${measured.length} node${measured.length === 1 ? '' : 's'}`
    return { seconds: Math.max(1, Math.round(average)), basis: `${nodes} of poolrollout/${metadata.name}` }
  }
  return { seconds: assumedSeconds[impact], basis: `assumed for ${impact}; no rollout of the pool was measured` }
}

type Kind = 'reboots' | 'drains' | 'stays'

const kindOf = (phases: Readonly<Record<string, number>> | undefined): Kind =>
  phases?.Rebooting !== undefined ? 'reboots' : phases?.Draining !== undefined ? 'drains' : 'stays'

const kindOfImpact = (impact: Impact): Kind =>
  impact === 'reboot' || impact === 'unknown' ? 'reboots' : impact === 'drain' ? 'drains' : 'stays'
