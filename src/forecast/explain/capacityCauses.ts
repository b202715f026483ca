import { hasGivenUp, isDrainedByUs, isUnavailable, readinessError } from '../../rollout/nodePredicates.ts'
import type { Finding } from '../finding.ts'
import { annotationFact, conditionFact, fieldFact } from './evidence.ts'
import { namesOf } from './namesOf.ts'
import { type NodeSituation, type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools whose nodes wait because others, which nobody is updating, use up the budget. */
export function capacityCauses(situation: Situation): readonly Finding[] {
  return situation.pools.flatMap(usedUp)
}

function usedUp(pool: PoolSituation): readonly Finding[] {
  const waiting = pool.hold.filter(({ reason }) => reason === 'AtCapacity')
  const [first] = waiting
  if (!first || pool.move.length > 0) return []
  const held = pool.members.flatMap((node) => {
    const why = whyHeld(node)
    return why ? [{ node, why }] : []
  })
  if (held.length === 0) return []
  const names = held.map(({ node, why }) => `${node.name} (${why})`)
  return [
    {
      code: 'CapacityUsedUp',
      severity: 'warning',
      subject: poolSubject(pool),
      what: `${waiting.length} ${waiting.length === 1 ? 'node waits' : 'nodes wait'} (AtCapacity): ${first.message}`,
      why: `${namesOf(names)} ${held.length === 1 ? 'uses' : 'use'} up the budget, and nobody is updating ${held.length === 1 ? 'it' : 'them'}`,
      remedy: `repair or give back ${namesOf(held.map(({ node }) => node.name))}; or allow more at once: kubectl patch mcp ${pool.name} --type=merge -p '{"spec":{"maxUnavailable":${held.length + 1}}}'`,
      command: `kubectl patch mcp ${pool.name} --type=merge -p '{"spec":{"maxUnavailable":${held.length + 1}}}'`,
      evidence: [
        fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.maxUnavailable'),
        ...held.slice(0, 10).map(({ node }) => factOf(node)),
      ],
    },
  ]
}

/** Why a node that uses up the budget will not give it back by itself. */
function whyHeld({ view }: NodeSituation): string | undefined {
  if (hasGivenUp(view)) return 'degraded'
  if (!isUnavailable(view)) return undefined
  if (view.unschedulable && !isDrainedByUs(view)) return 'cordoned by somebody else'
  return readinessError({ ...view, unschedulable: false }) ? 'not ready' : undefined
}

function factOf({ node, name, view }: NodeSituation) {
  if (hasGivenUp(view)) return annotationFact(`node/${name}`, node, 'machineconfiguration.openshift.io/state')
  if (view.unschedulable) return fieldFact(`node/${name}`, node, 'spec.unschedulable')
  return conditionFact(`node/${name}`, node, 'Ready')
}
