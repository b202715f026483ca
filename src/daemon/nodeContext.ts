import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import type { Log } from '../kube/log.ts'
import type { ClusterView } from './clusterView.ts'
import type { ConfigSource } from './configSource.ts'
import type { DaemonMetrics } from './daemonMetrics.ts'
import type { DrainPorts } from './drainGrant.ts'
import type { DriftMode } from './driftMode.ts'
import type { DriftMonitor } from './driftMonitor.ts'
import type { DriftResponse } from './driftResponse.ts'
import type { Journal } from './journal.ts'
import type { NodeReport } from './nodeReport.ts'
import type { ConfigTarget } from './nodeSync.ts'
import type { SigtermProtection } from './sigtermProtection.ts'
import type { Progress } from './transaction.ts'

/** What the work on one node reaches the world through. */
export interface NodeWorkPorts {
  readonly nodeName: string
  readonly host: Host
  readonly clock: Clock
  readonly log: Log
  readonly cluster: ClusterView
  readonly configs: ConfigSource
  readonly report: NodeReport
  readonly journal: Journal
  readonly firstContact: 'adopt' | 'join'
  readonly watchDrift: boolean
  readonly driftMode: DriftMode
  readonly sshUser: string
  readonly authorizedKeysFile: string
  readonly metrics: DaemonMetrics
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly wake: () => void
}

/** What this process knows and the next one finds out again: it only saves looks and paces retries. */
export interface NodeMemory {
  /** True from the start, and while an update is under way. */
  journalMayBeOpen: boolean
  failed: { readonly target: ConfigTarget; readonly attempts: number; readonly retryAt: Date } | undefined
  /** Asked for by this process and not seen yet: asking twice would fail. */
  reboot: { readonly requestedIn: string; readonly until: Date } | undefined
  /** The config that this node was last reported idle at. */
  reportedIdle: string
  firstBootDone: boolean
  /** The version of the ControllerConfig whose certificates this process has seen on the disk. */
  certificatesAt: string
}

export const newNodeMemory = (): NodeMemory => ({
  journalMayBeOpen: true,
  failed: undefined,
  reboot: undefined,
  reportedIdle: '',
  firstBootDone: false,
  certificatesAt: '',
})

export interface NodeCore {
  readonly ports: NodeWorkPorts
  readonly memory: NodeMemory
}

/** Handed to every step of the work on one node. */
export interface NodeContext extends NodeCore {
  readonly drains: DrainPorts
  readonly drift: DriftMonitor
  readonly driftResponse: DriftResponse
  readonly sigterm: SigtermProtection
}

/** How long a disk that a person must put right is left alone. */
export const driftRetryMs = 60_000

export const annotationsOf = ({ ports }: NodeCore): Readonly<Record<string, string>> =>
  ports.report.node()?.metadata.annotations ?? {}

export const laterBy = ({ ports }: NodeCore, ms: number): Date => new Date(ports.clock.now().getTime() + ms)

/** Names an update in the journal and in its temporary files. */
export const newUpdateId = ({ ports }: NodeCore): string => ports.clock.now().getTime().toString(36)
