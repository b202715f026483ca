import type { Evidence, Finding } from '../finding.ts'
import { conditionFact } from './evidence.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** Certificates, leases and deadlines tolerate less than this badly; a slow network is far below it. */
const toleranceMs = 2 * 60_000

/** Nodes that report times which have not come yet. */
export function clockCauses(situation: Situation): readonly Finding[] {
  const ahead = situation.nodes.flatMap((node) => {
    const fact = latestTime(node)
    return fact && Date.parse(fact.value) - situation.now.getTime() > toleranceMs ? [{ node, fact }] : []
  })
  // When all are ahead it is the clock that we compare with that is behind.
  const isOurs = ahead.length > 1 && ahead.length === situation.nodes.length
  return ahead.map(({ node, fact }) => ({
    code: 'ClockSkew',
    severity: 'warning',
    subject: nodeSubject(node),
    what: `node ${node.name} reports ${fact.value}, which is ${Math.round((Date.parse(fact.value) - situation.now.getTime()) / 1000)} seconds from now`,
    why: isOurs
      ? 'all nodes are ahead of the clock of this machine: it is this one that is behind'
      : 'its clock is ahead: certificates begin later than it thinks, and durations are counted wrong',
    remedy: isOurs
      ? 'set the clock of this machine'
      : 'set its clock, on the node: chronyc makestep; see chronyc tracking',
    evidence: [fact],
  }))
}

/** The newest time that a kubelet or daemon wrote there by its own clock. */
function latestTime({ node, name, report }: NodeSituation): Evidence | undefined {
  const times = [
    ...(node.status?.conditions ?? []).map(({ type }) =>
      conditionFact(`node/${name}`, node, type, 'lastHeartbeatTime'),
    ),
    ...(report?.status?.conditions ?? []).map(({ type }) =>
      conditionFact(`machineconfignode/${name}`, report ?? {}, type, 'lastTransitionTime'),
    ),
  ].filter(({ value }) => !Number.isNaN(Date.parse(value)))
  return times.toSorted((a, b) => Date.parse(b.value) - Date.parse(a.value))[0]
}
