import { describe, expect, it } from 'vitest'
import { daemonMetricsPage } from './daemonMetrics.ts'

describe('daemonMetricsPage', () => {
  it('starts with what is known without a node', () => {
    expect(daemonMetricsPage().render()).toBe(
      [
        '# HELP mcd_pivot_errors_total Failures in a row to switch the OS image.',
        '# TYPE mcd_pivot_errors_total gauge',
        'mcd_pivot_errors_total 0',
        '# HELP mcd_reboots_failed_total Reboots that the system refused.',
        '# TYPE mcd_reboots_failed_total counter',
        'mcd_reboots_failed_total 0',
        '# HELP mcd_kubelet_state Failures of the kubelet health check in a row.',
        '# TYPE mcd_kubelet_state gauge',
        'mcd_kubelet_state 0',
        '# HELP mcd_config_drift Unix time at which drift was found, 0 without drift.',
        '# TYPE mcd_config_drift gauge',
        'mcd_config_drift 0',
        '',
      ].join('\n'),
    )
  })

  it('keeps one series of each, with the latest labels', () => {
    const page = daemonMetricsPage()
    page.hostIs({ id: 'debian', variantId: '', versionId: '12', like: [], imageBased: false })
    page.state('Working', '', new Date(1_000_999))
    page.state('Degraded', 'ConfigDrift', new Date(2_000_000))
    page.updateState('rendered-"1"', '', new Date(3_000_000))
    page.imageSwitch('failed')
    page.imageSwitch('failed')
    page.foreignPackages('node-1', 2)
    page.rebootFailed()
    page.rebootFailed()
    page.configDrift(new Date(2_000_000))
    page.kubelet(3)
    expect(
      page
        .render()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    ).toEqual([
      'mcd_host_os_and_version{os="DEBIAN",version="12"} 1',
      'mcd_state{state="Degraded",reason="ConfigDrift"} 2000',
      'mcd_update_state{config="rendered-\\"1\\"",err=""} 3000',
      'mcd_pivot_errors_total 2',
      'mcd_reboots_failed_total 2',
      'mcd_kubelet_state 3',
      'mcd_config_drift 2000',
      'mcd_local_unsupported_packages{node="node-1"} 2',
    ])
    page.imageSwitch('done')
    expect(page.render()).toContain('mcd_pivot_errors_total 0\n')
    page.configDrift(undefined)
    expect(page.render()).toContain('mcd_config_drift 0\n')
  })
})
