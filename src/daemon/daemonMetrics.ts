import type { NodeState } from '../api/names.ts'
import type { BundleName } from '../certificates/bundles/bundleCatalogue.ts'
import type { OsIdentity } from '../host/host.ts'
import { type MetricFamily, type MetricLabels, metricsText } from '../kube/metricsText.ts'

/** A stable word for why a node is not Done; the sentence is in the annotation. */
export type DegradeWord =
  | 'ConfigDrift'
  | 'DrainTimeout'
  | 'UpdateFailed'
  | 'Unreconcilable'
  | 'RollbackFailed'
  | 'SyncFailed'

/** What a daemon counts, as a port. Times are given in, so that the series can be compared in tests. */
export interface DaemonMetrics {
  hostIs(os: OsIdentity): void
  /** Unix time of the last change of state; the earlier state's series is dropped. */
  state(state: NodeState, word: DegradeWord | '', at: Date): void
  updateState(config: string, word: DegradeWord | '', at: Date): void
  /** Failures in a row to have the next boot run another OS image. */
  imageSwitch(outcome: 'done' | 'failed'): void
  rebootFailed(): void
  /** Undefined: the disk is as it should be. */
  configDrift(at: Date | undefined): void
  kubelet(consecutiveFailures: number): void
  /** Packages that somebody layered by hand, which no config knows. */
  foreignPackages(node: string, count: number): void
  /** A bundle was written outside of an update. */
  certificateDelivered(bundle: BundleName, paused: boolean): void
}

export const noDaemonMetrics: DaemonMetrics = {
  hostIs: () => undefined,
  state: () => undefined,
  updateState: () => undefined,
  imageSwitch: () => undefined,
  rebootFailed: () => undefined,
  configDrift: () => undefined,
  kubelet: () => undefined,
  foreignPackages: () => undefined,
  certificateDelivered: () => undefined,
}

export interface DaemonMetricsPage extends DaemonMetrics {
  /** The Prometheus text format. */
  render(): string
}

const family = (type: 'gauge' | 'counter', help: string, ...labels: readonly string[]): MetricFamily => ({
  type,
  help,
  labels,
})

/** The original's names, so that its alerts and dashboards work. Error texts are no labels: they would never end. */
export const daemonFamilies = {
  mcd_host_os_and_version: family('gauge', 'Operating system of this host.', 'os', 'version'),
  mcd_state: family('gauge', 'Unix time at which the node came into this state.', 'state', 'reason'),
  mcd_update_state: family('gauge', 'Unix time of the last update to this config, and how it failed.', 'config', 'err'),
  mcd_pivot_errors_total: family('gauge', 'Failures in a row to switch the OS image.'),
  mcd_reboots_failed_total: family('counter', 'Reboots that the system refused.'),
  mcd_kubelet_state: family('gauge', 'Failures of the kubelet health check in a row.'),
  mcd_config_drift: family('gauge', 'Unix time at which drift was found, 0 without drift.'),
  mcd_local_unsupported_packages: family('gauge', 'Packages layered by hand, which no config knows.', 'node'),
  mco_certificate_deliveries_total: family(
    'counter',
    'Certificate bundles written to this host outside of updates, by bundle and whether its pool was paused.',
    'bundle',
    'paused',
  ),
} as const satisfies Readonly<Record<string, MetricFamily>>

export function daemonMetricsPage(): DaemonMetricsPage {
  const series = new Map<string, { readonly labels: MetricLabels; readonly value: number }>()
  const deliveries = new Map<string, { readonly labels: MetricLabels; readonly value: number }>()
  let rebootsFailed = 0
  let switchesFailed = 0
  const set = (name: string, value: number, labels: MetricLabels = {}): void => {
    series.set(name, { labels, value })
  }
  for (const name of ['mcd_pivot_errors_total', 'mcd_reboots_failed_total', 'mcd_kubelet_state', 'mcd_config_drift'])
    set(name, 0)
  return {
    hostIs: ({ id, versionId }) => set('mcd_host_os_and_version', 1, { os: id.toUpperCase(), version: versionId }),
    state(state, reason, at) {
      const known = series.get('mcd_state')?.labels
      if (known?.state !== state || known.reason !== reason) set('mcd_state', unixTime(at), { state, reason })
    },
    updateState: (config, err, at) => set('mcd_update_state', unixTime(at), { config, err }),
    imageSwitch(outcome) {
      switchesFailed = outcome === 'failed' ? switchesFailed + 1 : 0
      set('mcd_pivot_errors_total', switchesFailed)
    },
    rebootFailed() {
      rebootsFailed += 1
      set('mcd_reboots_failed_total', rebootsFailed)
    },
    configDrift(at) {
      const known = series.get('mcd_config_drift')?.value ?? 0
      set('mcd_config_drift', at ? known || unixTime(at) : 0)
    },
    kubelet: (failures) => set('mcd_kubelet_state', failures),
    foreignPackages: (node, count) => set('mcd_local_unsupported_packages', count, { node }),
    certificateDelivered(bundle, paused) {
      const labels = { bundle, paused: String(paused) }
      const id = `mco_certificate_deliveries_total ${bundle} ${paused}`
      deliveries.set(id, { labels, value: (deliveries.get(id)?.value ?? 0) + 1 })
    },
    render: () =>
      metricsText(daemonFamilies, [
        ...[...series].map(([name, { labels, value }]) => ({ name, labels, value })),
        ...[...deliveries.values()].map((delivery) => ({ name: 'mco_certificate_deliveries_total', ...delivery })),
      ]),
  }
}

const unixTime = (at: Date): number => Math.floor(at.getTime() / 1000)
