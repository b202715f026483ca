import { eventReason, forceFilePath, nodeAnnotation, nodeState } from '../api/names.ts'
import { effectivePolicies } from '../forecast/effectivePolicies.ts'
import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'
import type { PhaseReport } from '../rollout/machineConfigNode.ts'
import { emptyConfigName } from './change.ts'
import type { ClusterView } from './clusterView.ts'
import type { ConfigSource } from './configSource.ts'
import type { DaemonMetrics, DegradeWord } from './daemonMetrics.ts'
import { type DiskRecord, readDiskRecord, retireInitialAnnotations } from './diskRecord.ts'
import { type DrainPorts, type Grant, giveBackNode, obtainGrant } from './drainGrant.ts'
import { drainRequestedAnnotation } from './drainStep.ts'
import type { DriftMode } from './driftMode.ts'
import { DriftMonitor } from './driftMonitor.ts'
import { DriftResponse } from './driftResponse.ts'
import { finishActions } from './finishActions.ts'
import { completeFirstBoot } from './firstBoot.ts'
import { irreconcilableChanges } from './installedConfig.ts'
import type { Journal, JournalState } from './journal.ts'
import { emptyLoadedConfig, type LoadedConfig, UnusableConfig, withImage } from './loadConfig.ts'
import { isDegradedState, type NodeReport, phases, reasonText } from './nodeReport.ts'
import {
  type ConfigTarget,
  decideNodeSync,
  drainRequestFor,
  isPaced,
  retryCapMs,
  sameTarget,
  uncordonRequestFor,
} from './nodeSync.ts'
import { describeAction, needsReboot } from './postConfigActions.ts'
import { type PreparedUpdate, prepareUpdate } from './prepareUpdate.ts'
import { planText, progressText } from './progressText.ts'
import { recover, type ServicesAfterUndo } from './recover.ts'
import { repeatAfterUndo } from './repeatAfterUndo.ts'
import { SigtermProtection } from './sigtermProtection.ts'
import type { Step } from './step.ts'
import { applyPlan, commit, type Progress, TransactionFailed } from './transaction.ts'
import { changedUnits } from './unitSteps.ts'

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

type Ready = Extract<PreparedUpdate, { kind: 'ready' }>

const retryBaseMs = 60_000
const driftRetryMs = 60_000
const rebootLimitMs = 10 * 60_000

/**
 * Carries out what `decideNodeSync` says, one step per call: observe, decide, act. Each call answers when to look again
 * at the latest; undefined waits for a change. Whatever ends a call half way, the next one finds its way from the
 * annotations, the disk and the journal; memory only paces retries. Long, because the steps of one node share that memory.
 */
export class NodeWork {
  readonly #ports: NodeWorkPorts
  readonly #drains: DrainPorts
  readonly #drift: DriftMonitor
  readonly #driftResponse: DriftResponse
  readonly #sigterm: SigtermProtection
  /** True from the start, and while an update is under way. */
  #journalMayBeOpen = true
  #failed: { readonly target: ConfigTarget; readonly attempts: number; readonly retryAt: Date } | undefined
  /** Asked for by this process and not seen yet: asking twice would fail. */
  #reboot: { readonly requestedIn: string; readonly until: Date } | undefined
  #reportedIdle = ''
  #firstBootDone = false

