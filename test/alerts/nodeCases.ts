import { type AlertCase, silent } from './alertCase.ts'

const labels = { node: 'w-1', pool: 'worker' }
const node = 'node="w-1",pool="worker"'

export const nodeCases: readonly AlertCase[] = [
  {
    alert: 'MCONodeSlow',
    name: 'fires an hour after the update began; not for one that is quick',
    series: {
      [`mco_node_update_started_timestamp_seconds{${node},state="Draining"}`]: '0x90',
      'mco_node_update_started_timestamp_seconds{node="w-2",pool="worker",state="Updating"}': '1800x20',
    },
    at: {
      '60m': silent,
      '70m': [
        {
          severity: 'warning',
          labels: { ...labels, state: 'Draining' },
          says: 'The update of node w-1 in pool worker runs for 1h 10m 0s; the node is Draining. What it waits for: mco explain node/w-1.',
        },
      ],
    },
  },
  {
    alert: 'MCONodeNotBack',
    name: 'fires after five minutes and ends when the node is back',
    series: { [`mco_node_reboot_overdue{${node}}`]: '1x15' },
    at: {
      '4m': silent,
      '6m': [
        {
          severity: 'warning',
          labels,
          says: 'Node w-1 of pool worker rebooted for an update and has not come back in time. Look at its console or at the machine: mco explain node/w-1 says what is known.',
        },
      ],
      '21m': silent,
    },
  },
  {
    alert: 'MCONodeDrift',
    name: 'fires after five minutes and ends when the disk is right again',
    series: { [`mco_node_drift{${node}}`]: '1x15' },
    at: {
      '4m': silent,
      '6m': [
        {
          severity: 'warning',
          labels,
          says: 'Somebody changed a file or unit on node w-1 of pool worker that its config owns; the node takes no update until that is put right. Which one: mco explain node/w-1.',
        },
      ],
      '21m': silent,
    },
  },
  {
    alert: 'MCODrainBlocked',
    name: 'names pod and budget after a quarter of an hour; a pod that only ends slowly is no budget',
    series: {
      'mco_drain_blocker_info{node="w-1",blocked_namespace="shop",blocked_pod="web-0",budget="web",reason="DisruptionBudget"}':
        '1x30',
      'mco_drain_blocker_info{node="w-2",blocked_namespace="shop",blocked_pod="db-0",budget="",reason="Terminating"}':
        '1x30',
    },
    at: {
      '14m': silent,
      '16m': [
        {
          severity: 'warning',
          labels: {
            node: 'w-1',
            blocked_namespace: 'shop',
            blocked_pod: 'web-0',
            budget: 'web',
            reason: 'DisruptionBudget',
          },
          says: 'Node w-1 cannot be drained: PodDisruptionBudget shop/web does not let go of pod web-0. Its numbers, and why no other node takes the replacement: mco explain node/w-1.',
        },
      ],
    },
  },
  {
    alert: 'MCODaemonDown',
    name: 'goes on when the finding becomes graver; other findings are not meant',
    series: {
      'mco_finding_info{code="DaemonSilent",severity="warning",subject="node/w-1"}': '1x10',
      'mco_finding_info{code="DaemonSilent",severity="critical",subject="node/w-1"}': '_x9 1x20',
      'mco_finding_info{code="NodeNotReady",severity="warning",subject="node/w-2"}': '1x30',
    },
    at: {
      '9m': silent,
      '12m': [
        {
          severity: 'warning',
          labels: { code: 'DaemonSilent', subject: 'node/w-1' },
          says: 'node/w-1: its daemon does not answer for what it has to do (DaemonSilent). It takes no update, and drift is not seen. Why: mco explain node/w-1.',
        },
      ],
    },
  },
  {
    alert: 'MCOCriticalFinding',
    name: 'fires for a critical finding, not for a warning',
    series: {
      'mco_finding_info{code="NodeNotBack",severity="critical",subject="node/w-1"}': '1x20',
      'mco_finding_info{code="Drift",severity="warning",subject="node/w-2"}': '1x20',
    },
    at: {
      '9m': silent,
      '11m': [
        {
          severity: 'warning',
          // The label of the series gives way to that of the alert.
          labels: { code: 'NodeNotBack', subject: 'node/w-1' },
          says: 'node/w-1: NodeNotBack. Cause and remedy: mco explain node/w-1.',
        },
      ],
    },
  },
]
