import { type AlertGroup, days, minutes, namesOf, otherValue, steady } from './alert.ts'

const deadline = steady('mco_pool_backlog_deadline_timestamp_seconds')
const waiting = `Behind it wait ${otherValue('mco_pool_backlog_items', ['pool'])} changes.`
const failedNodes = namesOf('mco_node_failed', ['pool'], 'node')

export const poolAlerts: AlertGroup = {
  name: 'machine-config-pools',
  alerts: [
    {
      name: 'MCOPoolDegraded',
      severity: 'warning',
      expr: `${steady('mco_pool_condition{condition="Degraded"}')} == 1`,
      for: '5m',
      summary: 'A pool is degraded.',
      description: `Pool {{ $labels.pool }} is degraded and will not finish by itself. Nodes that gave up:${failedNodes}. Cause and remedy: mco explain mcp/{{ $labels.pool }}.`,
    },
    {
      name: 'MCORenderFailing',
      severity: 'warning',
      expr: `${steady('mco_pool_condition{condition="RenderDegraded"}')} == 1`,
      for: '5m',
      summary: 'The MachineConfigs of a pool cannot be merged.',
      description:
        'The MachineConfigs of pool {{ $labels.pool }} do not give a config: its nodes stay as they are, and no change reaches them. Which fragment it is, and where in it: mco explain mcp/{{ $labels.pool }}.',
    },
    {
      name: 'MCORolloutStuck',
      severity: 'warning',
      expr: `time() - ${steady('mco_pool_last_progress_timestamp_seconds')} > ${minutes(30)}`,
      for: '5m',
      summary: 'A rollout does not get further.',
      description: `No node of pool {{ $labels.pool }} came into another phase for {{ $value | humanizeDuration }}; ${otherValue('mco_updated_machine_count', ['pool'])} of ${otherValue('mco_machine_count', ['pool'])} are updated. What holds it up: mco explain mcp/{{ $labels.pool }}.`,
    },
    {
      name: 'MCOPoolPausedLong',
      severity: 'warning',
      expr: `time() - ${steady('mco_pool_paused_timestamp_seconds')} > ${days(7)}`,
      for: '1h',
      summary: 'A pool is paused for more than a week.',
      description: `Pool {{ $labels.pool }} is paused for {{ $value | humanizeDuration }}. ${waiting} Who paused it and why: mco explain mcp/{{ $labels.pool }}.`,
    },
    {
      name: 'MCOPausePastUntil',
      severity: 'warning',
      expr: `${steady('mco_pool_pause_until_timestamp_seconds')} < time()`,
      for: '10m',
      summary: 'A pause has outlived the time that it was meant for.',
      description: `The pause of pool {{ $labels.pool }} was to last until {{ $value | humanizeTimestamp }}, and the pool is still paused. ${waiting} End it with mco resume mcp/{{ $labels.pool }}, which shows first what that will do, or give it a new end with mco pause.`,
    },
    ...(['warning', 'critical'] as const).map((severity) => ({
      name: 'MCOBacklogDeadline',
      severity,
      expr: `${deadline} - time() < ${days(severity === 'critical' ? 14 : 30)}`,
      for: '10m',
      summary: `Something ends within ${severity === 'critical' ? 14 : 30} days that a waiting change would renew.`,
      description: `A change of MachineConfig {{ $labels.source }} does not reach the nodes of pool {{ $labels.pool }}, and what it renews ends in {{ $value | humanizeDuration }}, at ${otherValue('mco_pool_backlog_deadline_timestamp_seconds', ['pool', 'source'], 'humanizeTimestamp')}. What else waits: mco explain mcp/{{ $labels.pool }}.`,
    })),
  ],
}
