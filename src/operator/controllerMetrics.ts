import type { DrainMetrics } from '../drain/drainMetrics.ts'
import { type ClusterSample, clusterFamilies } from '../forecast/metrics/clusterFamilies.ts'
import type { Clock } from '../kube/clock.ts'
import { Retryable } from '../kube/errors.ts'
import type { KubeMetrics } from '../kube/metrics.ts'
import { type MetricLabels, type MetricSample, metricLabels, metricsText } from '../kube/metricsText.ts'
import { controllerFamilies } from './controllerFamilies.ts'

type ControllerMetric = keyof typeof controllerFamilies

export interface ControllerMetricsOptions {
  readonly version: string
  readonly clock: Clock
  /** What the cluster's objects say now. May throw Retryable while a cache is not complete. */
  readonly cluster: () => readonly ClusterSample[]
}

export interface ControllerMetricsPage extends KubeMetrics, DrainMetrics {
  /** A daemon in this process wrote a bundle outside of an update. */
  certificateDelivered(bundle: string, paused: boolean): void
  /** The Prometheus text format. */
  render(): string
}

/** Several scrapers, or an impatient one, must not make the controllers slow. */
const freshMs = 2_000

/**
 * The page of the process that runs the controllers: what they count, and the state of the cluster, which is worked out
 * when the page is asked for and at most once in two seconds.
 */
export function controllerMetricsPage({ version, clock, cluster }: ControllerMetricsOptions): ControllerMetricsPage {
  const series = new Map<string, MetricSample<ControllerMetric>>()
  const key = (name: ControllerMetric, labels: MetricLabels, suffix = ''): string =>
    `${name}${suffix}${metricLabels(labels)}`
  const set = (name: ControllerMetric, labels: MetricLabels, value: number): void =>
    void series.set(key(name, labels), { name, labels, value })
  const add = (name: ControllerMetric, labels: MetricLabels, amount = 1, suffix?: '_sum' | '_count'): void => {
    const id = key(name, labels, suffix)
    const value = (series.get(id)?.value ?? 0) + amount
    series.set(id, { name, labels, value, ...(suffix && { suffix }) })
  }
  const observe = (name: ControllerMetric, labels: MetricLabels, ms: number): void => {
    add(name, labels, ms / 1000, '_sum')
    add(name, labels, 1, '_count')
  }
  set('mco_controller_info', { version }, 1)

  let made: { readonly atMs: number; readonly text: string } | undefined
  function clusterText(): string {
    const atMs = clock.now().getTime()
    if (made && atMs >= made.atMs && atMs - made.atMs < freshMs) return made.text
    const samples = samplesOrNone(cluster)
    if (!samples) return ''
    set('mco_cluster_metrics_duration_seconds', {}, (clock.now().getTime() - atMs) / 1000)
    made = { atMs, text: metricsText(clusterFamilies, samples) }
    return made.text
  }

  return {
    reconciled(controller, result, durationMs) {
      add('mco_reconciles_total', { controller, result })
      observe('mco_reconcile_duration_seconds', { controller }, durationMs)
    },
    queue(controller, depth, oldestAgeMs) {
      set('mco_queue_depth', { controller }, depth)
      set('mco_queue_oldest_seconds', { controller }, oldestAgeMs / 1000)
    },
    cacheAlive: (kind, at) => set('mco_cache_alive_timestamp_seconds', { kind }, Math.floor(at.getTime() / 1000)),
    watchFailed: (kind, reason) => add('mco_watch_failures_total', { kind, reason }),
    leader: (lease, isLeader) => set('mco_leader', { lease }, isLeader ? 1 : 0),
    eventDropped: (cause) => add('mco_events_dropped_total', { cause }),
    drained: (_node, durationMs) => observe('mco_drain_duration_seconds', {}, durationMs),
    evictions(granted, refused) {
      if (granted > 0) add('mco_evictions_total', { result: 'granted' }, granted)
      if (refused > 0) add('mco_evictions_total', { result: 'refused' }, refused)
    },
    certificateDelivered: (bundle, paused) =>
      add('mco_certificate_deliveries_total', { bundle, paused: String(paused) }),
    render() {
      const about = clusterText()
      return metricsText(controllerFamilies, [...series.values()]) + about
    },
  }
}

/** Until the caches are complete nothing is known: no series is better than one that says "no node is degraded". */
function samplesOrNone(cluster: () => readonly ClusterSample[]): readonly ClusterSample[] | undefined {
  try {
    return cluster()
  } catch (error) {
    if (error instanceof Retryable) return undefined
    throw error
  }
}
