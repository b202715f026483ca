import type { MetricFamily } from '../kube/metricsText.ts'

/** What the process that runs the controllers counts about itself. */
export const controllerFamilies = {
  mco_controller_info: {
    type: 'gauge',
    help: 'The version of the controllers; 1 while they run.',
    labels: ['version'],
  },
  mco_leader: { type: 'gauge', help: '1 in the process that holds a lease.', labels: ['lease'] },
  mco_reconciles_total: { type: 'counter', help: 'Ended passes, by result.', labels: ['controller', 'result'] },
  mco_reconcile_duration_seconds: { type: 'summary', help: 'How long passes take.', labels: ['controller'] },
  mco_queue_depth: { type: 'gauge', help: 'Keys that wait for a pass.', labels: ['controller'] },
  mco_queue_oldest_seconds: { type: 'gauge', help: 'How long the oldest of them waits.', labels: ['controller'] },
  mco_cache_alive_timestamp_seconds: {
    type: 'gauge',
    help: 'Unix time at which the API server last said something about a kind.',
    labels: ['kind'],
  },
  mco_watch_failures_total: {
    type: 'counter',
    help: 'Failed lists and watches, by HTTP status or connection.',
    labels: ['kind', 'reason'],
  },
  mco_events_dropped_total: { type: 'counter', help: 'Events that were not written.', labels: ['cause'] },
  mco_drain_duration_seconds: { type: 'summary', help: 'From the cordon of a node to its last pod.', labels: [] },
  mco_evictions_total: { type: 'counter', help: 'Evictions that were asked for, by answer.', labels: ['result'] },
  mco_certificate_deliveries_total: {
    type: 'counter',
    help: 'Certificate bundles that simulated machines of this process were given outside of updates; real ones count their own.',
    labels: ['bundle', 'paused'],
  },
  mco_cluster_metrics_duration_seconds: {
    type: 'gauge',
    help: 'How long it took to make the series about the cluster.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricFamily>>
