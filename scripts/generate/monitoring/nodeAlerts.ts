import { type AlertGroup, minutes, steady } from './alert.ts'

export const nodeAlerts: AlertGroup = {
  name: 'machine-config-nodes',
  alerts: [
    {
      name: 'MCONodeSlow',
      severity: 'warning',
      expr: `time() - ${steady('mco_node_update_started_timestamp_seconds')} > ${minutes(60)}`,
      for: '5m',
      summary: 'The update of a node takes very long.',
      description:
        'The update of node {{ $labels.node }} in pool {{ $labels.pool }} runs for {{ $value | humanizeDuration }}; the node is {{ $labels.state }}. What it waits for: mco explain node/{{ $labels.node }}.',
    },
    {
      name: 'MCONodeNotBack',
      severity: 'warning',
      expr: `${steady('mco_node_reboot_overdue')} == 1`,
      for: '5m',
      summary: 'A node is not back from its reboot.',
      description:
        'Node {{ $labels.node }} of pool {{ $labels.pool }} rebooted for an update and has not come back in time. Look at its console or at the machine: mco explain node/{{ $labels.node }} says what is known.',
    },
    {
      name: 'MCONodeDrift',
      severity: 'warning',
      expr: `${steady('mco_node_drift')} == 1`,
      for: '5m',
      summary: 'The disk of a node is not what its config says.',
      description:
        'Somebody changed a file or unit on node {{ $labels.node }} of pool {{ $labels.pool }} that its config owns; the node takes no update until that is put right. Which one: mco explain node/{{ $labels.node }}.',
    },
    {
      name: 'MCODrainBlocked',
      severity: 'warning',
      expr: `${steady('mco_drain_blocker_info{reason="DisruptionBudget"}')} == 1`,
      for: '15m',
      summary: 'A PodDisruptionBudget holds up an update.',
      description:
        'Node {{ $labels.node }} cannot be drained: PodDisruptionBudget {{ $labels.blocked_namespace }}/{{ $labels.budget }} does not let go of pod {{ $labels.blocked_pod }}. Its numbers, and why no other node takes the replacement: mco explain node/{{ $labels.node }}.',
    },
    {
      name: 'MCODaemonDown',
      severity: 'warning',
      expr: 'max without (instance, pod, severity) (last_over_time(mco_finding_info{code=~"Daemon(NotRunning|Silent|NeverReported)"}[5m])) == 1',
      for: '10m',
      summary: 'The daemon of a node does not work.',
      description:
        '{{ $labels.subject }}: its daemon does not answer for what it has to do ({{ $labels.code }}). It takes no update, and drift is not seen. Why: mco explain {{ $labels.subject }}.',
    },
    {
      name: 'MCOCriticalFinding',
      severity: 'warning',
      expr: `${steady('mco_finding_info{severity="critical"}')} == 1`,
      for: '10m',
      summary: 'Something stands still or is lost soon.',
      description: '{{ $labels.subject }}: {{ $labels.code }}. Cause and remedy: mco explain {{ $labels.subject }}.',
    },
  ],
}
