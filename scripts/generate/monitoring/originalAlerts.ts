import { type AlertGroup, otherValue } from './alert.ts'

const signer = 'machine_config_controller_paused_pool_kubelet_ca'
const signerOf = `max by (namespace,pool) (last_over_time(${signer}[5m]))`

/** A scraper that does not honour our labels calls ours `exported_node` when its target has a `node` of its own. */
const nodeLabel = '{{ or $labels.exported_node $labels.node }}'
/** Daemons do not name their node; the scraper does, or says at least where it asked. */
const daemonLabel = '{{ or $labels.node $labels.instance }}'

const blockingPods =
  '{{ range query (printf "topk(5, mco_drain_blocker_info{node=%q})" (or $labels.exported_node $labels.node)) }} {{ .Labels.blocked_namespace }}/{{ .Labels.blocked_pod }}{{ end }}'

/** Names, expressions and severities of the original, so that silences and routes that people have go on working. */
export const originalAlerts: AlertGroup = {
  name: 'machine-config-original',
  alerts: [
    {
      name: 'MachineConfigControllerPausedPoolKubeletCA',
      severity: 'warning',
      expr: `${signerOf} > 0`,
      for: '60m',
      summary: 'A paused pool keeps a new kubelet signer from its nodes.',
      description:
        'Pool {{ $labels.pool }} is paused, and a new signer of the API server waits behind the pause. The newest one that its nodes trust ends at {{ $value | humanizeTimestamp }}: from then on the API server cannot talk to their kubelets, and logs and exec fail within hours after the rotation. Resume the pool before: mco resume mcp/{{ $labels.pool }} shows first what else waits.',
    },
    {
      name: 'MachineConfigControllerPausedPoolKubeletCA',
      severity: 'critical',
      expr: `max by (namespace,pool) (last_over_time(${signer}[5m]) - time()) < (86400 * 14) AND ${signerOf} > 0`,
      for: '60m',
      summary: 'The nodes of a paused pool lose the trust in the API server within 14 days.',
      description: `Pool {{ $labels.pool }} is paused, and in {{ $value | humanizeDuration }}, at ${otherValue(signer, ['pool'], 'humanizeTimestamp')}, the last signer ends that its nodes trust; the new one waits behind the pause. Resume the pool now: mco resume mcp/{{ $labels.pool }}.`,
    },
    {
      name: 'MCCDrainError',
      severity: 'warning',
      expr: 'mcc_drain_err > 0',
      summary: 'The drain of a node takes longer than its pool allows.',
      description: `The drain of node ${nodeLabel} has exceeded its timeout and goes on. Pods that hold it up:${blockingPods}. The causes: mco explain node/${nodeLabel}.`,
    },
    {
      name: 'MCCPoolAlert',
      severity: 'warning',
      expr: 'mcc_pool_alert > 0',
      summary: 'A custom pool selects a control plane node, which ignores it.',
      description: `Control plane node ${nodeLabel} has the role of a custom pool. It stays in pool master, and nothing of the custom pool reaches it. Remove the label or the selector: mco explain node/${nodeLabel}.`,
    },
    {
      name: 'MCDRebootError',
      severity: 'critical',
      expr: 'mcd_reboots_failed_total > 0',
      for: '5m',
      summary: 'A node cannot reboot.',
      description: `The daemon of ${daemonLabel} asked for a reboot and was refused ({{ $value }} times): the update cannot go on there.`,
    },
    {
      name: 'MCDPivotError',
      severity: 'warning',
      expr: 'mcd_pivot_errors_total > 0',
      for: '2m',
      summary: 'A node cannot switch its OS image.',
      description: `The daemon of ${daemonLabel} failed {{ $value }} times in a row to have the next boot run another OS image.`,
    },
    {
      name: 'KubeletHealthState',
      severity: 'warning',
      expr: 'mcd_kubelet_state > 2',
      summary: 'A kubelet does not answer its health check.',
      description: `The kubelet of ${daemonLabel} failed {{ $value }} health checks in a row.`,
    },
  ],
}
