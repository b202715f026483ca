import { Node } from '../api/core.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { ConditionStatus } from '../api/meta.ts'
import { machineConfigNodeCondition as condition, nodeAnnotation, nodeReasonMaxLength } from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { EventRecorder, EventType } from '../kube/events.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import type { PhaseReport, PhaseState } from '../rollout/machineConfigNode.ts'
import { PendingWrites } from '../rollout/pendingWrites.ts'
import { writePhases } from '../rollout/writePhases.ts'
import type { ClusterView } from './clusterView.ts'

/** How one daemon speaks: annotations on its Node, phases on its MachineConfigNode, events, log. */
export interface NodeReport {
  /** The Node with what this daemon has written, also before the watch brings it back. */
  node(): Node | undefined
  /** Writes only what differs, after the phases told before; null removes. */
  annotate(changes: Readonly<Record<string, string | null>>): Promise<void>
  /** To be written with the next annotations, or when told to be shown: for what nobody waits for. */
  annotateLater(changes: Readonly<Record<string, string | null>>): void
  /**
   * A phase only shows what happens: nothing waits for it or fails with it. Phases that follow each other at once share one
   * write, made before the next annotation or by `show`. What could not be written is told by the next `show`.
   */
  phase(report: PhaseReport): void
  /** Of work that goes on: shown at once when the last one is a second ago, else left out. Never waited for. */
  progress(report: PhaseReport): void
  /** Writes what was told and not written yet: before work that takes time, and before waiting. */
  show(): Promise<void>
  /** Whether a write failed and is to be made again by `show`. */
  owes(): boolean
  event(type: EventType, reason: string, message: string): void
  /** On the pool that the node belongs to. */
  poolEvent(type: EventType, reason: string, message: string): void
}

export interface NodeReportPorts {
  readonly nodeName: string
  readonly kube: KubeApi
  readonly cluster: ClusterView
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  readonly featureGates: ReadonlySet<string>
}

export function nodeReport({ nodeName, kube, cluster, clock, events, log, featureGates }: NodeReportPorts): NodeReport {
  const pending = new PendingWrites<Node>()
  const pendingPhases = new PendingWrites<MachineConfigNode>()
  const never = new AbortController().signal
  let untold: PhaseReport[] = []
  let later: Record<string, string | null> = {}
  let telling: Promise<void> = Promise.resolve()
  let toldAtMs = 0
  let hasFailed = false
  const current = (): Node | undefined => {
    const cached = cluster.node(nodeName)
    return cached && pending.newest(cached)
  }
  return {
    node: current,
    async annotate(changes) {
      const known = current()?.metadata.annotations ?? {}
      const wanted = Object.entries({ ...later, ...changes })
      const differing = wanted.filter(([key, value]) => (known[key] ?? null) !== value)
      if (differing.length === 0) return
      // After a failure they wait for `show`: an API server that is away is not asked twice each time.
      if (!hasFailed) await tellPhases()
      const body = { metadata: { annotations: Object.fromEntries(differing) } }
      pending.record(await kube.patch(Node, { name: nodeName }, { type: 'merge', body }))
      later = {}
    },
    annotateLater(changes) {
      later = { ...later, ...changes }
    },
    phase(report) {
      untold.push(report)
    },
    progress(report) {
      // Set back or not, the clock must not silence it for long.
      if (Math.abs(clock.now().getTime() - toldAtMs) < progressEveryMs) return
      untold.push(report)
      // A failure is logged there; one write ends before the next begins.
      void tellPhases()
    },
    async show() {
      await tellPhases()
      await this.annotate({})
    },
    owes: () => hasFailed,
    event(type, reason, message) {
      const node = current()
      if (node) events.event(node, type, reason, message)
    },
    poolEvent(type, reason, message) {
      const node = current()
      const { pool } = node ? cluster.poolOf(node) : {}
      if (pool) events.event(pool, type, reason, message)
    },
  }

  function tellPhases(): Promise<void> {
    toldAtMs = clock.now().getTime()
    telling = telling.then(tellNow)
    return telling
  }

  async function tellNow(): Promise<void> {
    if (untold.length === 0) return
    const reports = untold
    untold = []
    hasFailed = false
    try {
      await write(reports)
    } catch (error) {
      // What the API server will never accept must not keep the reports after it from being told.
      hasFailed = !isRefused(error)
      if (hasFailed) untold = latest([...reports, ...untold])
      log.warn('could not report phases on the MachineConfigNode', {
        node: nodeName,
        phases: reports.map(({ parent }) => parent.state),
        error: messageOf(error),
      })
    }
  }

  async function write(reports: readonly PhaseReport[]): Promise<void> {
    const node = current()
    // A machine that joins has no current config yet, and the object's status cannot be without one.
    if (!node?.metadata.annotations?.[nodeAnnotation.currentConfig]) return
    const cached = cluster.machineConfigNode(nodeName)
    const stored = cached && pendingPhases.newest(cached)
    const target = { node, pool: cluster.poolOf(node).name, featureGates, ...(stored && { stored }) }
    const written = await writePhases(kube, target, reports, clock.now(), never)
    if (written) pendingPhases.record(written)
  }
}

