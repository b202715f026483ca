import type { DashboardRow, Panel } from './dashboard.ts'

const pool = 'pool=~"$pool"'
const query = (expr: string, legend = '') => ({ expr, legend })
const stat = (title: string, expr: string, rest: Partial<Panel> = {}): Panel => ({
  title,
  type: 'stat',
  unit: 'none',
  width: 4,
  queries: [query(expr)],
  ...rest,
})
const lines = (title: string, unit: Panel['unit'], queries: Panel['queries'], rest: Partial<Panel> = {}): Panel => ({
  title,
  type: 'timeseries',
  unit,
  queries,
  ...rest,
})
const table = (title: string, unit: Panel['unit'], expr: string, rest: Partial<Panel> = {}): Panel => ({
  title,
  type: 'table',
  unit,
  queries: [query(expr)],
  ...rest,
})

/** From the question "is all well" down to the workings of each process. */
export const dashboardRows: readonly DashboardRow[] = [
  {
    title: 'At a glance',
    panels: [
      stat('Nodes', `sum(max by (pool) (mco_machine_count{${pool}}))`),
      stat('Updated', `sum(max by (pool) (mco_updated_machine_count{${pool}}))`),
      stat('Degraded pools', `sum(max by (pool) (mco_pool_condition{condition="Degraded",${pool}}))`, { errorAt: 1 }),
      stat('Degraded nodes', `sum(max by (pool) (mco_degraded_machine_count{${pool}}))`, { errorAt: 1 }),
      stat('Paused pools', `sum(max by (pool) (mco_pool_paused{${pool}}))`, { warnAt: 1 }),
      stat('Waiting changes', `sum(max by (pool) (mco_pool_backlog_items{${pool}}))`, { warnAt: 1 }),
    ],
  },
  {
    title: 'Rollouts',
    panels: [
      lines('Updated share', 'percentunit', [
        query(
          `max by (pool) (mco_updated_machine_count{${pool}}) / (max by (pool) (mco_machine_count{${pool}}) > 0)`,
          '{{pool}}',
        ),
      ]),
      lines('Nodes by state', 'short', [query(`sum by (state) (mco_pool_nodes{${pool}})`, '{{state}}')], {
        isStacked: true,
      }),
      lines('Unavailable and degraded nodes', 'short', [
        query(`max by (pool) (mco_unavailable_machine_count{${pool}})`, '{{pool}} unavailable'),
        query(`max by (pool) (mco_degraded_machine_count{${pool}})`, '{{pool}} degraded'),
      ]),
      lines(
        'Since the last progress',
        's',
        [query(`time() - max by (pool) (mco_pool_last_progress_timestamp_seconds{${pool}})`, '{{pool}}')],
        { description: 'Of rollouts that go on. More than half an hour is an alert.', warnAt: 1800 },
      ),
      table(
        'Nodes at work',
        's',
        `time() - max by (node, pool, state) (mco_node_update_started_timestamp_seconds{${pool}})`,
        { description: 'How long the update of each node runs.' },
      ),
      table('Nodes that gave up, drifted or did not come back', 'none', nodesInTrouble()),
    ],
  },
  {
    title: 'Causes',
    panels: [
      table('What mco explain names', 'none', 'max by (severity, code, subject) (mco_finding_info)', { width: 16 }),
      lines('Causes by word', 'short', [query('max by (code) (mco_findings)', '{{code}}')]),
    ],
  },
  {
    title: 'Pause and what waits behind it',
    panels: [
      lines('Age of pauses', 's', [
        query(`time() - max by (pool) (mco_pool_paused_timestamp_seconds{${pool}})`, '{{pool}}'),
      ]),
      lines('Waiting changes by pool', 'short', [query(`max by (pool) (mco_pool_backlog_items{${pool}})`, '{{pool}}')]),
      table(
        'Pauses that have an end',
        'dateTimeFromNow',
        `1000 * max by (pool) (mco_pool_pause_until_timestamp_seconds{${pool}})`,
      ),
      table(
        'Deadlines of waiting changes',
        'dateTimeFromNow',
        `1000 * max by (pool, source) (mco_pool_backlog_deadline_timestamp_seconds{${pool}})`,
        { description: 'The day on which something ends on the nodes that a waiting change would renew.' },
      ),
      table(
        'Kubelet signers behind a pause',
        'dateTimeFromNow',
        `1000 * (max by (pool) (machine_config_controller_paused_pool_kubelet_ca{${pool}}) > 0)`,
      ),
      table(
        'Certificates of the ControllerConfig',
        'dateTimeFromNow',
        '1000 * min by (bundle) (mco_certificate_not_after_timestamp_seconds)',
      ),
    ],
  },
  {
    title: 'Drains',
    panels: [
      table('Running drains', 's', `time() - max by (node, pool) (mco_drain_started_timestamp_seconds{${pool}})`),
      table(
        'Who holds them up',
        'none',
        'max by (node, blocked_namespace, blocked_pod, budget, reason) (mco_drain_blocker_info)',
        { width: 16 },
      ),
      lines('Pods that hold up a drain', 'short', [
        query(`sum by (pool) (max by (node, pool) (mco_drain_blocked_pods{${pool}}))`, '{{pool}}'),
      ]),
      lines('Evictions', 'ops', [query('sum by (result) (rate(mco_evictions_total[5m]))', '{{result}}')]),
      lines('How long drains took', 's', [
        query(
          'sum(rate(mco_drain_duration_seconds_sum[30m])) / sum(rate(mco_drain_duration_seconds_count[30m]))',
          'mean of half an hour',
        ),
      ]),
    ],
  },
  {
    title: 'Node daemons',
    panels: [
      table('Hosts by operating system', 'short', 'count by (os, version) (mcd_host_os_and_version)'),
      lines('Daemons by state', 'short', [query('count by (state) (mcd_state)', '{{state}}')], { isStacked: true }),
      lines('Kubelets that do not answer', 'short', [query('count(mcd_kubelet_state > 2)', 'kubelets')]),
      lines('Refused reboots and failed image switches', 'short', [
        query('sum(mcd_reboots_failed_total)', 'reboots'),
        query('sum(mcd_pivot_errors_total)', 'image switches'),
      ]),
      lines('Certificate bundles written outside of updates', 'short', [
        query(
          'sum by (bundle, paused) (increase(mco_certificate_deliveries_total[1h]))',
          '{{bundle}} paused: {{paused}}',
        ),
      ]),
      lines('Hosts with drift', 'short', [query('count(mcd_config_drift > 0)', 'hosts')]),
      lines('Packages layered by hand', 'short', [query('sum(mcd_local_unsupported_packages)', 'packages')]),
    ],
  },
  {
    title: 'Controllers',
    panels: [
      lines('Passes by result', 'ops', [query('sum by (result) (rate(mco_reconciles_total[5m]))', '{{result}}')]),
      lines('Mean duration of passes', 's', [
        query(
          'sum by (controller) (rate(mco_reconcile_duration_seconds_sum[5m])) / sum by (controller) (rate(mco_reconcile_duration_seconds_count[5m]))',
          '{{controller}}',
        ),
      ]),
      lines('Oldest waiting key', 's', [query('max by (controller) (mco_queue_oldest_seconds)', '{{controller}}')]),
      lines('Waiting keys', 'short', [query('max by (controller) (mco_queue_depth)', '{{controller}}')]),
      lines('Since the API server was heard', 's', [
        query('time() - max by (kind) (mco_cache_alive_timestamp_seconds)', '{{kind}}'),
      ]),
      lines('Failed watches', 'ops', [
        query('sum by (kind, reason) (rate(mco_watch_failures_total[5m]))', '{{kind}} {{reason}}'),
      ]),
    ],
  },
  {
    title: 'Config server',
    panels: [
      lines('Requests', 'reqps', [query('sum by (code) (rate(mcs_requests_total[5m]))', '{{code}}')]),
      lines('Refusals', 'reqps', [query('sum by (reason) (rate(mcs_denied_total[5m]))', '{{reason}}')]),
      lines('Time to an answer', 's', [
        query('histogram_quantile(0.99, sum by (le) (rate(mcs_request_duration_seconds_bucket[5m])))', '99 %'),
        query('histogram_quantile(0.5, sum by (le) (rate(mcs_request_duration_seconds_bucket[5m])))', '50 %'),
      ]),
      lines('First boots', 'short', [
        query('max(mcs_first_boots_pending)', 'pending'),
        query('sum(increase(mcs_first_boots_completed_total[1h]))', 'completed in an hour'),
      ]),
      table('Served configs', 'none', 'max by (pool, config, source) (mcs_served_config_info)'),
      table(
        'Certificates of the config server',
        'dateTimeFromNow',
        '1000 * (min(mcs_tls_cert_not_after_seconds) or label_replace(min(mcs_ca_not_after_seconds), "of", "authority", "", ""))',
      ),
    ],
  },
]

function nodesInTrouble(): string {
  return ['mco_node_failed', 'mco_node_drift', 'mco_node_reboot_overdue']
    .map((name) => `max by (node, pool, trouble) (label_replace(${name}{${pool}}, "trouble", "${name}", "", ""))`)
    .join(' or ')
}
