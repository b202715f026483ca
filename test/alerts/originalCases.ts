import { type AlertCase, days, type Firing, silent } from './alertCase.ts'

const signer = 'machine_config_controller_paused_pool_kubelet_ca'
const paused = 'MachineConfigControllerPausedPoolKubeletCA'
/** The moment of the recorded case of the original: in December 2022. */
const december = 1670379908

const warning = (end: string): Firing => ({
  severity: 'warning',
  labels: { pool: 'worker' },
  says: `Pool worker is paused, and a new signer of the API server waits behind the pause. The newest one that its nodes trust ends at ${end}: from then on the API server cannot talk to their kubelets, and logs and exec fail within hours after the rotation. Resume the pool before: mco resume mcp/worker shows first what else waits.`,
})
const critical = (left: string, end: string): Firing => ({
  severity: 'critical',
  labels: { pool: 'worker' },
  says: `Pool worker is paused, and in ${left}, at ${end}, the last signer ends that its nodes trust; the new one waits behind the pause. Resume the pool now: mco resume mcp/worker.`,
})

export const originalCases: readonly AlertCase[] = [
  {
    alert: paused,
    name: 'warns after an hour and names the day; not for a pool that is not paused',
    series: { [`${signer}{pool="worker"}`]: `${december}x120`, [`${signer}{pool="master"}`]: '0x120' },
    at: { '59m': silent, '60m': [warning('2022-12-07 02:25:08 +0000 UTC')] },
  },
  {
    alert: paused,
    name: 'goes on over a restart of the controller: another instance after a gap of four minutes',
    series: {
      [`${signer}{pool="worker",instance="10.0.0.1:8797"}`]: `${december}x40`,
      [`${signer}{pool="worker",instance="10.0.0.2:8797"}`]: `_x44 ${december}x60`,
    },
    at: {
      '43m': silent,
      '60m': [warning('2022-12-07 02:25:08 +0000 UTC')],
      '70m': [warning('2022-12-07 02:25:08 +0000 UTC')],
    },
  },
  {
    alert: paused,
    name: 'begins anew after a gap in which nobody told anything for longer than five minutes',
    series: { [`${signer}{pool="worker"}`]: `${december}x40 _x10 ${december}x60` },
    at: { '65m': silent, '111m': [warning('2022-12-07 02:25:08 +0000 UTC')] },
  },
  {
    alert: paused,
    name: 'is critical under 14 days, and not at 14 days',
    series: { [`${signer}{pool="worker"}`]: `${days(14) + 30 * 60}x200` },
    at: {
      '60m': [warning('1970-01-15 00:30:00 +0000 UTC')],
      '91m': [warning('1970-01-15 00:30:00 +0000 UTC'), critical('13d 22h 59m 0s', '1970-01-15 00:30:00 +0000 UTC')],
    },
  },
  {
    alert: paused,
    name: 'names the day also in the minutes in which nobody tells it',
    series: { [`${signer}{pool="worker"}`]: `${days(3)}x70 _x20` },
    at: {
      '73m': [warning('1970-01-04 00:00:00 +0000 UTC'), critical('2d 22h 47m 0s', '1970-01-04 00:00:00 +0000 UTC')],
    },
  },
  {
    alert: paused,
    name: 'ends when the pool resumes',
    series: { [`${signer}{pool="worker"}`]: `${days(3)}x90 0x30` },
    at: {
      '90m': [warning('1970-01-04 00:00:00 +0000 UTC'), critical('2d 22h 30m 0s', '1970-01-04 00:00:00 +0000 UTC')],
      '96m': silent,
    },
  },
  {
    alert: 'MCCDrainError',
    name: 'names the node and the pods',
    series: {
      'mcc_drain_err{node="w-1"}': '_x10 1x10',
      'mco_drain_blocker_info{node="w-1",blocked_namespace="shop",blocked_pod="web-0",budget="web",reason="DisruptionBudget"}':
        '1x20',
    },
    at: {
      '5m': silent,
      '12m': [
        {
          severity: 'warning',
          labels: { node: 'w-1' },
          says: 'The drain of node w-1 has exceeded its timeout and goes on. Pods that hold it up: shop/web-0. The causes: mco explain node/w-1.',
        },
      ],
    },
  },
  {
    alert: 'MCCDrainError',
    name: 'names the node also where the scraper renamed its label',
    series: { 'mcc_drain_err{node="m-0",exported_node="w-1"}': '1x10' },
    at: {
      '1m': [
        {
          severity: 'warning',
          labels: { node: 'm-0', exported_node: 'w-1' },
          says: 'The drain of node w-1 has exceeded its timeout and goes on. Pods that hold it up:. The causes: mco explain node/w-1.',
        },
      ],
    },
  },
  {
    alert: 'MCCPoolAlert',
    name: 'fires for the node that is told, not for one that is well',
    series: { 'mcc_pool_alert{node="m-0"}': '1x5 0x5', 'mcc_pool_alert{node="m-1"}': '0x10' },
    at: {
      '1m': [
        {
          severity: 'warning',
          labels: { node: 'm-0' },
          says: 'Control plane node m-0 has the role of a custom pool. It stays in pool master, and nothing of the custom pool reaches it. Remove the label or the selector: mco explain node/m-0.',
        },
      ],
      '8m': silent,
    },
  },
  {
    alert: 'MCDRebootError',
    name: 'fires after five minutes',
    series: { 'mcd_reboots_failed_total{node="w-1"}': '0x2 2x20', 'mcd_reboots_failed_total{node="w-2"}': '0x20' },
    at: {
      '6m': silent,
      '10m': [
        {
          severity: 'critical',
          labels: { node: 'w-1' },
          says: 'The daemon of w-1 asked for a reboot and was refused (2 times): the update cannot go on there.',
        },
      ],
    },
  },
  {
    alert: 'MCDPivotError',
    name: 'fires after two minutes, and ends with the first success',
    series: { 'mcd_pivot_errors_total{instance="10.0.0.9:8797"}': '0 1 2 3 4 5 0x10' },
    at: {
      '2m': silent,
      '4m': [
        {
          severity: 'warning',
          labels: { instance: '10.0.0.9:8797' },
          says: 'The daemon of 10.0.0.9:8797 failed 4 times in a row to have the next boot run another OS image.',
        },
      ],
      '7m': silent,
    },
  },
  {
    alert: 'KubeletHealthState',
    name: 'fires with the third failure in a row',
    series: { 'mcd_kubelet_state{node="w-1"}': '0 1 2 3 0' },
    at: {
      '2m': silent,
      '3m': [
        {
          severity: 'warning',
          labels: { node: 'w-1' },
          says: 'The kubelet of w-1 failed 3 health checks in a row.',
        },
      ],
      '4m': silent,
    },
  },
]
