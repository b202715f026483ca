import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../api/core.ts'
import { secondsOf } from './podConditions.ts'
import { isFinished, isReady, isTerminating } from './podStates.ts'

/** How long things take on a simulated node. */
export interface PodTimings {
  /** From a pod's arrival on the node, or the node's boot, until it is ready. */
  readonly startMs: number
  /** A terminating pod takes this share of its grace period, but at most so long. */
  readonly terminationScale: number
  readonly terminationCapMs: number
  /** How long a pod works that ends by itself (restart policy other than Always). */
  readonly workMs: number
}

export const defaultPodTimings: PodTimings = {
  startMs: 1_000,
  terminationScale: 1,
  terminationCapMs: 1_000,
  workMs: 2_000,
}

/** The node, as far as its pods depend on it. */
export interface PodHost {
  readonly bootedAt: Date
  readonly hostIp: string
  readonly nextPodIp: () => string
}

export type PodStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly at: Date }
  | { readonly kind: 'write'; readonly status: PodStatus }
  | { readonly kind: 'remove' }

/**
 * What a kubelet does next with one of its pods. Everything that it must remember is in the pod: a container that
 * started before the node booted has been restarted by that boot.
 */
export function nextPodStep(pod: Pod, host: PodHost, timings: PodTimings, now: Date): PodStep {
  if (isTerminating(pod)) return terminate(pod, timings, now)
  if (isFinished(pod)) return { kind: 'none' }
  const startTime = pod.status?.startTime
  if (startTime === undefined) return { kind: 'write', status: starting(pod, host, now, []) }
  const bootedMs = wholeSecondMs(host.bootedAt)
  const startedMs = runningSinceMs(pod)
  if (startedMs !== undefined && startedMs < bootedMs) return afterBoot(pod, host, now)
  if (startedMs === undefined) {
    const readyMs = Math.max(Date.parse(startTime), bootedMs) + timings.startMs
    return now.getTime() < readyMs
      ? { kind: 'wait', at: new Date(readyMs) }
      : { kind: 'write', status: running(pod, host, now) }
  }
  if (!isReady(pod)) return { kind: 'write', status: { ...pod.status, conditions: conditions(pod, true, now) } }
  if (isEndless(pod)) return { kind: 'none' }
  const endMs = startedMs + timings.workMs
  return now.getTime() < endMs
    ? { kind: 'wait', at: new Date(endMs) }
    : { kind: 'write', status: ended(pod, 'Succeeded', now) }
}

function terminate({ metadata }: Pod, { terminationScale, terminationCapMs }: PodTimings, now: Date): PodStep {
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const requestedMs = Date.parse(metadata.deletionTimestamp ?? '') - graceMs
  const endMs = requestedMs + Math.min(graceMs * terminationScale, terminationCapMs)
  return now.getTime() < endMs ? { kind: 'wait', at: new Date(endMs) } : { kind: 'remove' }
}

function afterBoot(pod: Pod, host: PodHost, now: Date): PodStep {
  if (pod.spec?.restartPolicy === 'Never') return { kind: 'write', status: ended(pod, 'Failed', now) }
  return { kind: 'write', status: starting(pod, host, now, pod.status?.containerStatuses ?? []) }
}

function starting(pod: Pod, { hostIp }: PodHost, now: Date, before: readonly ContainerStatus[]): PodStatus {
  return {
    ...pod.status,
    phase: before.length > 0 ? 'Running' : 'Pending',
    hostIP: hostIp,
    startTime: pod.status?.startTime ?? secondsOf(now),
    conditions: conditions(pod, false, now),
    containerStatuses: containers(pod, (old) => ({
      ready: false,
      restartCount: before.length > 0 ? (old?.restartCount ?? 0) + 1 : 0,
      state: { waiting: { reason: 'ContainerCreating' } },
    })),
  }
}

function running(pod: Pod, { hostIp, nextPodIp }: PodHost, now: Date): PodStatus {
  const podIP = pod.status?.podIP ?? (pod.spec?.hostNetwork ? hostIp : nextPodIp())
  return {
    ...pod.status,
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditions(pod, true, now),
    containerStatuses: containers(pod, (old) => ({
      ready: true,
      restartCount: old?.restartCount ?? 0,
      state: { running: { startedAt: secondsOf(now) } },
    })),
  }
}

function ended(pod: Pod, phase: 'Succeeded' | 'Failed', now: Date): PodStatus {
  const exitCode = phase === 'Succeeded' ? 0 : 137
  const reason = phase === 'Succeeded' ? 'Completed' : 'Error'
  return {
    ...pod.status,
    phase,
    conditions: conditions(pod, false, now),
    containerStatuses: containers(pod, (old) => ({
      ready: false,
      restartCount: old?.restartCount ?? 0,
      state: { terminated: { exitCode, reason, finishedAt: secondsOf(now) } },
    })),
  }
}

type Changing = Pick<ContainerStatus, 'ready' | 'restartCount' | 'state'>

function containers(pod: Pod, change: (old: ContainerStatus | undefined) => Changing): readonly ContainerStatus[] {
  return (pod.spec?.containers ?? []).map(({ name, image = '' }) => {
    const old = pod.status?.containerStatuses?.find((status) => status.name === name)
    return { name, image, imageID: image, ...change(old) }
  })
}

function conditions(pod: Pod, ready: boolean, now: Date): readonly PodCondition[] {
  const unready = { reason: 'ContainersNotReady', message: 'containers are not ready' }
  const wanted: readonly PodCondition[] = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', status: ready ? 'True' : 'False', ...(!ready && unready) },
    { type: 'Ready', status: ready ? 'True' : 'False', ...(!ready && unready) },
  ]
  const ours = new Set(wanted.map(({ type }) => type))
  const old = pod.status?.conditions ?? []
  const dated = wanted.map((condition) => {
    const before = old.find(({ type, status }) => type === condition.type && status === condition.status)
    return { ...condition, lastTransitionTime: before?.lastTransitionTime ?? secondsOf(now) }
  })
  return [...old.filter(({ type }) => !ours.has(type)), ...dated]
}

/** When the container that runs longest was started; undefined unless all run. */
function runningSinceMs({ status }: Pod): number | undefined {
  const times = (status?.containerStatuses ?? []).map(({ state }) => {
    const { startedAt } = (state as { running?: { startedAt?: string } } | undefined)?.running ?? {}
    return startedAt === undefined ? undefined : Date.parse(startedAt)
  })
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 && known.length === times.length ? Math.min(...known) : undefined
}

const isEndless = ({ spec }: Pod): boolean => (spec?.restartPolicy ?? 'Always') === 'Always'

/** Times on the wire are whole seconds: comparing them with milliseconds would see a boot after each start. */
const wholeSecondMs = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000
