import { type AlertCase, days, type Firing, silent } from './alertCase.ts'

const pool = { pool: 'worker' }
const one = (
  severity: Firing['severity'],
  labels: Readonly<Record<string, string>>,
  says: string,
): readonly Firing[] => [{ severity, labels, says }]

const condition = (name: string): string => `mco_pool_condition{pool="worker",condition="${name}"}`
const deadline = 'mco_pool_backlog_deadline_timestamp_seconds{pool="worker",source="99-certs"}'
const late = (severity: Firing['severity'], left: string, end: string): Firing => ({
  severity,
  labels: { pool: 'worker', source: '99-certs' },
  says: `A change of MachineConfig 99-certs does not reach the nodes of pool worker, and what it renews ends in ${left}, at ${end}. What else waits: mco explain mcp/worker.`,
})

export const poolCases: readonly AlertCase[] = [
  {
    alert: 'MCOPoolDegraded',
    name: 'names the nodes that gave up; not for another condition',
    series: {
      [condition('Degraded')]: '0x5 1x20',
      [condition('Updating')]: '1x25',
      'mco_node_failed{node="w-1",pool="worker",state="Degraded"}': '_x5 1x20',
      'mco_node_failed{node="i-1",pool="infra",state="Degraded"}': '1x25',
    },
    at: {
      '10m': silent,
      '12m': one(
        'warning',
        { ...pool, condition: 'Degraded' },
        'Pool worker is degraded and will not finish by itself. Nodes that gave up: w-1. Cause and remedy: mco explain mcp/worker.',
      ),
    },
  },
  {
    alert: 'MCOPoolDegraded',
    name: 'goes on over a restart of the controller, and ends with the condition',
    series: {
      [`${condition('Degraded').slice(0, -1)},instance="a"}`]: '1x4',
      [`${condition('Degraded').slice(0, -1)},instance="b"}`]: '_x7 1x4 0x10',
    },
    at: {
      '6m': one(
        'warning',
        { ...pool, condition: 'Degraded' },
        'Pool worker is degraded and will not finish by itself. Nodes that gave up:. Cause and remedy: mco explain mcp/worker.',
      ),
      '13m': silent,
    },
  },
  {
    alert: 'MCORenderFailing',
    name: 'fires after five minutes',
    series: { [condition('RenderDegraded')]: '0x2 1x20' },
    at: {
      '6m': silent,
      '9m': one(
        'warning',
        { ...pool, condition: 'RenderDegraded' },
        'The MachineConfigs of pool worker do not give a config: its nodes stay as they are, and no change reaches them. Which fragment it is, and where in it: mco explain mcp/worker.',
      ),
    },
  },
  {
    alert: 'MCORolloutStuck',
    name: 'fires half an hour after the last progress; progress and the end of the rollout end it',
    series: {
      'mco_pool_last_progress_timestamp_seconds{pool="worker"}': '0x50 3060x30',
      'mco_pool_last_progress_timestamp_seconds{pool="master"}': '0+60x80',
      'mco_updated_machine_count{pool="worker"}': '3x80',
      'mco_machine_count{pool="worker"}': '5x80',
    },
    at: {
      '30m': silent,
      '40m': one(
        'warning',
        pool,
        'No node of pool worker came into another phase for 40m 0s; 3 of 5 are updated. What holds it up: mco explain mcp/worker.',
      ),
      '51m': silent,
    },
  },
  {
    alert: 'MCOPoolPausedLong',
    name: 'fires after a week and an hour, not for a pause of yesterday',
    series: {
      'mco_pool_paused_timestamp_seconds{pool="worker"}': `${days(-7)}x100`,
      'mco_pool_paused_timestamp_seconds{pool="infra"}': `${days(-1)}x100`,
      'mco_pool_backlog_items{pool="worker"}': '4x100',
    },
    at: {
      '60m': silent,
      '65m': one(
        'warning',
        pool,
        'Pool worker is paused for 7d 1h 5m 0s. Behind it wait 4 changes. Who paused it and why: mco explain mcp/worker.',
      ),
    },
  },
  {
    alert: 'MCOPausePastUntil',
    name: 'fires ten minutes after the end that was meant, and ends when the pool resumes',
    series: {
      'mco_pool_pause_until_timestamp_seconds{pool="worker"}': '1200x40',
      'mco_pool_backlog_items{pool="worker"}': '1x60',
    },
    at: {
      '30m': silent,
      '32m': one(
        'warning',
        pool,
        'The pause of pool worker was to last until 1970-01-01 00:20:00 +0000 UTC, and the pool is still paused. Behind it wait 1 changes. End it with mco resume mcp/worker, which shows first what that will do, or give it a new end with mco pause.',
      ),
      '50m': silent,
    },
  },
  {
    alert: 'MCOBacklogDeadline',
    name: 'warns under 30 days and names the day and the fragment',
    series: {
      [deadline]: `${days(30) + 600}x60`,
      'mco_pool_backlog_deadline_timestamp_seconds{pool="worker",source="50-far"}': `${days(90)}x60`,
    },
    at: { '20m': silent, '25m': [late('warning', '29d 23h 45m 0s', '1970-01-31 00:10:00 +0000 UTC')] },
  },
  {
    alert: 'MCOBacklogDeadline',
    name: 'is critical under 14 days, also when it is past, and ends with the backlog',
    series: { [deadline]: '600x20' },
    at: {
      '9m': silent,
      '12m': [
        late('warning', '-2m 0s', '1970-01-01 00:10:00 +0000 UTC'),
        late('critical', '-2m 0s', '1970-01-01 00:10:00 +0000 UTC'),
      ],
      '30m': silent,
    },
  },
]
