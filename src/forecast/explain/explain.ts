import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import type { Finding, FindingSeverity } from '../finding.ts'
import { availabilityCauses } from './availabilityCauses.ts'
import { capacityCauses } from './capacityCauses.ts'
import { clockCauses } from './clockCauses.ts'
import { configCauses } from './configCauses.ts'
import { controllerCauses } from './controllerCauses.ts'
import { daemonCauses } from './daemonCauses.ts'
import { drainCauses } from './drainCauses.ts'
import { failureCauses } from './failureCauses.ts'
import { fragmentCauses } from './fragmentCauses.ts'
import { membershipCauses } from './membershipCauses.ts'
import { pauseCauses } from './pauseCauses.ts'
import { renderCauses } from './renderCauses.ts'
import { settingCauses } from './settingCauses.ts'
import { type Situation, type SituationOptions, situationOf } from './situation.ts'
import { withoutSymptoms } from './withoutSymptoms.ts'

const families: readonly ((situation: Situation) => readonly Finding[])[] = [
  controllerCauses,
  configCauses,
  renderCauses,
  fragmentCauses,
  settingCauses,
  membershipCauses,
  availabilityCauses,
  failureCauses,
  daemonCauses,
  drainCauses,
  pauseCauses,
  clockCauses,
]

/**
 * Why pools and nodes do not get where they shall be: causes with their evidence and remedy, the gravest first. Reads nothing
 * but the snapshot; says nothing about kinds that could not be read. A symptom of a cause that is named is left out.
 */
export function explain(snapshot: ClusterSnapshot, now: Date, options: SituationOptions = {}): readonly Finding[] {
  const situation = situationOf(snapshot, now, options)
  const found = families.flatMap((causes) => causes(situation))
  return withoutSymptoms([...found, ...capacityCauses(situation, found)]).toSorted(gravestFirst)
}

const rank: Readonly<Record<FindingSeverity, number>> = { critical: 0, warning: 1, info: 2 }

/** By severity, then pools before nodes, then as people count. */
function gravestFirst(a: Finding, b: Finding): number {
  const bySubject = a.subject.kind.localeCompare(b.subject.kind)
  return (
    rank[a.severity] - rank[b.severity] ||
    bySubject ||
    a.subject.name.localeCompare(b.subject.name, 'en', { numeric: true }) ||
    a.code.localeCompare(b.code)
  )
}
