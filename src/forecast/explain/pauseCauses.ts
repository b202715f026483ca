import { fieldOwner } from '../fieldOwner.ts'
import type { Finding } from '../finding.ts'
import { fieldFact } from './evidence.ts'
import { type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools that are paused while something waits behind the pause. */
export function pauseCauses(situation: Situation): readonly Finding[] {
  return situation.pools.flatMap((pool) => pausedOf(pool))
}

function pausedOf(pool: PoolSituation): readonly Finding[] {
  if (pool.pool.spec.paused !== true || pool.hold.length === 0) return []
  const owner = fieldOwner(pool.pool, ['spec', 'paused'])
  const command = `kubectl patch mcp ${pool.name} --type=merge -p '{"spec":{"paused":false}}'`
  return [
    {
      code: 'PausedWithBacklog',
      severity: 'warning',
      subject: poolSubject(pool),
      ...(owner?.time !== undefined && { since: owner.time }),
      what: `pool ${pool.name} is paused${owner ? ` by ${owner.manager}` : ''}; ${pool.hold.length} of ${pool.members.length} nodes wait for ${pool.pool.spec.configuration?.name}`,
      why: 'a paused pool sends no node to a new config, certificates in files included',
      remedy: `when it may move again: ${command}`,
      command,
      evidence: [
        fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.paused'),
        fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.configuration.name'),
      ],
    },
  ]
}
