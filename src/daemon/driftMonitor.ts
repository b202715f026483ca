import { eventReason, forceFilePath } from '../api/names.ts'
import { type Host, HostError } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import type { EventType } from '../kube/events.ts'
import type { Log } from '../kube/log.ts'
import { checkDisk, nearestDirectories, watchedDirectories } from './checkDisk.ts'
import type { Drift } from './drift.ts'
import { type DriftWatcher, watchForDrift } from './driftWatcher.ts'
import { parentOf } from './hostPaths.ts'
import type { LoadedConfig } from './loadConfig.ts'

export interface DriftMonitorPorts {
  readonly nodeName: string
  readonly host: Host
  readonly clock: Clock
  readonly log: Log
  /** False: the disk is compared only when somebody asks. */
  readonly watches: boolean
  readonly sshUser: string
  readonly authorizedKeysFile: string
  /** Paths that the daemon delivers ahead of configs. */
  readonly delivered: () => ReadonlySet<string>
  /** The disk may have changed: ask `look` again. */
  readonly wake: () => void
  readonly onEvent: (type: EventType, reason: string, message: string) => void
}

/** Limits on inotify instances, watches or files. */
const noMoreWatches: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])
/** A directory that changes all the time may cost this share of one core in comparisons: one part in twenty. */
const restShare = 20
const longestRestMs = 10_000
/** Many programs write there; only the force file matters, and it is asked for while a node is degraded. */
const forceDirectory = parentOf(forceFilePath)

/** Compares the disk with one config, and watches from the first look on, so that no change falls between two looks. */
export class DriftMonitor {
  readonly #ports: DriftMonitorPorts
  #watcher: DriftWatcher | undefined
  /** What the running watch, or the last one, is about. */
  #target = ''
  #isSuspicious = true
  #restUntil = 0

  constructor(ports: DriftMonitorPorts) {
    this.#ports = ports
  }

  /** Nothing has happened since the last look at this very config. */
  isQuiet(target: string): boolean {
    return this.#target === target && !this.#isSuspicious
  }

  async look(config: LoadedConfig, target: string): Promise<readonly Drift[]> {
    const { host, clock, sshUser, authorizedKeysFile, delivered } = this.#ports
    this.#isSuspicious = false
    await this.#watch(config, target)
    const startMs = clock.now().getTime()
    const drift = await checkDisk(host, config.view, { sshUser, authorizedKeysFile, delivered: delivered() })
    const endMs = clock.now().getTime()
    this.#restUntil = endMs + Math.min((endMs - startMs) * restShare, longestRestMs)
    // What differs is looked at until it is put right.
    if (drift.length > 0) this.#isSuspicious = true
    return drift
  }

  /** Before an update changes the disk. */
  stop(): void {
    if (this.#target !== '')
      this.#ports.onEvent('Normal', eventReason.configDriftMonitorStopped, 'Config Drift Monitor stopped')
    this.#target = ''
    this.close()
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    this.#isSuspicious = true
  }

  async #watch(config: LoadedConfig, target: string): Promise<void> {
    const { host, watches, sshUser, authorizedKeysFile, onEvent } = this.#ports
    const isNew = this.#target !== target
    this.#target = target
    if (!watches || (this.#watcher && !isNew)) return
    this.#watcher?.close()
    this.#watcher = await this.#open(await watchedDirectories(host, config.view, { sshUser, authorizedKeysFile }))
    if (isNew)
      onEvent(
        'Normal',
        eventReason.configDriftMonitorStarted,
        `Config Drift Monitor started, watching against ${target}`,
      )
  }

  async #open(managed: readonly string[]): Promise<DriftWatcher> {
    const { host, clock, log, nodeName } = this.#ports
    const directories = await nearestDirectories(host, [...managed, forceDirectory])
    const options = {
      files: host.files,
      clock,
      onChange: () => this.#onChange(),
      isWorthALook: async (directory: string) =>
        directory !== forceDirectory ||
        managed.includes(forceDirectory) ||
        (await host.files.status(forceFilePath)) !== undefined,
      // A clock that was set back must not make it a long one.
      pauseMs: () => Math.min(this.#restUntil - clock.now().getTime(), longestRestMs),
    }
    try {
      return await watchForDrift({ ...options, directories })
    } catch (error) {
      if (!(error instanceof HostError) || !noMoreWatches.has(error.code)) throw error
      const because = { node: nodeName, error: error.message }
      log.warn('the system has no watches left, drift is only looked for now and then', because)
      return watchForDrift({ ...options, directories: [] })
    }
  }

  #onChange(): void {
    // Opened anew at the next look: a directory that was replaced has lost its watch.
    this.close()
    this.#ports.wake()
  }
}
