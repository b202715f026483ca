import { type MetricLabels, metricHead, metricLabels } from '../kube/metricsText.ts'
import type { AnswerSubject } from './answerRequest.ts'

/** What the server counts, as a port. */
export interface RequestMetrics {
  request(subject: AnswerSubject, answered: AnsweredRequest): void
  /** Ended before there was a request to answer. */
  refusedConnection(reason: string): void
}

interface AnsweredRequest {
  readonly status: number
  readonly sentBytes: number
  readonly seconds: number
}

/** A value that is asked for when the page is. */
interface Gauge {
  readonly name: string
  readonly help: string
  readonly read: () => readonly GaugeValue[]
}

interface GaugeValue {
  readonly labels?: MetricLabels
  readonly value: number
}

export interface ServerMetricsPage extends RequestMetrics {
  /** Counts one of a family that another part of the server declares. */
  count(name: string, help: string, labels?: MetricLabels): void
  observe(name: string, help: string, seconds: number): void
  addGauge(gauge: Gauge): void
  /** The Prometheus text format. */
  render(): string
}

export function serverMetricsPage(): ServerMetricsPage {
  const counters = new Map<string, { readonly help: string; readonly series: Map<string, Counter> }>()
  const histograms = new Map<string, Histogram & { readonly help: string }>()
  const gauges: Gauge[] = []
  const counterOf = (name: string, help: string, labels: MetricLabels): Counter => {
    const family = counters.get(name) ?? { help, series: new Map<string, Counter>() }
    counters.set(name, family)
    const key = metricLabels(labels)
    const counter = family.series.get(key) ?? { value: 0 }
    family.series.set(key, counter)
    return counter
  }
  const add = (name: string, help: string, labels: MetricLabels, amount: number): void => {
    counterOf(name, help, labels).value += amount
  }
  /** Requests differ in little: the text of their labels is made once. There are as many as there are series. */
  const requestCounters = new Map<string, Counter>()
  const requestCounter = (pool: string, status: number, version = ''): Counter => {
    const key = `${status} ${version} ${pool}`
    const known = requestCounters.get(key)
    if (known) return known
    const counter = counterOf('mcs_requests_total', requestsHelp, { pool, code: String(status), version })
    requestCounters.set(key, counter)
    return counter
  }
  const sentCounters = new Map<string, Counter>()
  const sentCounter = (pool: string): Counter => {
    const counter = sentCounters.get(pool) ?? counterOf('mcs_sent_bytes_total', 'Bytes of configs sent.', { pool })
    sentCounters.set(pool, counter)
    return counter
  }
  const observe = (name: string, help: string, seconds: number, bounds: readonly number[]): void => {
    const known = histograms.get(name) ?? { help, ...newHistogram(bounds) }
    histograms.set(name, known)
    record(known, seconds)
  }
  return {
    request({ kind, pool = '', version, reason }, { status, sentBytes, seconds }) {
      if (kind === 'probe') return
      const known = isKnownPool(status, reason) ? pool : ''
      requestCounter(known, status, version).value += 1
      if (sentBytes > 0) sentCounter(known).value += sentBytes
      if (reason !== undefined) add('mcs_denied_total', deniedHelp, { reason }, 1)
      observe('mcs_request_duration_seconds', 'Time until an answer was made.', seconds, requestBounds)
    },
    refusedConnection: (reason) => add('mcs_denied_total', deniedHelp, { reason }, 1),
    count: (name, help, labels = {}) => add(name, help, labels, 1),
    observe: (name, help, seconds) => observe(name, help, seconds, bootBounds),
    addGauge: (gauge) => void gauges.push(gauge),
    render: () =>
      [
        ...[...counters].flatMap(([name, { help, series }]) => [
          ...metricHead(name, help, 'counter'),
          ...[...series].map(([labels, { value }]) => `${name}${labels} ${value}`),
        ]),
        ...[...histograms].flatMap(([name, histogram]) => [
          ...metricHead(name, histogram.help, 'histogram'),
          ...histogramLines(name, histogram),
        ]),
        ...gauges.flatMap(({ name, help, read }) => [
          ...metricHead(name, help, 'gauge'),
          ...read().map(({ labels = {}, value }) => `${name}${metricLabels(labels)} ${value}`),
        ]),
      ]
        .map((line) => `${line}\n`)
        .join(''),
  }
}

const requestsHelp = 'Answered requests; the pool is empty where it is not known to exist.'
const deniedHelp = 'Requests and connections that got no config, by the reason word of the answer.'
const requestBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]
const bootBounds = [30, 60, 120, 300, 600, 1200, 3600]

/** A stranger must not be able to make series: a name counts only when a pool has it. */
const isKnownPool = (status: number, reason: string | undefined): boolean =>
  status === 200 || status === 304 || knownPoolReasons.has(reason ?? '')
const knownPoolReasons: ReadonlySet<string> = new Set([
  'PoolWithoutConfig',
  'ConfigNotFound',
  'ConfigUnusable',
  'VersionCannotExpressConfig',
  'SecretsInOpenMode',
])

interface Counter {
  value: number
}

interface Histogram {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum: number
  total: number
}

const newHistogram = (bounds: readonly number[]): Histogram => ({
  bounds,
  counts: bounds.map(() => 0),
  sum: 0,
  total: 0,
})

function record(histogram: Histogram, seconds: number): void {
  histogram.sum += seconds
  histogram.total += 1
  const at = histogram.bounds.findIndex((bound) => seconds <= bound)
  if (at >= 0) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
}

function histogramLines(name: string, { bounds, counts, sum, total }: Histogram): readonly string[] {
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return `${name}_bucket{le="${bound}"} ${below}`
  })
  return [...buckets, `${name}_bucket{le="+Inf"} ${total}`, `${name}_sum ${sum}`, `${name}_count ${total}`]
}
