import { eventReason, nodeAnnotation, nodeState } from '../api/names.ts'
import { type Host, HostError } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'
import { emptyConfigName } from './change.ts'
import { checkDisk, watchedDirectories } from './checkDisk.ts'
import type { ClusterView } from './clusterView.ts'
import type { ConfigSource } from './configSource.ts'
import { type DiskRecord, readDiskRecord, retireInitialAnnotations } from './diskRecord.ts'
import { drainRequestedAnnotation, drainStep, drainTimeoutMs, uncordonTimeoutMs } from './drainStep.ts'
import { type Drift, driftReason } from './drift.ts'
import { type DriftWatcher, watchForDrift } from './driftWatcher.ts'
import { finishActions } from './finishActions.ts'
import { forceFilePath } from './hostPaths.ts'
import type { Journal, JournalState } from './journal.ts'
import { emptyLoadedConfig, type LoadedConfig, UnusableConfig, withImage } from './loadConfig.ts'
import { isDegradedState, type NodeReport, phases, reasonText } from './nodeReport.ts'
import { type ConfigTarget, decideNodeSync, drainRequestFor, sameTarget, uncordonRequestFor } from './nodeSync.ts'
import { describeAction } from './postConfigActions.ts'
import { type PreparedUpdate, prepareUpdate } from './prepareUpdate.ts'
import { recover } from './recover.ts'
import { applyPlan, commit, type Progress, TransactionFailed } from './transaction.ts'

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
  readonly sshUser: string
  readonly authorizedKeysFile: string
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly wake: () => void
}

type Ready = Extract<PreparedUpdate, { kind: 'ready' }>

const retryBaseMs = 60_000
const retryCapMs = 30 * 60_000
const driftRetryMs = 60_000
/** Limits on inotify instances, watches or files. */
const noMoreWatches: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])
const rebootLimitMs = 10 * 60_000

/**
 * Carries out what `decideNodeSync` says, one step per call: observe, decide, act. Each call answers when to look again
 * at the latest; undefined waits for a change. Whatever ends a call half way, the next one finds its way from the
 * annotations, the disk and the journal; memory only paces retries.
 */
export class NodeWork {
  readonly #ports: NodeWorkPorts
  /** True from the start, and while an update is under way. */
  #journalMayBeOpen = true
  #failed: { readonly target: ConfigTarget; readonly attempts: number; readonly retryAt: Date } | undefined
  #watcher: { readonly of: ConfigTarget; readonly handle: DriftWatcher } | undefined
  /** Asked for by this process and not seen yet: asking twice would fail. */
  #reboot: { readonly requestedIn: string; readonly until: Date } | undefined
  #suspectsDrift = true
  #reportedIdle = ''

  constructor(ports: NodeWorkPorts) {
    this.#ports = ports
  }

  close(): void {
    this.#watcher?.handle.close()
    this.#watcher = undefined
  }

