import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { daemonFamilies } from '../../src/daemon/daemonMetrics.ts'
import { clusterFamilies } from '../../src/forecast/metrics/clusterFamilies.ts'
import type { MetricFamily } from '../../src/kube/metricsText.ts'
import { controllerFamilies } from '../../src/operator/controllerFamilies.ts'

/** The families that are declared as data: page of docs/monitoring.md to families. */
export const metricTables: Readonly<Record<string, Readonly<Record<string, MetricFamily>>>> = {
  'cluster metrics': clusterFamilies,
  'controller metrics': controllerFamilies,
  'daemon metrics': daemonFamilies,
}

/** Every series name that a process of ours can publish, with the endings of histograms and summaries. */
export function publishedNames(): ReadonlySet<string> {
  const declared = Object.values(metricTables).flatMap((families) =>
    Object.entries(families).flatMap(([name, { type }]) => namesOf(name, type)),
  )
  return new Set([...declared, ...serverNames().flatMap((name) => namesOf(name, 'histogram'))])
}

/** The config server declares a family where it counts it: its names are the literals of its sources. */
export function serverNames(): readonly string[] {
  const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const found = sources.flatMap((path) =>
    [...readFileSync(join('src/server', path), 'utf8').matchAll(/'(mcs_[a-z_]+)'/g)].map(([, name = '']) => name),
  )
  return [...new Set(found)].sort()
}

function namesOf(name: string, type: MetricFamily['type']): readonly string[] {
  switch (type) {
    case 'histogram':
      return [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]
    case 'summary':
      return [`${name}_sum`, `${name}_count`]
    case 'gauge':
    case 'counter':
      return [name]
    default:
      return type satisfies never
  }
}

export function metricTable(families: Readonly<Record<string, MetricFamily>>): string {
  const rows = Object.entries(families).map(([name, { type, help, labels }]) => {
    const text = labels.length === 0 ? '' : labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${text} | ${help} |`
  })
  return ['| name | type | labels | value |', '|---|---|---|---|', ...rows].join('\n')
}