const progressEveryMs = 1_000

const isRefused = (error: unknown): boolean => error instanceof ApiError && [400, 413, 422].includes(error.status)

/** An API server that is away for a day is told the latest: the last report of a phase that went on, and the last updates. */
function latest(reports: readonly PhaseReport[]): PhaseReport[] {
  const isLast = ({ parent, child }: PhaseReport, next: PhaseReport | undefined): boolean =>
    parent.state !== next?.parent.state || child?.state !== next.child?.state
  return reports.filter((report, index) => isLast(report, reports[index + 1])).slice(-maxUntold)
}

const maxUntold = 50

/** Cut at the length that the readers of the annotation expect. */
export const reasonText = (message: string): string => message.slice(0, nodeReasonMaxLength)

function phaseState(state: string, status: ConditionStatus, message: string, reason = state): PhaseState {
  return { state, status, reason, message }
}

/** The sentences of the phases (spec: daemon 13.1). */
export const phases = {
  needsUpdate: (node: string): PhaseReport => ({
    parent: phaseState(condition.updated, 'False', `Node ${node} needs an update`),
  }),
  updated: (node: string, irreconcilableChanges?: PhaseReport['irreconcilableChanges']): PhaseReport => ({
    parent: phaseState(condition.updated, 'True', `Node ${node} Updated`),
    ...(irreconcilableChanges && { irreconcilableChanges }),
  }),
  prepared: (actions: readonly string[], drain: boolean): PhaseReport => ({
    parent: phaseState(
      condition.updatePrepared,
      'True',
      `Update Compatible. Post Cfg Actions: [${actions.join(' ')}] Drain Required: ${drain}`,
    ),
  }),
  incompatible: (message: string): PhaseReport => ({
    parent: phaseState(condition.updatePrepared, 'Unknown', `Update Failed compatibility validation. ${message}`),
  }),
  drainNotNeeded: (): PhaseReport =>
    inExecution(
      'Unknown',
      phaseState(condition.drained, 'False', 'Node Drain Not required for this update.', 'UpdateExecutedDrained'),
      'Node Drain Not required for this update.',
    ),
  /** The original's sentences, and with the first what is planned or done by now. */
  applying: (os: boolean, keys: boolean, detail: string): PhaseReport =>
    inExecution(
      'Unknown',
      phaseState(
        condition.appliedFilesAndOs,
        'Unknown',
        `Applying files and new OS config to node. OS will${not(os)} need an update. SSH Keys will${not(keys)} need an update`,
        'UpdateExecutedAppliedFilesAndOS',
      ),
      cut(`Updating the Files and OS on disk as a part of the in progress phase. ${detail}`),
    ),
  applied: (os: boolean, keys: boolean): PhaseReport =>
    inExecution(
      'True',
      phaseState(
        condition.appliedFilesAndOs,
        'True',
        `Applied files and new OS config to node. OS did${not(os)} need an update. SSH Keys did${not(keys)} need an update`,
        'UpdateExecutedAppliedFilesAndOS',
      ),
      'Updated the Files and OS on disk as a part of the in progress phase',
    ),
  actionsDone: (message: string, reason: string): PhaseReport => ({
    parent: phaseState(condition.updatePostActionComplete, 'True', message, reason),
  }),
  rebooting: (): PhaseReport => ({
    parent: phaseState(condition.rebootedNode, 'Unknown', 'Upgrade requires a reboot.'),
  }),
  rebooted: (): PhaseReport => ({ parent: phaseState(condition.rebootedNode, 'True', 'Node has rebooted') }),
  resumed: (config: string): PhaseReport => ({
    parent: phaseState(
      condition.resumed,
      'True',
      `In desired config ${config}. Resumed normal operations. Applying proper annotations.`,
    ),
  }),
  degraded: (node: string, message: string): PhaseReport => ({
    parent: phaseState(condition.nodeDegraded, 'True', cut(`Node ${node} upgrade failure. ${message}`)),
  }),
  healthy: (node: string): PhaseReport => ({
    parent: phaseState(condition.nodeDegraded, 'False', `Node ${node} upgrade succeeded`),
  }),
} as const

const inExecution = (status: ConditionStatus, child: PhaseState, message: string): PhaseReport => ({
  parent: phaseState(condition.updateExecuted, status, message, child.reason),
  child,
})

const not = (yes: boolean): string => (yes ? '' : ' not')
/** The limit of a condition's message in the API. */
const cut = (message: string): string => message.slice(0, 32_768)

export const isDegradedState = (annotations: Readonly<Record<string, string>>): boolean =>
  ['Degraded', 'Unreconcilable'].includes(annotations[nodeAnnotation.state] ?? '')
