import { DaemonSet } from '../api/apps.ts'
import { Node, Pod } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { eventReason, nodeAnnotation, notYetSet } from '../api/names.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled } from '../kube/controller.ts'
import { messageOf, Terminal } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import type { PhaseReport } from '../rollout/machineConfigNode.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { PendingWrites } from '../rollout/pendingWrites.ts'
import { ownershipOf } from '../rollout/primaryPool.ts'
import { writePhases } from '../rollout/writePhases.ts'
import { classifyPod } from './classifyPod.ts'
import { type DrainProgress, type DrainSnapshot, decideDrain, uidOf } from './decideDrain.ts'
import { drainBlockersAnnotation, drainRequestAnnotation, drainStartedAnnotation } from './drainAnnotations.ts'
import { blockersText, budgetsOf, describeBlockers, type Refusal } from './drainBlockers.ts'
import { type DrainMetrics, noDrainMetrics } from './drainMetrics.ts'
import {
  blockedPhase,
  cordonedPhase,
  drainedPhase,
  drainingPhase,
  uncordonedPhase,
  uncordonFailedPhase,
} from './drainPhases.ts'
import { drainPolicyOf } from './drainPolicy.ts'
import { drainWatches, podsByNodeIndex } from './drainWatches.ts'
import { deletePods, evictPods } from './evictPods.ts'
import { hostViews } from './hostViews.ts'

export interface DrainPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  readonly metrics?: DrainMetrics
  readonly featureGates?: () => ReadonlySet<string>
}

/** What one node's drain has told already. Losing it repeats an event, nothing else. */
interface Told {
  request: string
  blockers: string
  slowAttempt: number
  isOverdue: boolean
  readonly refusals: Map<string, Refusal>
}

const fieldManager = 'drain'
const holdRetryMs = 10_000
const noGates: ReadonlySet<string> = new Set()

/**
 * Cordons, drains and uncordons nodes as their daemons ask by annotation. It writes the cordon, the answer, and who
 * blocks. The cache must have the indices of `drainIndices`. Long: each step of a drain that `decideDrain` can name has its
 * effect here, and they share what is written and not seen yet.
 */
