/** The Prometheus text format, for pages that are put together by hand. */
export type MetricLabels = Readonly<Record<string, string>>

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

/** What a name stands for; one of a catalogue that pages, alerts and dashboards are checked against. */
export interface MetricFamily {
  readonly type: MetricType
  readonly help: string
  readonly labels: readonly string[]
}

export interface MetricSample<Name extends string = string> {
  readonly name: Name
  readonly labels: MetricLabels
  readonly value: number
  /** Of a summary: `_sum` or `_count`. */
  readonly suffix?: '_sum' | '_count'
}

export const metricHead = (name: string, help: string, type: MetricType): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** `{a="1",b="2"}`, empty without labels. */
export function metricLabels(labels: MetricLabels): string {
  const entries = Object.entries(labels)
  return entries.length === 0 ? '' : `{${entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')

/** A page: families in the order of their catalogue, each with its samples; one without samples is left out. */
export function metricsText(
  families: Readonly<Record<string, MetricFamily>>,
  samples: readonly MetricSample[],
): string {
  const lines = new Map<string, string[]>()
  for (const { name, labels, value, suffix = '' } of samples) {
    const line = `${name}${suffix}${metricLabels(labels)} ${value}`
    const known = lines.get(name)
    if (known) known.push(line)
    else lines.set(name, [line])
  }
  return Object.entries(families)
    .flatMap(([name, { help, type }]) => {
      const found = lines.get(name)
      return found ? [...metricHead(name, help, type), ...found] : []
    })
    .map((line) => `${line}\n`)
    .join('')
}
