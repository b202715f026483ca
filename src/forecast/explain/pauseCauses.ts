import { type Backlog, backlogOf } from '../backlog.ts'
import type { Finding } from '../finding.ts'
import { type PauseRecord, pausedByAnnotation, pauseOf } from '../pauseRecord.ts'
import { annotationFact, fieldFact } from './evidence.ts'
import { namesOf } from './namesOf.ts'
import { type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools that are paused while something waits behind the pause. */
export function pauseCauses(situation: Situation): readonly Finding[] {
  return situation.pools.flatMap((pool) => pausedOf(situation, pool))
}

function pausedOf({ snapshot, now }: Situation, pool: PoolSituation): readonly Finding[] {
  const pause = pauseOf(pool.pool)
  const backlog = pause && pool.hold.length > 0 ? backlogOf(snapshot, pool.name, now) : undefined
  if (!pause || !backlog) return []
  const command = `kubectl patch mcp ${pool.name} --type=merge -p '{"spec":{"paused":false}}'`
  const changes = backlog.items.map(({ subject }) => subject)
  const object = `machineconfigpool/${pool.name}`
  const { nearestDeadline } = backlog
  const deadline =
    nearestDeadline === undefined ? '' : `; a certificate of theirs ends on ${nearestDeadline.slice(0, 10)}`
  return [
    {
      code: 'PausedWithBacklog',
      severity: backlog.severity,
      subject: poolSubject(pool),
      ...(pause.since !== undefined && { since: pause.since }),
      what:
        `pool ${pool.name} is paused${byOf(pause)}; ${backlog.nodes.length} of ${pool.members.length} nodes wait ` +
        `for ${backlog.target}${changes.length > 0 ? `: ${namesOf(changes)}` : ''}${deadline}`,
      why: [...(backlog.warnings.length > 0 ? backlog.warnings : [noneMoves]), ...deadlinesOf(backlog)].join('; '),
      remedy: `mco resume mcp/${pool.name} shows what waits and what it costs, and lets it move; so does, unasked: ${command}`,
      command,
      evidence: [
        fieldFact(object, pool.pool, 'spec.paused'),
        fieldFact(object, pool.pool, 'spec.configuration.name'),
        ...(pause.source === 'annotations' ? [annotationFact(object, pool.pool, pausedByAnnotation)] : []),
      ],
    },
  ]
}

const noneMoves = 'a paused pool sends no node to a new config'

/** That there is none is only said where everything that waits could be looked at. */
function deadlinesOf({ nodes, nearestDeadline }: Backlog): readonly string[] {
  const unknown = nodes.find(({ impact }) => impact === 'unknown')?.refusal
  if (unknown !== undefined) return [`deadlines of what waits are not known: ${unknown}`]
  return nearestDeadline === undefined ? ['nothing that waits has a deadline'] : []
}

function byOf({ by, since, reason }: PauseRecord): string {
  const who = by === undefined ? '' : ` by ${by}`
  return `${who}${since === undefined ? '' : ` since ${since}`}${reason === undefined ? '' : ` (${reason})`}`
}