  async sync(): Promise<Date | undefined> {
    const { report, host, clock } = this.#ports
    const node = report.node()
    if (!node) return undefined
    if (await this.#isRebooting()) return this.#reboot?.until
    if (this.#journalMayBeOpen) {
      const again = await this.#recover()
      if (again !== 'clean') return again
    }
    await this.#acknowledgeReboot()
    const disk = await readDiskRecord(host)
    const decision = decideNodeSync({
      annotations: this.#annotations(),
      deleting: node.metadata.deletionTimestamp !== undefined,
      diskConfig: disk.config?.view.name,
      diskImage: disk.image,
      initialAnnotations: disk.initialAnnotations,
      forceFile: disk.forceFile,
      failed: this.#failed,
      now: clock.now(),
    })
    switch (decision.kind) {
      case 'ignore':
        return undefined
      case 'introduce':
        await report.annotate({
          [nodeAnnotation.desiredConfig]: decision.annotations[nodeAnnotation.currentConfig] ?? null,
          ...decision.annotations,
        })
        await retireInitialAnnotations(host)
        return this.#now()
      case 'firstContact':
        return this.#firstContact(node)
      case 'awaitDrain':
        return this.#awaitDrain(decision.target)
      case 'awaitRetry':
        return decision.until
      case 'update':
        return this.#update(decision.from, decision.to, disk, decision.force)
      case 'finish':
        return this.#finish(decision.target, disk)
      case 'idle':
        return this.#idle(decision.target, disk)
      default:
        return decision satisfies never
    }
  }

  /** A person should look; the reason replaces an older one. */
  async degrade(message: string, state: 'Degraded' | 'Unreconcilable' = nodeState.degraded): Promise<void> {
    const { report, nodeName, log } = this.#ports
    const reason = reasonText(message)
    const { [nodeAnnotation.state]: known, [nodeAnnotation.reason]: knownReason } = this.#annotations()
    if (known !== state || knownReason !== reason) log.error('node degraded', { node: nodeName, state, reason })
    this.#reportedIdle = ''
    await report.annotate({ [nodeAnnotation.state]: state, [nodeAnnotation.reason]: reason })
    await report.phase(phases.degraded(nodeName, message))
  }

  async #recover(): Promise<Date | undefined | 'clean'> {
    const { host, journal, log, nodeName, onProgress } = this.#ports
    const recovered = await recover(host, journal, onProgress)
    switch (recovered.kind) {
      case 'clean':
        this.#journalMayBeOpen = false
        return 'clean'
      case 'undone':
        this.#journalMayBeOpen = false
        log.warn('an interrupted update was undone', {
          node: nodeName,
          from: recovered.from,
          to: recovered.to,
          because: recovered.because,
        })
        return 'clean'
      case 'committed':
        this.#journalMayBeOpen = false
        log.info('an update was completed by a boot', {
          node: nodeName,
          to: recovered.to,
          rebooted: recovered.rebooted,
        })
        return 'clean'
      case 'undoFailed':
        await this.degrade(`error rolling back: [${recovered.errors.join(', ')}]`)
        return this.#in(driftRetryMs)
      case 'actionsLeft':
        return this.#finishActions(recovered.state, {
          config: recovered.state.header.to,
          image: (await readDiskRecord(host)).image,
        })
      default:
        return recovered satisfies never
    }
  }

  async #isRebooting(): Promise<boolean> {
    const { host, clock } = this.#ports
    if (!this.#reboot) return false
    const isPending = clock.now() < this.#reboot.until && (await host.power.bootId()) === this.#reboot.requestedIn
    if (!isPending) this.#reboot = undefined
    return isPending
  }

  /** The journal has no reboot open any more, so a reboot that the annotation announces has happened. */
  async #acknowledgeReboot(): Promise<void> {
    if (this.#annotations()[nodeAnnotation.postConfigAction] !== nodeState.rebooting) return
    await this.#ports.report.phase(phases.rebooted())
    await this.#ports.report.annotate({ [nodeAnnotation.postConfigAction]: '' })
  }

  async #firstContact(node: Parameters<ClusterView['poolOf']>[0]): Promise<Date | undefined> {
    const { report, firstContact, cluster, clock, log, nodeName } = this.#ports
    if (firstContact === 'adopt') {
      log.info('first contact: no config is on this host yet', { node: nodeName })
      const annotations = {
        [nodeAnnotation.currentConfig]: emptyConfigName,
        [nodeAnnotation.desiredConfig]: emptyConfigName,
      }
      await report.annotate({ ...annotations, [nodeAnnotation.state]: nodeState.done, [nodeAnnotation.reason]: '' })
      return undefined
    }
    const { target } = cluster.poolOf(node)
    if (!target) return undefined
    if (this.#failed?.target.config === target && clock.now() < this.#failed.retryAt) return this.#failed.retryAt
    await report.annotate({ [nodeAnnotation.desiredConfig]: target, ...this.#working() })
    const next = await this.#loaded({ config: target, image: '' })
    const prepared = next && (await this.#prepare(emptyLoadedConfig, next, false))
    if (!prepared) return undefined
    // A new machine has no pods to move and no service that knew the old config; only what the kernel or the image
    // decides needs a boot.
    const bootSteps: readonly string[] = ['setKernelArguments', 'setOsImage', 'setKernelType', 'setExtensions']
    const reboots = prepared.plan.steps.some((step) => bootSteps.includes(step.kind))
    return this.#apply(
      { config: emptyConfigName, image: '' },
      { config: target, image: '' },
      prepared,
      reboots ? [{ type: 'Reboot' }] : [],
    )
  }

  async #awaitDrain(target: ConfigTarget): Promise<Date | undefined> {
    const annotations = this.#annotations()
    const request = annotations[nodeAnnotation.desiredDrain] ?? ''
    const isDrain = request === drainRequestFor(target.config)
    const step = drainStep(annotations, request, isDrain ? drainTimeoutMs : uncordonTimeoutMs, this.#ports.clock.now())
    switch (step.kind) {
      case 'wait':
        return step.until
      case 'request':
        // The request is there, its time is not: an older daemon made it.
        await this.#ports.report.annotate({ [drainRequestedAnnotation]: this.#ports.clock.now().toISOString() })
        return this.#now()
      case 'overdue':
        await (isDrain ? this.#drainOverdue() : this.#uncordonOverdue())
        return undefined
      case 'granted':
        return this.#now()
      default:
        return step satisfies never
    }
  }

  async #update(from: ConfigTarget, to: ConfigTarget, disk: DiskRecord, force: boolean): Promise<Date | undefined> {
    const { report, nodeName } = this.#ports
    const old = disk.config ?? (await this.#loaded(from))
    const next = await this.#loaded(to)
    if (!old || !next) return this.#failed?.retryAt
    if (
      !force &&
      from.config !== emptyConfigName &&
      (await this.#hasDrift(old, to, eventReason.preflightConfigDriftCheckFailed))
    )
      return this.#in(driftRetryMs)
    const prepared = await this.#prepare(old, next, force)
    if (!prepared) return this.#failed?.retryAt
    const { change } = prepared
    await report.phase(phases.needsUpdate(nodeName))
    await report.phase(phases.prepared(change.actions.map(describeAction), change.drain))
    if (!(await this.#hasDrained(to, change.drain))) {
      const waiting = drainStep(
        this.#annotations(),
        drainRequestFor(to.config),
        drainTimeoutMs,
        this.#ports.clock.now(),
      )
      return waiting.kind === 'wait' ? waiting.until : this.#now()
    }
    await report.annotate(this.#working())
    return this.#apply(from, to, prepared, change.actions, force)
  }

  /** Asks for the drain where one is needed; true when the update may go on now. */
  async #hasDrained(to: ConfigTarget, drain: boolean): Promise<boolean> {
    const { report, clock } = this.#ports
    if (!drain) {
      await report.phase(phases.drainNotNeeded())
      return true
    }
    const annotations = this.#annotations()
    if (annotations[nodeAnnotation.controlPlaneTopology] === 'SingleReplica') {
      report.event('Normal', eventReason.drain, 'Drain not required, skipping')
      return true
    }
    const value = drainRequestFor(to.config)
    const step = drainStep(annotations, value, drainTimeoutMs, clock.now())
    if (step.kind === 'granted') return true
    if (step.kind === 'request') {
      report.event('Normal', eventReason.cordon, 'Cordoned node to apply update')
      report.event('Normal', eventReason.drain, 'Draining node to update config.')
      await report.annotate({
        ...this.#working(),
        [nodeAnnotation.desiredDrain]: value,
        [drainRequestedAnnotation]: clock.now().toISOString(),
      })
    }
    return false
  }

  async #apply(
    from: ConfigTarget,
    to: ConfigTarget,
    { plan, change }: Ready,
    actions: Ready['change']['actions'],
    force = false,
  ): Promise<Date | undefined> {
    const { host, journal, report, log, nodeName, clock, onProgress } = this.#ports
    this.#stopWatching()
    const os = change.diff.osUpdate || change.diff.kargs || change.diff.kernelType || change.diff.extensions
    await report.phase(phases.applying(os, change.diff.passwd))
    log.info('node update started', {
      node: nodeName,
      from: from.config,
      to: to.config,
      steps: plan.steps.length,
      actions: actions.map(describeAction),
    })
    for (const note of plan.notes) log.info('left out of an update', { node: nodeName, note })
    this.#journalMayBeOpen = true
    try {
      await applyPlan({
        host,
        journal,
        plan,
        id: clock.now().getTime().toString(36),
        from: from.config,
        to: to.config,
        actions,
        onProgress,
      })
    } catch (error) {
      if (!(error instanceof TransactionFailed)) throw error
      return this.#fail(from, to, error.message, error.undoErrors.length === 0)
    }
    if (force) await host.files.remove(forceFilePath)
    await report.phase(phases.applied(os, change.diff.passwd))
    const state = await journal.read()
    return state ? this.#finishActions(state, to) : this.#now()
  }

  /** Services, or the reboot; also for an update that an earlier process left with everything on disk. */
  async #finishActions(state: JournalState, to: ConfigTarget): Promise<Date | undefined> {
    const outcome = await finishActions(this.#ports, state)
    switch (outcome.kind) {
      case 'done':
        this.#journalMayBeOpen = false
        return this.#now()
      case 'rebooted':
        return this.#now()
      case 'rebooting':
        // The machine ends this process. If it does not, the request is made again.
        this.#reboot = { requestedIn: await this.#ports.host.power.bootId(), until: this.#in(rebootLimitMs) }
        return this.#reboot.until
      case 'failed':
        return this.#fail({ config: state.header.from, image: '' }, to, outcome.message, outcome.undone)
      default:
        return outcome satisfies never
    }
  }

  async #finish(target: ConfigTarget, disk: DiskRecord): Promise<Date | undefined> {
    const { host, journal, report, clock, nodeName } = this.#ports
    const config = disk.config ?? (await this.#loaded(target))
    if (!config) return this.#failed?.retryAt
    if (await this.#hasDrift(config, target, eventReason.onDiskStateValidationFailed)) return this.#in(driftRetryMs)
    if (!disk.config && config.view.name !== emptyConfigName) {
      const prepared = await this.#prepare(config, config, false)
      if (!prepared) return this.#failed?.retryAt
      this.#journalMayBeOpen = true
      await applyPlan({
        host,
        journal,
        plan: prepared.plan,
        id: clock.now().getTime().toString(36),
        from: target.config,
        to: target.config,
        actions: [],
      })
      await commit(host, journal)
      this.#journalMayBeOpen = false
    }
    await report.phase(phases.resumed(target.config))
    const value = uncordonRequestFor(target.config)
    const step = drainStep(this.#annotations(), value, uncordonTimeoutMs, clock.now())
    switch (step.kind) {
      case 'request':
        await report.annotate({
          [nodeAnnotation.desiredDrain]: value,
          [drainRequestedAnnotation]: clock.now().toISOString(),
        })
        return this.#in(uncordonTimeoutMs)
      case 'wait':
        return step.until
      case 'overdue':
        await this.#uncordonOverdue()
        return undefined
      case 'granted':
        break
      default:
        return step satisfies never
    }
    await this.#reportDone(target)
    this.#ports.log.info('node update finished', { node: nodeName, config: target.config })
    return this.#now()
  }

  async #reportDone({ config, image }: ConfigTarget): Promise<void> {
    const { report, nodeName } = this.#ports
    report.event('Normal', eventReason.uncordon, `Update completed for config ${config} and node has been uncordoned`)
    report.event('Normal', eventReason.nodeDone, `Setting node ${nodeName}, currentConfig ${config} to Done`)
    this.#failed = undefined
    await report.annotate({
      [nodeAnnotation.currentConfig]: config,
      [nodeAnnotation.state]: nodeState.done,
      [nodeAnnotation.reason]: '',
      [nodeAnnotation.currentImage]: image || null,
      ...(image === '' ? { [nodeAnnotation.desiredImage]: null } : {}),
      [drainRequestedAnnotation]: null,
    })
    await report.phase(phases.healthy(nodeName))
  }

  async #idle(target: ConfigTarget, disk: DiskRecord): Promise<Date | undefined> {
    const { report, nodeName } = this.#ports
    if (disk.config && (this.#suspectsDrift || !this.#isWatching(target))) {
      if (await this.#hasDrift(disk.config, target, eventReason.configDriftDetected)) return this.#in(driftRetryMs)
      this.#suspectsDrift = false
    }
    if (this.#reportedIdle !== target.config) {
      await report.phase(phases.updated(nodeName))
      this.#reportedIdle = target.config
    }
    return undefined
  }

  /** Compares and watches from then on; drift is reported before this returns. */
  async #hasDrift(config: LoadedConfig, target: ConfigTarget, reason: string): Promise<boolean> {
    const { host, report, sshUser, authorizedKeysFile } = this.#ports
    if (config.view.name === emptyConfigName) return false
    // Watching before looking: a change in between is seen by one of the two.
    await this.#watch(config, { config: config.view.name, image: target.image })
    const drift = await checkDisk(host, config.view, { sshUser, authorizedKeysFile })
    if (drift.length === 0) return false
    await this.#reportDrift(config, drift, reason, report)
    return true
  }

  async #reportDrift(
    config: LoadedConfig,
    drift: readonly Drift[],
    eventWord: string,
    report: NodeReport,
  ): Promise<void> {
    const reason = driftReason(config.view.layeredImage ?? config.view.name, drift)
    if (this.#annotations()[nodeAnnotation.reason] !== reasonText(reason)) report.event('Warning', eventWord, reason)
    await this.degrade(reason)
  }

  /** Back at the old config where the undo succeeded: the node takes pods again and follows any new target. */
  async #fail(from: ConfigTarget, to: ConfigTarget, message: string, undone: boolean): Promise<Date | undefined> {
    this.#journalMayBeOpen = !undone
    await this.degrade(message)
    if (undone) await this.#giveBack(from)
    return this.#paceRetry(to)
  }

  async #refuse(
    from: ConfigTarget,
    to: ConfigTarget,
    message: string,
    state: 'Degraded' | 'Unreconcilable',
  ): Promise<void> {
    const { report } = this.#ports
    if (state === nodeState.unreconcilable && this.#annotations()[nodeAnnotation.reason] !== reasonText(message))
      report.event('Warning', eventReason.failedToReconcile, message)
    await report.phase(phases.incompatible(message))
    await this.degrade(message, state)
    await this.#giveBack(from)
    this.#paceRetry(to)
  }

  /** Takes back a drain that we asked for. */
  async #giveBack({ config }: ConfigTarget): Promise<void> {
    const { report, clock } = this.#ports
    if (!this.#annotations()[nodeAnnotation.desiredDrain]?.startsWith('drain-')) return
    await report.annotate({
      [nodeAnnotation.desiredDrain]: uncordonRequestFor(config),
      [drainRequestedAnnotation]: clock.now().toISOString(),
    })
  }

  #paceRetry(target: ConfigTarget): Date {
    const attempts = this.#failed && sameTarget(this.#failed.target, target) ? this.#failed.attempts + 1 : 1
    const retryAt = this.#in(Math.min(retryBaseMs * 2 ** (attempts - 1), retryCapMs))
    this.#failed = { target, attempts, retryAt }
    return retryAt
  }

  async #prepare(old: LoadedConfig, next: LoadedConfig, force: boolean): Promise<Ready | undefined> {
    const { host, cluster, sshUser, authorizedKeysFile } = this.#ports
    const options = { policies: cluster.policies(), overrides: cluster.overrides(), force, sshUser, authorizedKeysFile }
    const prepared = await prepareUpdate(host, old, next, options)
    if (prepared.kind === 'ready') return prepared
    const state = prepared.kind === 'unreconcilable' ? nodeState.unreconcilable : nodeState.degraded
    await this.#refuse(targetOf(old), targetOf(next), prepared.message, state)
    return undefined
  }

  async #loaded(target: ConfigTarget): Promise<LoadedConfig | undefined> {
    try {
      return withImage(await this.#ports.configs.load(target.config), target.image)
    } catch (error) {
      if (!(error instanceof UnusableConfig)) throw error
      await this.#refuse(target, target, messageOf(error), nodeState.unreconcilable)
      return undefined
    }
  }

  async #drainOverdue(): Promise<void> {
    const { report, nodeName } = this.#ports
    const message = `failed to drain node: ${nodeName} after 1 hour. Please see machine-config-controller logs for more information`
    await this.#overdue(eventReason.failedToDrain, message, report)
  }

  async #uncordonOverdue(): Promise<void> {
    const { report, nodeName } = this.#ports
    const message = `failed to uncordon node: ${nodeName} after 10 minutes. Please see machine-config-controller logs for more information`
    await this.#overdue(eventReason.failedToUncordon, message, report)
  }

  async #overdue(reason: string, message: string, report: NodeReport): Promise<void> {
    if (this.#annotations()[nodeAnnotation.reason] !== message) report.event('Warning', reason, message)
    await this.degrade(message)
  }

  async #watch(config: LoadedConfig, target: ConfigTarget): Promise<void> {
    const { host, report, watchDrift, wake, sshUser, authorizedKeysFile } = this.#ports
    if (!watchDrift || this.#isWatching(target)) return
    this.#stopWatching()
    const directories = await watchedDirectories(host, config.view, { sshUser, authorizedKeysFile })
    const onChange = (): void => {
      this.#suspectsDrift = true
      // Opened anew at the next look: a directory that was replaced has lost its watch.
      this.#watcher?.handle.close()
      this.#watcher = undefined
      wake()
    }
    this.#watcher = { of: target, handle: await this.#openWatch(directories, onChange) }
    report.event(
      'Normal',
      eventReason.configDriftMonitorStarted,
      `Config Drift Monitor started, watching against ${target.config}`,
    )
  }

  async #openWatch(directories: readonly string[], onChange: () => void): Promise<DriftWatcher> {
    const { host, clock, log, nodeName } = this.#ports
    try {
      return await watchForDrift({ files: host.files, clock, directories, onChange })
    } catch (error) {
      if (!(error instanceof HostError) || !noMoreWatches.has(error.code)) throw error
      log.warn('the system has no watches left, drift is only looked for now and then', {
        node: nodeName,
        error: error.message,
      })
      return watchForDrift({ files: host.files, clock, directories: [], onChange })
    }
  }

  #isWatching(target: ConfigTarget): boolean {
    return !this.#ports.watchDrift || (this.#watcher !== undefined && sameTarget(this.#watcher.of, target))
  }

  #stopWatching(): void {
    if (!this.#watcher) return
    this.#watcher.handle.close()
    this.#watcher = undefined
    this.#suspectsDrift = true
    this.#ports.report.event('Normal', eventReason.configDriftMonitorStopped, 'Config Drift Monitor stopped')
  }

  /** A node that failed stays visibly so until it succeeds. */
  #working(): Readonly<Record<string, string>> {
    return isDegradedState(this.#annotations()) ? {} : { [nodeAnnotation.state]: nodeState.working }
  }

  #annotations(): Readonly<Record<string, string>> {
    return this.#ports.report.node()?.metadata.annotations ?? {}
  }

  #now(): Date {
    return this.#ports.clock.now()
  }

  #in(ms: number): Date {
    return new Date(this.#ports.clock.now().getTime() + ms)
  }
}

const targetOf = ({ view }: LoadedConfig): ConfigTarget => ({ config: view.name, image: view.layeredImage ?? '' })
