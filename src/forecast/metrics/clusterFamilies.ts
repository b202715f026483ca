import type { MetricFamily, MetricSample } from '../../kube/metricsText.ts'

const gauge = (help: string, ...labels: readonly string[]): MetricFamily => ({ type: 'gauge', help, labels })

/**
 * What is published about the state of the cluster. The first part has the original's names and meanings, the second is ours.
 * All are made anew from the present objects at each scrape, so the series of a pool or node that is gone end with it, and
 * a controller that restarts shows what the one before it did.
 */
export const clusterFamilies = {
  mco_machine_count: gauge('Nodes of the pool.', 'pool'),
  mco_updated_machine_count: gauge('Nodes of the pool that run its config.', 'pool'),
  mco_degraded_machine_count: gauge('Nodes of the pool whose daemon gave up.', 'pool'),
  mco_unavailable_machine_count: gauge('Nodes of the pool that cannot take pods or are being changed.', 'pool'),
  mco_state: gauge(
    'Unix time at which the condition of its pool turned true that did so last.',
    'node',
    'pool',
    'state',
    'reason',
  ),
  mcc_drain_err: gauge('1 once the drain of a node takes longer than its pool allows, an hour by default.', 'node'),
  mcc_pool_alert: gauge('1 while a control plane node matches a custom pool, which it ignores.', 'node'),
  os_image_url_override: gauge('1 if the OS image of the pool comes from a MachineConfig of a user.', 'pool'),
  mco_mosc_count: gauge('MachineOSConfigs.'),
  machine_config_controller_paused_pool_kubelet_ca: gauge(
    'Unix time at which the newest kubelet signer ends that a paused pool has, while another waits; 0 otherwise.',
    'pool',
  ),

  mco_pool_condition: gauge('1 while a condition of the pool is true.', 'pool', 'condition'),
  mco_pool_nodes: gauge('Nodes of the pool by state, in the words of mco status.', 'pool', 'state'),
  mco_pool_last_progress_timestamp_seconds: gauge(
    'Unix time of the last sign of progress of a rollout; absent without one, and while the pool is paused.',
    'pool',
  ),
  mco_pool_paused: gauge('1 while the pool is paused.', 'pool'),
  mco_pool_paused_timestamp_seconds: gauge('Unix time since when the pool is paused.', 'pool'),
  mco_pool_pause_until_timestamp_seconds: gauge('Unix time until which the pause is meant to last.', 'pool'),
  mco_pool_backlog_items: gauge('Changes that wait because they may not go to the nodes of the pool.', 'pool'),
  mco_pool_backlog_deadline_timestamp_seconds: gauge(
    'Unix time at which something ends that a waiting change would renew, by its MachineConfig.',
    'pool',
    'source',
  ),
  mco_node_update_started_timestamp_seconds: gauge(
    'Unix time at which the update began that a node is at.',
    'node',
    'pool',
    'state',
  ),
  mco_node_failed: gauge('1 while the daemon of a node has given up.', 'node', 'pool', 'state'),
  mco_node_reboot_overdue: gauge('1 while a node is not back from a reboot in time.', 'node', 'pool'),
  mco_node_drift: gauge('1 while the disk of a node is not what its config says.', 'node', 'pool'),
  mco_drain_started_timestamp_seconds: gauge('Unix time at which the drain began that a node is in.', 'node', 'pool'),
  mco_drain_blocked_pods: gauge('Pods that keep a node from being drained.', 'node', 'pool'),
  mco_drain_blocker_info: gauge(
    'The first ten of them, at most a hundred in all, with the budget that says no.',
    'node',
    'blocked_namespace',
    'blocked_pod',
    'budget',
    'reason',
  ),
  mco_findings: gauge('Causes that mco explain names, by their word.', 'code', 'severity'),
  mco_finding_info: gauge(
    'Each of them with what it is about; at most two hundred, the worst first.',
    'code',
    'severity',
    'subject',
  ),
  mco_certificate_not_after_timestamp_seconds: gauge(
    'Unix time at which the first certificate of a bundle of the ControllerConfig ends.',
    'bundle',
  ),
} as const satisfies Readonly<Record<string, MetricFamily>>

type ClusterMetric = keyof typeof clusterFamilies
export type ClusterSample = MetricSample<ClusterMetric>

export const sample = (name: ClusterMetric, labels: ClusterSample['labels'], value: number): ClusterSample => ({
  name,
  labels,
  value,
})

/** Unix time in whole seconds; undefined for a text that is no time. */
export function unixSeconds(time: string | Date | null | undefined): number | undefined {
  if (time === undefined || time === null) return undefined
  const ms = typeof time === 'string' ? Date.parse(time) : time.getTime()
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

/** A sample of a time that is known, none of one that is not. */
export function timeSample(
  name: ClusterMetric,
  labels: ClusterSample['labels'],
  time: string | Date | null | undefined,
): readonly ClusterSample[] {
  const seconds = unixSeconds(time)
  return seconds === undefined ? [] : [sample(name, labels, seconds)]
}
