import { type AlertGroup, days, otherValue, steady } from './alert.ts'

const bundle = steady('mco_certificate_not_after_timestamp_seconds')
const served = `min without (instance, pod) (last_over_time(mcs_tls_cert_not_after_seconds[5m]))`
const authority = `min without (instance, pod) (last_over_time(mcs_ca_not_after_seconds[5m]))`

/** The certificates, the config server and the controllers themselves. */
export const serviceAlerts: AlertGroup = {
  name: 'machine-config-services',
  alerts: [
    ...(['warning', 'critical'] as const).map((severity) => ({
      name: 'MCOCertificateExpiring',
      severity,
      expr: `${bundle} - time() < ${days(severity === 'critical' ? 14 : 30)}`,
      for: '1h',
      summary: `A certificate that nodes trust ends within ${severity === 'critical' ? 14 : 30} days.`,
      description: `The first certificate of bundle {{ $labels.bundle }} in the ControllerConfig ends in {{ $value | humanizeDuration }}, at ${otherValue('mco_certificate_not_after_timestamp_seconds', ['bundle'], 'humanizeTimestamp')}. Its source must get a new one, and no pool may keep it from its nodes: mco explain.`,
    })),
    ...(['warning', 'critical'] as const).map((severity) => ({
      name: 'MCOServerCertificateExpiring',
      severity,
      expr: `${served} - time() < ${days(severity === 'critical' ? 7 : 30)} or ${authority} - time() < ${days(severity === 'critical' ? 7 : 30)}`,
      for: '1h',
      summary: `A certificate of the config server ends within ${severity === 'critical' ? 7 : 30} days.`,
      description:
        'The serving certificate of the config server, or the newest authority that machines are told to trust, ends in {{ $value | humanizeDuration }} and was not replaced. From then on no machine can join. Why the rotation does not happen: mco status.',
    })),
    {
      name: 'MCOServerRotationFailing',
      severity: 'warning',
      expr: `${steady('mcs_rotation_failing')} == 1`,
      for: '30m',
      summary: 'The certificates of the config server cannot be replaced.',
      description: 'The rotation of the certificates of the config server fails; mco status says with what.',
    },
    {
      name: 'MCOServerAuthFailures',
      severity: 'warning',
      expr: 'sum without (instance, pod, reason) (increase(mcs_denied_total{reason=~"Token.*"}[10m])) > 20',
      for: '10m',
      summary: 'Many requests for configs come without a valid token.',
      description: `{{ printf "%.0f" $value }} requests in ten minutes had no valid token: machines with an old pointer that cannot join, or somebody who tries. The reasons, most frequent first:{{ range query "topk(3, sum by (reason) (increase(mcs_denied_total{reason=~\\"Token.*\\"}[10m])))" }} {{ .Labels.reason }}{{ end }}.`,
    },
    {
      name: 'MCOServerOpen',
      severity: 'info',
      expr: `${steady('mcs_access_mode_info{mode=~"open|warn"}')} == 1`,
      for: '1h',
      summary: 'The config server gives configs to everybody.',
      description:
        'The config server runs in mode {{ $labels.mode }}: whoever reaches it gets a config. Give the pointers tokens (mco token create), then start it with mode token.',
    },
    {
      name: 'MCOServerDown',
      severity: 'warning',
      expr: 'absent_over_time(mcs_tls_cert_not_after_seconds[5m])',
      for: '10m',
      summary: 'Nobody serves configs.',
      description: 'No config server is seen for more than ten minutes: no machine can join. Running nodes go on.',
    },
    {
      name: 'MCOControllerDown',
      severity: 'critical',
      expr: 'absent_over_time(mco_controller_info[5m])',
      for: '10m',
      summary: 'The controllers do not run.',
      description:
        'The controllers of Machine Config Operator are not seen for more than ten minutes: nothing is rendered, no node is drained or given back, and the other alerts are blind.',
    },
    {
      name: 'MCOControllerDeaf',
      severity: 'warning',
      expr: 'sum without (instance, pod, reason) (increase(mco_watch_failures_total[15m])) > 10',
      for: '5m',
      summary: 'The controllers do not hear of changes.',
      description:
        'The controllers failed {{ printf "%.0f" $value }} times in 15 minutes to watch {{ $labels.kind }}: what they know of it is old. Permissions, or an API server in trouble.',
    },
    {
      name: 'MCOControllerFailing',
      severity: 'warning',
      expr: 'sum without (instance, pod) (increase(mco_reconciles_total{result="bug"}[15m])) > 0',
      for: '5m',
      summary: 'A controller fails in a way that nobody foresaw.',
      description:
        'Controller {{ $labels.controller }} ended {{ printf "%.0f" $value }} passes in 15 minutes with an error of its own. Its log has the stack; please report it.',
    },
  ],
}
