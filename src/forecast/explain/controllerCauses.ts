import { operatorNamespace } from '../../api/names.ts'
import type { Finding } from '../finding.ts'
import { fieldFact } from './evidence.ts'
import { type PoolSituation, poolSubject, type Situation } from './situation.ts'

const minuteMs = 60_000
/** A controller answers a change of a pool within seconds, also while it takes over. */
const answerLimitMs = 5 * minuteMs

/** Pools that no controller looks at. */
export function controllerCauses(situation: Situation): readonly Finding[] {
  return situation.pools.flatMap((pool) => {
    const finding = staleLease(situation, pool) ?? notObserved(situation, pool)
    return finding ? [finding] : []
  })
}

const look = `see whether they run, and their last words: kubectl -n ${operatorNamespace} get pods,leases; kubectl -n ${operatorNamespace} logs deploy/machine-config-controller`

/** Also of an idle cluster: the next change, and the next certificate, would find nobody. */
function staleLease({ snapshot: { leaderLease }, now }: Situation, pool: PoolSituation): Finding | undefined {
  const { renewTime, leaseDurationSeconds = 0, holderIdentity } = leaderLease?.spec ?? {}
  const renewedMs = Date.parse(renewTime ?? '')
  if (!leaderLease || Number.isNaN(renewedMs)) return undefined
  const silentMs = now.getTime() - renewedMs
  if (silentMs <= Math.max(answerLimitMs, 2 * leaseDurationSeconds * 1000)) return undefined
  return {
    code: 'ControllersNotRunning',
    severity: 'critical',
    subject: poolSubject(pool),
    since: new Date(renewedMs).toISOString(),
    what: `the controllers have not been heard of since ${new Date(renewedMs).toISOString()}: nobody moves pool ${pool.name}`,
    why: `${holderIdentity ? `${holderIdentity} holds the lease and has not renewed it` : 'nobody holds the lease'}, which is good for ${leaseDurationSeconds} seconds`,
    remedy: look,
    evidence: [
      fieldFact(`lease/${operatorNamespace}/${leaderLease.metadata.name}`, leaderLease, 'spec.renewTime'),
      fieldFact(`lease/${operatorNamespace}/${leaderLease.metadata.name}`, leaderLease, 'spec.holderIdentity'),
    ],
  }
}

/** Its status speaks of an older spec: the rollout controller has not seen the change. */
function notObserved({ now }: Situation, { pool, name }: PoolSituation): Finding | undefined {
  const { generation = 0, managedFields = [] } = pool.metadata
  const observed = pool.status?.observedGeneration ?? 0
  if (observed >= generation) return undefined
  const changed = managedFields.filter(({ subresource }) => subresource !== 'status').map(({ time }) => time ?? '')
  const since = [...changed, pool.metadata.creationTimestamp ?? ''].sort().at(-1) ?? ''
  const changedMs = Date.parse(since)
  if (managedFields.length === 0 || Number.isNaN(changedMs) || now.getTime() - changedMs < answerLimitMs)
    return undefined
  return {
    code: 'ControllersNotRunning',
    severity: 'critical',
    subject: poolSubject({ name }),
    since,
    what: `pool ${name} was changed at ${since}, and no controller has looked at it since`,
    why: `its status is about generation ${observed}, its spec is at ${generation}`,
    remedy: look,
    evidence: [
      fieldFact(`machineconfigpool/${name}`, pool, 'metadata.generation'),
      fieldFact(`machineconfigpool/${name}`, pool, 'status.observedGeneration'),
    ],
  }
}
