/** The Prometheus text format, for pages that are put together by hand. */
export type MetricLabels = Readonly<Record<string, string>>

export const metricHead = (name: string, help: string, type: 'counter' | 'gauge' | 'histogram'): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** `{a="1",b="2"}`, empty without labels. */
export function metricLabels(labels: MetricLabels): string {
  const entries = Object.entries(labels)
  return entries.length === 0 ? '' : `{${entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
