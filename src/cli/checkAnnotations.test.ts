import { describe, expect, it } from 'vitest'
import { annotationIssues } from './checkAnnotations.ts'

const pool = 'MachineConfigPool'
const settings = 'MachineConfiguration'
const policy = (path: string, type: string) => JSON.stringify({ files: [{ path, actions: [{ type }] }] })

describe('annotationIssues', () => {
  it.each<[string, string, unknown]>([
    [pool, 'drift-mode', 'repair'],
    [pool, 'drain-timeout', '30m'],
    [pool, 'reboot-limit', '20m'],
    [pool, 'drain-force-after', '2h'],
    [pool, 'node-disruption-policy', policy('/etc/a', 'None')],
    [pool, 'waiting-nodes', '{}'],
    [pool, 'drain-grace-period', '30s'],
    [pool, 'drain-skip-selector', 'app=db'],
    [pool, 'history-limit', '25'],
    [pool, 'paused-by', 'ada'],
    [pool, 'paused-at', '2026-01-31T08:00:00Z'],
    [pool, 'pause-reason', 'freeze'],
    [pool, 'pause-until', '2026-01-31T08:00:00+01:00'],
    [pool, 'pause-then', 'resume'],
    [settings, 'policy-globs', 'true'],
    ['Node', 'anything', 1],
  ])('%s may have %s: %j', (kind, name, value) => {
    expect(annotationIssues(kind, { [`machineconfig.io/${name}`]: value, 'example.com/x': 1 })).toEqual([])
  })

  it.each<[string, string, unknown, string]>([
    [pool, 'drift-mode', 'fix', 'found "fix", expected "degrade" or "repair" or "accept"'],
    [pool, 'drain-timeout', '1 hour', 'found "1 hour", expected a number above 0 and one of s, m, h, such as "30m"'],
    [pool, 'drain-force-after', '0s', 'found "0s", expected a number above 0 and one of s, m, h, such as "30m"'],
    [
      pool,
      'pause-until',
      '2026-01-31',
      'found "2026-01-31", expected a time of RFC 3339, such as "2026-01-31T08:00:00Z"',
    ],
    [pool, 'history-limit', '0', 'found "0", expected a number from 1 to 100, such as "10"'],
    [pool, 'pause-then', 'stay', 'found "stay", expected "resume"'],
    [
      pool,
      'drain-skip-selector',
      '',
      'machineconfig.io/drain-skip-selector: "" selects every pod; write a label selector such as app=database,tier in (a,b); no pod is evicted before it can be read',
    ],
    [pool, 'drain-timeout', 30, 'found 30 (number), expected a text: put it in quotes'],
    [
      pool,
      'node-disruption-policy',
      policy('/etc/a', 'Nothing'),
      'files[0].actions[0].type is "Nothing", expected one of Reboot, Drain, Reload, Restart, DaemonReload, None; expected JSON shaped as spec.nodeDisruptionPolicy of MachineConfiguration',
    ],
    [settings, 'policy-globs', 'yes', 'found "yes", expected "true" or "false"'],
    [settings, 'policy-globs', true, 'found true (boolean), expected a text: put it in quotes'],
  ])('%s %s: %j is an error that says what is expected', (kind, name, value, message) => {
    const key = `machineconfig.io/${name}`
    expect(annotationIssues(kind, { [key]: value })).toEqual([
      { severity: 'error', path: `$.metadata.annotations[${key}]`, message },
    ])
  })

  it('warns of an annotation that nothing reads', () => {
    expect(annotationIssues(settings, { 'machineconfig.io/drift-mode': 'repair' })).toEqual([
      {
        severity: 'warning',
        path: '$.metadata.annotations[machineconfig.io/drift-mode]',
        message:
          'nothing reads machineconfig.io/drift-mode on a MachineConfiguration; known are machineconfig.io/policy-globs',
      },
    ])
  })
})
