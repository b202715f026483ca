import type { Host } from '../host/host.ts'
import { backOffMs, type Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf, Retryable } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { sharedSignal } from '../kube/sharedSignal.ts'
import type { ClusterView } from './clusterView.ts'
import { type ConfigSource, MissingConfig } from './configSource.ts'
import { type DaemonMetrics, noDaemonMetrics } from './daemonMetrics.ts'
import type { DriftMode } from './driftMode.ts'
import { openJournal } from './journal.ts'
import { nodeReport } from './nodeReport.ts'
import { NodeWork } from './nodeWork.ts'
import { defaultSshUser } from './plan.ts'
import type { Progress } from './transaction.ts'
import { wakeUp } from './wakeUp.ts'

export interface NodeDaemonOptions {
  readonly nodeName: string
  readonly kube: KubeApi
  readonly host: Host
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  readonly random: Random
  /** May serve many daemons of one process. */
  readonly cluster: ClusterView
  readonly configs: ConfigSource
  readonly featureGates?: ReadonlySet<string>
  /**
   * What to do with a host that no config was ever applied to. `adopt`: it may have workloads, so it waits for its turn
   * in the rollout. `join`: it is new, so its pool's config is applied at once.
   */
  readonly firstContact?: 'adopt' | 'join'
  /** False saves the watches of a large simulated fleet; the disk is then compared only before and after updates. */
  readonly watchDrift?: boolean
  /** Where the pool's annotation does not say another. */
  readonly driftMode?: DriftMode
  readonly sshUser?: string
  readonly authorizedKeysFile?: string
  readonly metrics?: DaemonMetrics
  readonly health?: LoopHealth
  readonly onProgress?: (progress: Progress) => void
}

/** Hears when the daemon begins to look at its node and when it has ended, however it ended. */
export interface LoopHealth {
  started(): void
  ended(): void
}

export interface NodeDaemon {
  /** Runs until the signal aborts. An update in progress is brought to its end first. */
  run(signal: AbortSignal): Promise<void>
}

const retry = { baseMs: 1_000, capMs: 60_000 }

/** Brings one host to the config that its Node asks for, and tells how it went. */
export function nodeDaemon(options: NodeDaemonOptions): NodeDaemon {
  const { nodeName, kube, host, clock, events, log, random, cluster, configs } = options
  const { featureGates = new Set<string>(), firstContact = 'adopt', watchDrift = true, driftMode = 'degrade' } = options
  const { sshUser = defaultSshUser, authorizedKeysFile = host.authorizedKeysFile, onProgress } = options
  const { metrics = noDaemonMetrics, health } = options
  return {
    async run(signal) {
      const bell = wakeUp(clock)
      const report = nodeReport({ nodeName, kube, cluster, clock, events, log, featureGates })
      const work = new NodeWork({
        nodeName,
        host,
        clock,
        log,
        cluster,
        configs,
        report,
        firstContact,
        watchDrift,
        driftMode,
        sshUser,
        authorizedKeysFile,
        metrics,
        onProgress,
        journal: openJournal(host.files),
        wake: () => bell.ring(),
      })
      const unsubscribe = cluster.subscribe(nodeName, () => bell.ring())
      // Once for the whole run: a fleet's daemons share the signal, and each listener more makes adding one slower.
      const onAbort = () => {
        work.stopping()
        bell.ring()
      }
      sharedSignal(signal).addEventListener('abort', onAbort, { once: true })
      let attempt = 0
      const telling: { attempt: number; at?: Date } = { attempt: 0 }
      try {
        await cluster.ready(signal).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
        while (!signal.aborted) {
          let again: Date | undefined
          health?.started()
          try {
            again = await work.sync()
            if (signal.aborted || !again || again > clock.now()) await report.show()
            attempt = 0
            again = earlier(again, tellAgain())
          } catch (error) {
            attempt += 1
            again = later(backOffMs(attempt, retry, random))
            // Whoever ends the daemon may have ended what runs for it too: that says nothing of the node, and the next start looks again.
            if (signal.aborted) log.warn('a sync ended with the daemon', { node: nodeName, error: messageOf(error) })
            else await tell(error, attempt)
          }
          health?.ended()
          if (!signal.aborted) await bell.wait(again)
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        unsubscribe()
        work.close()
      }

      /** When to try again what could not be told; syncs before that try too, and are not counted. */
      function tellAgain(): Date | undefined {
        if (!report.owes()) {
          telling.attempt = 0
          delete telling.at
        } else if (!telling.at || telling.at <= clock.now()) {
          telling.attempt += 1
          telling.at = later(backOffMs(telling.attempt, retry, random))
        }
        return telling.at
      }

      function later(ms: number): Date {
        return new Date(clock.now().getTime() + ms)
      }

      /** An API server that is away is waited for; anything else must be seen on the Node. */
      async function tell(error: unknown, failures: number): Promise<void> {
        const isAway = error instanceof ApiError || error instanceof Retryable
        const say = isAway ? log.warn : log.error
        say.call(log, 'node sync failed', {
          node: nodeName,
          attempt: failures,
          error: messageOf(error),
          ...(isAway ? {} : { stack: error instanceof Error ? error.stack : undefined }),
        })
        if (isAway && failures < (error instanceof MissingConfig ? 2 : 5)) return
        try {
          await work.degrade(messageOf(error))
          await report.show()
        } catch (failure) {
          log.warn('could not report a failed sync on the Node', { node: nodeName, error: messageOf(failure) })
        }
      }
    },
  }
}

const earlier = (a: Date | undefined, b: Date | undefined): Date | undefined => (a && b ? (a < b ? a : b) : (a ?? b))
