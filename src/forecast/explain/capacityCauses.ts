import { nodeAnnotation } from '../../api/names.ts'
import { hasGivenUp, isCordonedByOthers, isUnavailable, readinessError } from '../../rollout/nodePredicates.ts'
import type { Evidence, Finding } from '../finding.ts'
import { isAwayForItsUpdate } from './availabilityCauses.ts'
import { annotationFact, conditionFact, fieldFact } from './evidence.ts'
import { namesOf } from './namesOf.ts'
import { type NodeSituation, type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools whose nodes wait because others use up the budget and will not give it back by themselves. */
export function capacityCauses(situation: Situation, found: readonly Finding[]): readonly Finding[] {
  const stuck = new Map(
    found
      .filter(({ subject, severity }) => subject.kind === 'node' && severity !== 'info')
      .map((finding) => [finding.subject.name, finding] as const),
  )
  return situation.pools.flatMap((pool) => usedUp(situation, pool, stuck))
}

interface Holder {
  readonly node: NodeSituation
  readonly why: string
  readonly fact: Evidence
}

function usedUp(situation: Situation, pool: PoolSituation, stuck: ReadonlyMap<string, Finding>): readonly Finding[] {
  const waiting = pool.hold.filter(({ reason }) => reason === 'AtCapacity')
  const [first] = waiting
  if (!first || pool.move.length > 0) return []
  const held = pool.members.flatMap((node) => {
    const holder = isAwayForItsUpdate(situation, node) ? undefined : holderOf(node, stuck.get(node.name))
    return holder ? [holder] : []
  })
  const holders = new Set(held.map(({ node }) => node.name))
  // A node that holds up nobody but itself is told of by itself.
  if (held.length === 0 || waiting.every(({ node }) => holders.has(node))) return []
  const names = held.map(({ node, why }) => `${node.name} (${why})`)
  const [verb, them] = held.length === 1 ? ['uses', 'it'] : ['use', 'them']
  return [
    {
      code: 'CapacityUsedUp',
      severity: 'warning',
      subject: poolSubject(pool),
      what: `${waiting.length} ${waiting.length === 1 ? 'node waits' : 'nodes wait'} (AtCapacity): ${first.message}`,
      why: `${namesOf(names)} ${verb} up the budget, and nothing that is under way frees ${them}`,
      ...wayOut(pool, held),
      evidence: [
        fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.maxUnavailable'),
        ...held.slice(0, 10).map(({ fact }) => fact),
      ],
    },
  ]
}

/** More at once is no way out of a config that broke the first nodes. */
function wayOut({ name }: PoolSituation, held: readonly Holder[]): Pick<Finding, 'remedy' | 'command'> {
  const repair = `repair or give back ${namesOf(held.map(({ node }) => node.name))}: mco explain mcp/${name} tells what each needs`
  if (held.some(({ node }) => hasGivenUp(node.view))) return { remedy: repair }
  const command = `kubectl patch mcp ${name} --type=merge -p '{"spec":{"maxUnavailable":${held.length + 1}}}'`
  return { remedy: `${repair}; or allow more at once: ${command}`, command }
}

/** Why a node that uses up the budget does not give it back. */
function holderOf(node: NodeSituation, finding: Finding | undefined): Holder | undefined {
  const { view, name } = node
  const object = `node/${name}`
  if (hasGivenUp(view)) return { node, why: 'degraded', fact: annotationFact(object, node.node, nodeAnnotation.state) }
  if (!isUnavailable(view)) return undefined
  if (isCordonedByOthers(view))
    return { node, why: 'cordoned by somebody else', fact: fieldFact(object, node.node, 'spec.unschedulable') }
  if (readinessError({ ...view, unschedulable: false }))
    return { node, why: 'not ready', fact: conditionFact(object, node.node, 'Ready') }
  return finding && { node, why: finding.code, fact: annotationFact(object, node.node, nodeAnnotation.state) }
}
