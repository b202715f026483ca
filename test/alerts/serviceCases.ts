import { type AlertCase, days, type Firing, silent } from './alertCase.ts'

const bundle = 'mco_certificate_not_after_timestamp_seconds{bundle="KubeAPIServerServingCAData"}'
const ending = (severity: Firing['severity'], left: string, end: string): Firing => ({
  severity,
  labels: { bundle: 'KubeAPIServerServingCAData' },
  says: `The first certificate of bundle KubeAPIServerServingCAData in the ControllerConfig ends in ${left}, at ${end}. Its source must get a new one, and no pool may keep it from its nodes: mco explain.`,
})
const serving = (severity: Firing['severity'], left: string): Firing => ({
  severity,
  says: `The serving certificate of the config server, or the newest authority that machines are told to trust, ends in ${left} and was not replaced. From then on no machine can join. Why the rotation does not happen: mco status.`,
})
const down =
  'The controllers of Machine Config Operator are not seen for more than ten minutes: nothing is rendered, no node is drained or given back, and the other alerts are blind.'

export const serviceCases: readonly AlertCase[] = [
  {
    alert: 'MCOCertificateExpiring',
    name: 'warns under 30 days, is critical under 14, and names the bundle and the day',
    series: { [bundle]: `${days(30) + 600}x80 ${days(10)}x120` },
    at: {
      '65m': silent,
      '75m': [ending('warning', '29d 22h 55m 0s', '1970-01-31 00:10:00 +0000 UTC')],
      '150m': [
        ending('warning', '9d 21h 30m 0s', '1970-01-11 00:00:00 +0000 UTC'),
        ending('critical', '9d 21h 30m 0s', '1970-01-11 00:00:00 +0000 UTC'),
      ],
    },
  },
  {
    alert: 'MCOServerCertificateExpiring',
    name: 'warns under 30 days',
    series: {
      'mcs_tls_cert_not_after_seconds{instance="a"}': `${days(20)}x90`,
      'mcs_ca_not_after_seconds{instance="a"}': `${days(900)}x90`,
    },
    at: { '59m': silent, '61m': [serving('warning', '19d 22h 59m 0s')] },
  },
  {
    alert: 'MCOServerCertificateExpiring',
    name: 'is critical under 7 days, also for the authority alone',
    series: {
      'mcs_tls_cert_not_after_seconds{instance="a"}': `${days(900)}x90`,
      'mcs_ca_not_after_seconds{instance="a"}': `${days(5)}x90`,
    },
    at: { '61m': [serving('warning', '4d 22h 59m 0s'), serving('critical', '4d 22h 59m 0s')] },
  },
  {
    alert: 'MCOServerRotationFailing',
    name: 'fires after half an hour, and not when the next attempt succeeds',
    series: { mcs_rotation_failing: '1x40 0x10' },
    at: {
      '29m': silent,
      '31m': [
        {
          severity: 'warning',
          says: 'The rotation of the certificates of the config server fails; mco status says with what.',
        },
      ],
      '47m': silent,
    },
  },
  {
    alert: 'MCOServerAuthFailures',
    name: 'counts what has to do with tokens, and names the reasons',
    series: {
      'mcs_denied_total{reason="TokenExpired"}': '0+5x40',
      'mcs_denied_total{reason="NoSuchPath"}': '0+50x40',
    },
    at: {
      '9m': silent,
      '30m': [
        {
          severity: 'warning',
          says: '50 requests in ten minutes had no valid token: machines with an old pointer that cannot join, or somebody who tries. The reasons, most frequent first: TokenExpired.',
        },
      ],
    },
  },
  {
    alert: 'MCOServerAuthFailures',
    name: 'is silent for a machine that tries once a minute, and for scans of paths',
    series: {
      'mcs_denied_total{reason="TokenExpired"}': '0+1x40',
      'mcs_denied_total{reason="NoSuchPath"}': '0+50x40',
    },
    at: { '30m': silent },
  },
  {
    alert: 'MCOServerOpen',
    name: 'tells the modes that ask for no token',
    series: {
      'mcs_access_mode_info{mode="warn",instance="a"}': '1x90',
      'mcs_access_mode_info{mode="token",instance="b"}': '1x90',
    },
    at: {
      '59m': silent,
      '61m': [
        {
          severity: 'info',
          labels: { mode: 'warn' },
          says: 'The config server runs in mode warn: whoever reaches it gets a config. Give the pointers tokens (mco token create), then start it with mode token.',
        },
      ],
    },
  },
  {
    alert: 'MCOServerDown',
    name: 'fires a quarter of an hour after the last sign, not over a restart',
    series: { mcs_tls_cert_not_after_seconds: '9x10 _x8 9x20 _x40' },
    at: {
      '18m': silent,
      '30m': silent,
      '56m': [
        {
          severity: 'warning',
          says: 'No config server is seen for more than ten minutes: no machine can join. Running nodes go on.',
        },
      ],
    },
  },
  {
    alert: 'MCOControllerDown',
    name: 'fires a quarter of an hour after the last sign, not over a restart',
    series: { 'mco_controller_info{version="1"}': '1x10 _x8 1x20 _x40' },
    at: { '18m': silent, '30m': silent, '56m': [{ severity: 'critical', says: down }] },
  },
  {
    alert: 'MCOControllerDown',
    name: 'fires where there never was one',
    series: {},
    at: { '9m': silent, '11m': [{ severity: 'critical', says: down }] },
  },
  {
    alert: 'MCOControllerDeaf',
    name: 'fires when the watches of a kind fail on, not for three failures',
    series: {
      'mco_watch_failures_total{kind="Node",reason="403"}': '0+2x40',
      'mco_watch_failures_total{kind="Pod",reason="410"}': '0 1 2 3x40',
    },
    at: {
      '8m': silent,
      '30m': [
        {
          severity: 'warning',
          labels: { kind: 'Node' },
          says: 'The controllers failed 30 times in 15 minutes to watch Node: what they know of it is old. Permissions, or an API server in trouble.',
        },
      ],
    },
  },
  {
    alert: 'MCOControllerFailing',
    name: 'fires for an error of our own, not for conflicts and retries',
    series: {
      'mco_reconciles_total{controller="drain",result="bug"}': '0x5 0+1x30',
      'mco_reconciles_total{controller="rollout",result="conflict"}': '0+3x40',
    },
    at: {
      '6m': silent,
      '30m': [
        {
          severity: 'warning',
          labels: { controller: 'drain', result: 'bug' },
          says: 'Controller drain ended 15 passes in 15 minutes with an error of its own. Its log has the stack; please report it.',
        },
      ],
    },
  },
]
