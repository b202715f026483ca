import type { Finding } from '../finding.ts'
import { type ClusterSample, sample } from './clusterFamilies.ts'

/** When everything breaks at once, the counts say how much; the names of the first are enough. */
const shownFindings = 200

/** The causes of `explain`, gravest first as it gives them: how many of each word, and what they are about. */
export function findingSamples(findings: readonly Finding[]): readonly ClusterSample[] {
  const counts = new Map<string, { readonly finding: Finding; count: number }>()
  const named = new Map<string, ClusterSample>()
  for (const finding of findings) {
    const { code, severity, subject } = finding
    const known = counts.get(`${code} ${severity}`)
    if (known) known.count += 1
    else counts.set(`${code} ${severity}`, { finding, count: 1 })
    const labels = { code, severity, subject: `${subject.kind}/${subject.name}` }
    const key = Object.values(labels).join(' ')
    // Several of one word about one subject, such as two pods of a drain, are one series.
    if (named.size < shownFindings && !named.has(key)) named.set(key, sample('mco_finding_info', labels, 1))
  }
  return [
    ...[...counts.values()].map(({ finding: { code, severity }, count }) =>
      sample('mco_findings', { code, severity }, count),
    ),
    ...named.values(),
  ]
}