export function drainController(ports: DrainPorts): Controller {
  const { cache, kube, clock, events, log, metrics = noDrainMetrics, featureGates = () => noGates } = ports
  const pending = new PendingWrites<Node>()
  const told = new Map<string, Told>()

  return { name: 'drain', watches: drainWatches(cache), coalesceMs: 20, workers: 5, reconcile }

  async function reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const cached = cache.get(Node, { name: key })
    if (!cached) return forget(key)
    let node = pending.newest(cached)
    // A cordon is followed by the drain at once; no request needs more steps than that.
    for (let steps = 0; steps < 2; steps++) {
      const step = decideDrain(snapshotOf(node), clock.now())
      switch (step.kind) {
        case 'idle':
          told.delete(key)
          return settled
        case 'invalid':
          throw new Terminal('UnknownDrainRequest', step.message)
        case 'uncordon':
          return uncordon(node, step.request, signal)
        case 'cordon':
          node = await cordon(node, step.request, step.startedAt, signal)
          break
        case 'acknowledge':
          return acknowledge(node, step.request, signal)
        case 'held':
          return hold(node, step.request, step.message)
        case 'drain':
          return drain(node, step, signal)
        default:
          return step satisfies never
      }
    }
    return again(clock.now())
  }

  function forget(name: string): Outcome {
    pending.forget(name)
    told.delete(name)
    return settled
  }

  function snapshotOf(node: Node): DrainSnapshot {
    const name = node.metadata.name ?? ''
    const policy = drainPolicyOf(poolOf(node)?.metadata.annotations)
    return {
      node: nodeToView(node),
      pods: cache.byIndex(Pod, podsByNodeIndex.name, name),
      budgets: cache.list(PodDisruptionBudget),
      daemonSetExists: (namespace, owner) => cache.get(DaemonSet, { namespace, name: owner }) !== undefined,
      hosts: () => hostViews(cache.list(Node), (host) => cache.byIndex(Pod, podsByNodeIndex.name, host)),
      refusals: told.get(name)?.refusals ?? new Map(),
      policy,
    }
  }

  /** The primary pool; a node of two custom pools has none and is drained and uncordoned all the same. */
  function poolOf(node: Node): MachineConfigPool | undefined {
    const ownership = ownershipOf(nodeToView(node), cache.list(MachineConfigPool))
    return ownership.kind === 'owned' ? ownership.primary : undefined
  }

  async function cordon(node: Node, request: string, startedAt: string, signal: AbortSignal): Promise<Node> {
    const annotations = { [drainStartedAnnotation]: startedAt, [drainRequestAnnotation]: request }
    const cordoned = await patch(node, { metadata: { annotations }, spec: { unschedulable: true } }, signal)
    log.info('node cordoned', { node: node.metadata.name, request })
    const pool = poolOf(node)
    for (const problem of drainPolicyOf(pool?.metadata.annotations).problems) {
      events.event(pool ?? node, 'Warning', 'InvalidDrainPolicy', problem)
    }
    await report(cordoned, cordonedPhase(), signal)
    return cordoned
  }

  /** Told once; a corrected annotation wakes no drain, so it is read again soon. */
  function hold(node: Node, request: string, message: string): Outcome {
    const memory = memoryOf(node.metadata.name ?? '', request)
    if (memory.blockers !== message) events.event(node, 'Warning', 'DrainHeld', message)
    memory.blockers = message
    return again(new Date(clock.now().getTime() + holdRetryMs))
  }

  async function drain(node: Node, step: DrainProgress, signal: AbortSignal): Promise<Outcome> {
    const name = node.metadata.name ?? ''
    const memory = memoryOf(name, step.request)
    const nowMs = clock.now().getTime()
    await report(node, drainingPhase(drainers(node)), signal)
    for (const pod of [...step.evict, ...step.force]) memory.refusals.delete(uidOf(pod))
    const { gracePeriodSeconds } = drainPolicyOf(poolOf(node)?.metadata.annotations)
    const removal = { nowMs, signal, ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) }
    const refused = await evictPods(step.evict, kube, removal)
    const undeleted = await deletePods(step.force, kube, removal)
    const budgets = cache.list(PodDisruptionBudget)
    for (const pod of [...step.evict, ...step.force]) {
      const refusal = refused.get(uidOf(pod)) ?? undeleted.get(uidOf(pod))
      if (refusal) memory.refusals.set(uidOf(pod), { ...refusal, budgetCount: budgetsOf(pod, budgets).length })
    }
    metrics.evictions(step.evict.length - refused.size, refused.size)
    for (const { metadata } of step.force) {
      log.warn('a protected pod was deleted by its pool’s drain policy', {
        pod: `${metadata.namespace}/${metadata.name}`,
      })
    }
    // Once more, now with the refusals: who blocks, and when to look again.
    const after = decideDrain(snapshotOf(node), clock.now())
    if (after.kind === 'acknowledge') return acknowledge(node, step.request, signal)
    if (after.kind !== 'drain') return again(clock.now())
    await tell(node, after, memory, signal)
    return again(after.until)
  }

  function memoryOf(name: string, request: string): Told {
    const known = told.get(name)
    if (known?.request === request) return known
    const fresh: Told = { request, blockers: '', slowAttempt: 0, isOverdue: false, refusals: new Map() }
    told.set(name, fresh)
    return fresh
  }

  /** Blockers reach the Node, its MachineConfigNode and an event at the first refusal; failures when they are due. */
  async function tell(node: Node, step: DrainProgress, memory: Told, signal: AbortSignal): Promise<void> {
    const name = node.metadata.name ?? ''
    const { blockers, attempt } = step
    const text = blockersText(step.startedAt, attempt.number, blockers) ?? null
    if (text !== (node.metadata.annotations?.[drainBlockersAnnotation] ?? null)) {
      await patch(node, { metadata: { annotations: { [drainBlockersAnnotation]: text } } }, signal)
    }
    const summary = describeBlockers(blockers)
    if (blockers.length > 0) await report(node, blockedPhase(drainers(node), blockers), signal)
    const who = blockers.map(({ namespace, pod }) => `${namespace}/${pod}`).join(' ')
    if (who !== memory.blockers) {
      memory.blockers = who
      if (who !== '') {
        events.event(node, 'Warning', 'DrainBlocked', summary)
        log.info('a drain is held up', { node: name, blockers: who })
      }
    }
    if (step.isSlow && attempt.kind === 'rest' && memory.slowAttempt !== attempt.number) {
      memory.slowAttempt = attempt.number
      const message =
        'Drain failed. Drain has been failing for more than 10 minutes. Waiting 5 minutes then retrying. ' +
        `Error message from drain: ${summary}`
      events.event(node, 'Warning', eventReason.drainThresholdExceeded, message)
    }
    if (step.isOverdue && !memory.isOverdue) {
      memory.isOverdue = true
      const limit = goDuration(drainPolicyOf(poolOf(node)?.metadata.annotations).timeoutMs)
      const message = `node ${name}: drain exceeded timeout: ${limit}. Will continue to retry.`
      events.event(node, 'Warning', eventReason.drainFailed, message)
    }
  }

  /** The cache may lag behind the cordon: the API server is asked before the daemon is told to go on. */
  async function acknowledge(node: Node, request: string, signal: AbortSignal): Promise<Outcome> {
    const name = node.metadata.name ?? ''
    const live = await kube.get(Node, { name }, { signal })
    const isSame = live.metadata.annotations?.[nodeAnnotation.desiredDrain] === request
    if (!live.spec?.unschedulable || !isSame) {
      // Somebody uncordoned it, or asks for something else: that change brings us back.
      pending.record(live)
      return again(clock.now())
    }
    const { items } = await kube.list(Pod, { fieldSelector: `spec.nodeName=${name}`, signal })
    const { daemonSetExists, policy } = snapshotOf(node)
    const left = items.filter((pod) => classifyPod(pod, daemonSetExists, policy.skip).kind !== 'skip')
    // The cache will show these pods in a moment, as a change that brings us back; the time is for a lost watch.
    if (left.length > 0) return again(new Date(clock.now().getTime() + 5_000))
    const started = Date.parse(live.metadata.annotations?.[drainStartedAnnotation] ?? '')
    await answer(live, request, signal)
    await report(live, drainedPhase(request), signal)
    metrics.drained(name, Math.max(0, clock.now().getTime() - started))
    log.info('node drained', { node: name, request })
    return settled
  }

  async function uncordon(node: Node, request: string, signal: AbortSignal): Promise<Outcome> {
    try {
      const open = node.spec?.unschedulable ? await patch(node, { spec: { unschedulable: false } }, signal) : node
      await answer(open, request, signal)
    } catch (error) {
      if (!isNotFound(error)) await report(node, uncordonFailedPhase(messageOf(error)), signal)
      throw error
    }
    await report(node, uncordonedPhase(), signal)
    log.info('node uncordoned', { node: node.metadata.name, request })
    return settled
  }

  /** The answer that the daemon waits for. It also ends what belonged to the drain, finished or not. */
  async function answer(node: Node, request: string, signal: AbortSignal): Promise<void> {
    const name = node.metadata.name ?? ''
    const present = node.metadata.annotations ?? {}
    const ended = [drainStartedAnnotation, drainRequestAnnotation, drainBlockersAnnotation].filter(
      (key) => present[key] !== undefined,
    )
    const annotations = {
      [nodeAnnotation.lastAppliedDrain]: request,
      ...Object.fromEntries(ended.map((key) => [key, null])),
    }
    await patch(node, { metadata: { annotations } }, signal)
    told.delete(name)
  }

  async function patch(node: Node, body: unknown, signal: AbortSignal): Promise<Node> {
    const name = node.metadata.name ?? ''
    const written = await kube.patch(Node, { name }, { type: 'strategic', body }, { signal, fieldManager })
    pending.record(written)
    return written
  }

  /** A MachineConfigNode only shows what happens: that it could not be written must not hold up a drain. */
  async function report(node: Node, phase: PhaseReport, signal: AbortSignal): Promise<void> {
    const stored = cache.get(MachineConfigNode, { name: node.metadata.name ?? '' })
    const pool = poolOf(node)?.metadata.name ?? notYetSet
    const target = { node, pool, featureGates: featureGates(), ...(stored && { stored }) }
    try {
      await writePhases(kube, target, [phase], clock.now(), signal)
    } catch (error) {
      if (signal.aborted) throw error
      log.warn('a phase was not written to the MachineConfigNode', {
        node: node.metadata.name,
        phase: phase.parent.state,
        error: messageOf(error),
      })
    }
  }
}

const drainers = ({ metadata }: Node) => ({
  desired: metadata.annotations?.[nodeAnnotation.desiredDrain] ?? '',
  current: metadata.annotations?.[nodeAnnotation.lastAppliedDrain] ?? '',
})

/** `1h0m0s`, as the event has always shown it. */
export function goDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  return h > 0 ? `${h}h${m}m${s}s` : m > 0 ? `${m}m${s}s` : `${s}s`
}
