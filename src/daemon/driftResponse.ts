import { eventReason, nodeAnnotation } from '../api/names.ts'
import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import type { Log } from '../kube/log.ts'
import { emptyConfigName } from './change.ts'
import type { ClusterView } from './clusterView.ts'
import type { DaemonMetrics } from './daemonMetrics.ts'
import { type Drift, driftReason } from './drift.ts'
import { acceptedDriftAnnotation, type DriftMode, driftModeOf } from './driftMode.ts'
import type { DriftMonitor } from './driftMonitor.ts'
import type { Journal } from './journal.ts'
import type { LoadedConfig } from './loadConfig.ts'
import { type NodeReport, reasonText } from './nodeReport.ts'
import { repairDrift } from './repairDrift.ts'

export interface DriftResponsePorts {
  readonly nodeName: string
  readonly host: Host
  readonly clock: Clock
  readonly log: Log
  readonly cluster: ClusterView
  readonly report: NodeReport
  readonly journal: Journal
  readonly monitor: DriftMonitor
  readonly sshUser: string
  readonly authorizedKeysFile: string
  readonly driftMode: DriftMode
  readonly metrics: DaemonMetrics
  readonly degrade: (message: string) => Promise<void>
}

/** Who repairs the same disk this often in this time fights against another program, and must say so. */
const maxRepairs = 5
const repairWindowMs = 10 * 60_000

/** Answers drift as the pool's mode says. */
export class DriftResponse {
  readonly #ports: DriftResponsePorts
  #repairs: readonly number[] = []

  constructor(ports: DriftResponsePorts) {
    this.#ports = ports
  }

  /** Compares, watches from then on, and does what the mode says. True: the node is Degraded and nothing may go on. */
  async isBlocked(config: LoadedConfig, eventWord: string): Promise<boolean> {
    const { name } = config.view
    if (name === emptyConfigName) return false
    const drift = await this.#ports.monitor.look(config, name)
    if (drift.length === 0) {
      this.#ports.metrics.configDrift(undefined)
      await this.#forgetAccepted()
      return false
    }
    const mode = this.#mode()
    switch (mode) {
      case 'accept':
        await this.#accept(config, drift)
        return false
      case 'repair':
        await this.#forgetAccepted()
        return this.#repair(config, drift, eventWord)
      case 'degrade':
        await this.#forgetAccepted()
        return this.#degrade(reasonOf(config, drift), eventWord)
      default:
        return mode satisfies never
    }
  }

  #mode(): DriftMode {
    const { report, cluster, driftMode } = this.#ports
    const node = report.node()
    return node ? driftModeOf(cluster.poolOf(node).driftMode, driftMode) : driftMode
  }

  async #degrade(reason: string, eventWord: string): Promise<true> {
    const { report, degrade, metrics, clock } = this.#ports
    metrics.configDrift(clock.now())
    if (report.node()?.metadata.annotations?.[nodeAnnotation.reason] !== reasonText(reason))
      report.event('Warning', eventWord, reason)
    await degrade(reason)
    return true
  }

  async #repair(config: LoadedConfig, drift: readonly Drift[], eventWord: string): Promise<boolean> {
    const { host, journal, clock, log, report, cluster, monitor, nodeName, metrics, sshUser, authorizedKeysFile } =
      this.#ports
    const reason = reasonOf(config, drift)
    const node = report.node()
    if (!node) return true
    const nowMs = clock.now().getTime()
    this.#repairs = this.#repairs.filter((atMs) => Math.abs(nowMs - atMs) < repairWindowMs)
    if (this.#repairs.length >= maxRepairs)
      return this.#degrade(
        `${reason}; repaired ${maxRepairs} times in ${repairWindowMs / 60_000} minutes and changed again each time: find the program on this host that writes it, and stop it`,
        eventWord,
      )
    this.#repairs = [...this.#repairs, nowMs]
    // Its own writes must not wake it; the look below watches again.
    monitor.close()
    const outcome = await repairDrift(
      {
        host,
        journal,
        policies: cluster.policies(node).policies,
        id: nowMs.toString(36),
        clock,
        sshUser,
        authorizedKeysFile,
        onEvent: report.event,
        onLog: (message) => log.info(message, { node: nodeName }),
      },
      config,
      drift,
    )
    if (outcome.kind === 'failed') return this.#degrade(outcome.message, eventWord)
    const left = await monitor.look(config, config.view.name)
    if (left.length > 0) return this.#degrade(`${reasonOf(config, left)}; this needs a reboot of the node`, eventWord)
    const paths = drift.map(({ path }) => path)
    metrics.configDrift(undefined)
    report.event('Warning', eventReason.configDriftRepaired, `repaired ${paths.join(', ')}: ${reason}`)
    log.warn('drift repaired', { node: nodeName, config: config.view.name, paths })
    return false
  }

  async #accept(config: LoadedConfig, drift: readonly Drift[]): Promise<void> {
    const { report, log, nodeName } = this.#ports
    const reason = reasonText(drift.map(({ message }) => message).join('; '))
    if (report.node()?.metadata.annotations?.[acceptedDriftAnnotation] === reason) return
    report.event('Warning', eventReason.configDriftAccepted, reasonOf(config, drift))
    log.warn('drift accepted', { node: nodeName, config: config.view.name, paths: drift.map(({ path }) => path) })
    await report.annotate({ [acceptedDriftAnnotation]: reason })
  }

  async #forgetAccepted(): Promise<void> {
    const { report } = this.#ports
    if (report.node()?.metadata.annotations?.[acceptedDriftAnnotation] !== undefined)
      await report.annotate({ [acceptedDriftAnnotation]: null })
  }
}

const reasonOf = ({ view }: LoadedConfig, drift: readonly Drift[]): string =>
  driftReason(view.layeredImage ?? view.name, drift)