  constructor(ports: NodeWorkPorts) {
    this.#ports = ports
    const { nodeName, report, clock, watchDrift } = ports
    this.#drains = { nodeName, report, clock, degrade: (message) => this.degrade(message, 'DrainTimeout') }
    this.#sigterm = new SigtermProtection(report)
    this.#drift = new DriftMonitor({ ...ports, watches: watchDrift, onEvent: report.event })
    this.#driftResponse = new DriftResponse({
      ...ports,
      monitor: this.#drift,
      degrade: (message) => this.degrade(message, 'ConfigDrift'),
    })
  }

  close(): void {
    this.#drift.close()
  }

  /** The process shall end; an update that is under way is brought to its end first. */
  stopping(): void {
    this.#sigterm.asked()
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
    this.#acknowledgeReboot()
    if (await this.#firstBootLeft()) return this.#now()
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
        return this.#awaitDrain()
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
  async degrade(message: string, word: DegradeWord = 'SyncFailed'): Promise<void> {
    const { report, nodeName, log, metrics, clock } = this.#ports
    const state = word === 'Unreconcilable' ? nodeState.unreconcilable : nodeState.degraded
    metrics.state(state, word, clock.now())
    const reason = reasonText(message)
    const { [nodeAnnotation.state]: known, [nodeAnnotation.reason]: knownReason } = this.#annotations()
    if (known !== state || knownReason !== reason) log.error('node degraded', { node: nodeName, state, reason })
    this.#reportedIdle = ''
    await report.annotate({ [nodeAnnotation.state]: state, [nodeAnnotation.reason]: reason })
    report.phase(phases.degraded(nodeName, message))
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
        await this.#repeatServices(recovered.from, recovered.services)
        // The same update again ends with a boot by itself.
        return recovered.needsBoot && this.#annotations()[nodeAnnotation.desiredConfig] !== recovered.to
          ? this.#bootAgain(recovered.from)
          : 'clean'
      case 'committed':
        this.#journalMayBeOpen = false
        log.info('an update was completed by a boot', {
          node: nodeName,
          to: recovered.to,
          rebooted: recovered.rebooted,
        })
        return 'clean'
      case 'undoFailed':
        await this.degrade(`error rolling back: [${recovered.errors.join(', ')}]`, 'RollbackFailed')
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

  /** On a machine where no unit has ended the installation before us. Answers true when a reboot is to come first. */
  async #firstBootLeft(): Promise<boolean> {
    if (this.#firstBootDone) return false
    const { host, journal, log, nodeName } = this.#ports
    const outcome = await completeFirstBoot(host, journal)
    if (outcome.kind === 'refused') throw new UnusableConfig(`${outcome.config}: ${outcome.message}`)
    if (outcome.kind === 'failed') throw new Error(outcome.message)
    if (outcome.kind === 'complete')
      log.info('the installation was completed', {
        node: nodeName,
        config: outcome.config,
        reboot: outcome.rebootNeeded,
      })
    this.#firstBootDone = true
    this.#journalMayBeOpen = outcome.kind === 'complete' && outcome.rebootNeeded
    return this.#journalMayBeOpen
  }

  async #repeatServices(configName: string, { actions, steps }: ServicesAfterUndo): Promise<void> {
    const { host, clock, log, nodeName } = this.#ports
    const context = {
      host,
      clock,
      configName,
      changedUnits: changedUnits(steps),
      onEvent: () => undefined,
      onLog: (message: string) => log.info(message, { node: nodeName }),
    }
    await repeatAfterUndo(context, actions)
  }

  /** An update without steps, for what follows it: the node is drained still, and the boot is seen through as any other. */
  async #bootAgain(config: string): Promise<Date | undefined> {
    const { host, journal, clock } = this.#ports
    this.#journalMayBeOpen = true
    const plan = { steps: [], contents: new Map(), refusals: [], problems: [], notes: [] }
    const id = clock.now().getTime().toString(36)
    await applyPlan({ host, journal, plan, id, from: config, to: config, actions: [{ type: 'Reboot' }] })
    const state = await journal.read()
    const { image } = await readDiskRecord(host)
    return state ? this.#finishActions(state, { config, image }) : this.#now()
  }

  async #isRebooting(): Promise<boolean> {
    const { host, clock } = this.#ports
    if (!this.#reboot) return false
    const isPending = clock.now() < this.#reboot.until && (await host.power.bootId()) === this.#reboot.requestedIn
    if (!isPending) this.#reboot = undefined
    return isPending
  }

  /** The journal has no reboot open any more, so a reboot that the annotation announces has happened. */
  #acknowledgeReboot(): void {
    if (this.#annotations()[nodeAnnotation.postConfigAction] !== nodeState.rebooting) return
    this.#ports.report.phase(phases.rebooted())
    this.#ports.report.annotateLater({ [nodeAnnotation.postConfigAction]: '' })
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
    if (this.#failed?.target.config === target && isPaced(this.#failed.retryAt, clock.now()))
      return this.#failed.retryAt
    await report.annotate({ [nodeAnnotation.desiredConfig]: target, ...this.#working() })
    const next = await this.#loaded({ config: target, image: '' }, { config: emptyConfigName, image: '' })
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

  async #awaitDrain(): Promise<Date | undefined> {
    const grant = await obtainGrant(this.#drains, this.#annotations()[nodeAnnotation.desiredDrain] ?? '')
    return grant.kind === 'granted' ? this.#now() : grant.again
  }

  async #update(from: ConfigTarget, to: ConfigTarget, disk: DiskRecord, force: boolean): Promise<Date | undefined> {
    const { report, nodeName } = this.#ports
    const old = disk.config ?? (await this.#loaded(from, from))
    const next = await this.#loaded(to, from)
    if (!old || !next) return this.#failed?.retryAt
    if (
      !force &&
      from.config !== emptyConfigName &&
      (await this.#driftResponse.isBlocked(old, eventReason.preflightConfigDriftCheckFailed))
    )
      return this.#in(driftRetryMs)
    const prepared = await this.#prepare(old, next, force)
    if (!prepared) return this.#failed?.retryAt
    const { change } = prepared
    report.phase(phases.needsUpdate(nodeName))
    report.phase(phases.prepared(change.actions.map(describeAction), change.drain))
    const grant = await this.#drained(to, change.drain)
    if (grant.kind === 'waiting') return grant.again
    await report.annotate(this.#working())
    return this.#apply(from, to, prepared, change.actions, force)
  }

  /** Asks for the drain where one is needed. */
  async #drained({ config }: ConfigTarget, drain: boolean): Promise<Grant> {
    const { report } = this.#ports
    if (!drain) {
      report.phase(phases.drainNotNeeded())
      return { kind: 'granted' }
    }
    if (this.#annotations()[nodeAnnotation.controlPlaneTopology] === 'SingleReplica') {
      report.event('Normal', eventReason.drain, 'Drain not required, skipping')
      return { kind: 'granted' }
    }
    return obtainGrant(this.#drains, drainRequestFor(config), this.#working())
  }

  async #apply(
    from: ConfigTarget,
    to: ConfigTarget,
    { plan, change }: Ready,
    actions: Ready['change']['actions'],
    force = false,
  ): Promise<Date | undefined> {
    const { host, journal, report, log, nodeName, clock, metrics, onProgress } = this.#ports
    this.#drift.stop()
    const os = change.diff.osUpdate || change.diff.kargs || change.diff.kernelType || change.diff.extensions
    const applying = (detail: string): PhaseReport => phases.applying(os, change.diff.passwd, detail)
    report.phase(applying(planText(plan.steps)))
    await report.show()
    log.info('node update started', {
      node: nodeName,
      from: from.config,
      to: to.config,
      steps: plan.steps.length,
      actions: actions.map(describeAction),
    })
    for (const note of plan.notes) log.info('left out of an update', { node: nodeName, note })
    this.#journalMayBeOpen = true
    this.#sigterm.add()
    try {
      await applyPlan({
        host,
        journal,
        plan,
        id: clock.now().getTime().toString(36),
        from: from.config,
        to: to.config,
        actions,
        onProgress: (progress) => {
          report.progress(applying(progressText(progress)))
          onProgress?.(progress)
        },
      })
      if (plan.steps.some(isImageSwitch)) metrics.imageSwitch('done')
      if (force) await host.files.remove(forceFilePath)
      report.phase(phases.applied(os, change.diff.passwd))
      const state = await journal.read()
      return state ? await this.#finishActions(state, to) : this.#now()
    } catch (error) {
      if (!(error instanceof TransactionFailed)) throw error
      if (error.step && isImageSwitch(error.step)) metrics.imageSwitch('failed')
      return this.#fail(from, to, error.message, error.undoErrors.length === 0)
    } finally {
      this.#sigterm.remove()
    }
  }

  /** Services, or the reboot; also for an update that an earlier process left with everything on disk. */
  async #finishActions(state: JournalState, to: ConfigTarget): Promise<Date | undefined> {
    // The shutdown ends this process first.
    if (needsReboot(state.header.actions)) this.#sigterm.remove()
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
    const config = disk.config ?? (await this.#loaded(target, target))
    if (!config) return this.#failed?.retryAt
    if (await this.#driftResponse.isBlocked(config, eventReason.onDiskStateValidationFailed))
      return this.#in(driftRetryMs)
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
    report.phase(phases.resumed(target.config))
    const grant = await obtainGrant(this.#drains, uncordonRequestFor(target.config))
    if (grant.kind === 'waiting') return grant.again
    await this.#reportDone(target)
    this.#ports.log.info('node update finished', { node: nodeName, config: target.config })
    return this.#now()
  }

  async #reportDone({ config, image }: ConfigTarget): Promise<void> {
    const { report, nodeName, metrics, clock } = this.#ports
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
    report.phase(phases.healthy(nodeName))
    metrics.state(nodeState.done, '', clock.now())
    metrics.updateState(config, '', clock.now())
  }

  async #idle(target: ConfigTarget, disk: DiskRecord): Promise<Date | undefined> {
    const { report, nodeName, cluster, metrics, clock } = this.#ports
    if (disk.config && !this.#drift.isQuiet(disk.config.view.name)) {
      if (await this.#driftResponse.isBlocked(disk.config, eventReason.configDriftDetected))
        return this.#in(driftRetryMs)
    }
    const shown = cluster.machineConfigNode(nodeName)
    const isBlank = shown !== undefined && (shown.status?.conditions ?? []).length === 0
    if (this.#reportedIdle !== target.config || isBlank) {
      report.phase(phases.updated(nodeName, disk.config && (await irreconcilableChanges(this.#ports, disk.config))))
      metrics.state(nodeState.done, '', clock.now())
      this.#reportedIdle = target.config
    }
    return undefined
  }

  /** Back at the old config where the undo succeeded: the node takes pods again and follows any new target. */
  async #fail(from: ConfigTarget, to: ConfigTarget, message: string, undone: boolean): Promise<Date | undefined> {
    this.#journalMayBeOpen = !undone
    const word = undone ? 'UpdateFailed' : 'RollbackFailed'
    this.#ports.metrics.updateState(to.config, word, this.#now())
    await this.degrade(message, word)
    if (undone) await giveBackNode(this.#drains, from.config)
    return this.#paceRetry(to)
  }

  async #refuse(
    from: ConfigTarget,
    to: ConfigTarget,
    message: string,
    word: 'UpdateFailed' | 'Unreconcilable',
  ): Promise<void> {
    const { report } = this.#ports
    if (word === 'Unreconcilable' && this.#annotations()[nodeAnnotation.reason] !== reasonText(message))
      report.event('Warning', eventReason.failedToReconcile, message)
    report.phase(phases.incompatible(message))
    await this.degrade(message, word)
    await giveBackNode(this.#drains, from.config)
    this.#paceRetry(to)
  }

  #paceRetry(target: ConfigTarget): Date {
    const attempts = this.#failed && sameTarget(this.#failed.target, target) ? this.#failed.attempts + 1 : 1
    const retryAt = this.#in(Math.min(retryBaseMs * 2 ** (attempts - 1), retryCapMs))
    this.#failed = { target, attempts, retryAt }
    return retryAt
  }

  async #prepare(old: LoadedConfig, next: LoadedConfig, force: boolean): Promise<Ready | undefined> {
    const { host, cluster, report, sshUser, authorizedKeysFile } = this.#ports
    const node = report.node()
    const { policies, problem: policyProblem } = node
      ? cluster.policies(node)
      : effectivePolicies({ settings: undefined })
    const overrides = cluster.overrides()
    const options = { policies, policyProblem, overrides, force, sshUser, authorizedKeysFile }
    const prepared = await prepareUpdate(host, old, next, options)
    if (prepared.kind === 'ready') return prepared
    const word = prepared.kind === 'unreconcilable' ? 'Unreconcilable' : 'UpdateFailed'
    await this.#refuse(targetOf(old), targetOf(next), prepared.message, word)
    return undefined
  }

  async #loaded(target: ConfigTarget, from: ConfigTarget): Promise<LoadedConfig | undefined> {
    try {
      return withImage(await this.#ports.configs.load(target.config), target.image)
    } catch (error) {
      if (!(error instanceof UnusableConfig)) throw error
      await this.#refuse(from, target, messageOf(error), 'Unreconcilable')
      return undefined
    }
  }

  /** A node that failed stays visibly so until it succeeds. */
  #working(): Readonly<Record<string, string>> {
    if (isDegradedState(this.#annotations())) return {}
    this.#ports.metrics.state(nodeState.working, '', this.#now())
    return { [nodeAnnotation.state]: nodeState.working }
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

const isImageSwitch = ({ kind }: Step): boolean => kind === 'setOsImage'

const targetOf = ({ view }: LoadedConfig): ConfigTarget => ({ config: view.name, image: view.layeredImage ?? '' })
