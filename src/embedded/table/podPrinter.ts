import type { JsonObject } from '../builtins/jsonObject.ts'
import type { ApiObject } from '../server/resource.ts'
import { ageOf } from './age.ts'
import { age, ageColumn, at, column, conditionOf, count, items, type Printer, printer, text, wide } from './printer.ts'

const columns = [
  column('Ready', 'Containers that are ready, of all.'),
  column('Status', 'What the pod is doing.'),
  column('Restarts', 'How often containers were restarted, and when last.'),
  ageColumn,
  wide('IP', 'Address of the pod.'),
  wide('Node', 'Node of the pod.'),
  wide('Nominated Node', 'Node where room is being made.'),
  wide('Readiness Gates', 'Readiness gates that are passed, of all.'),
]

/** Pods as kubectl shows them: the most telling reason of any container is the status. */
export const podPrinter: Printer = {
  ...printer(columns, (pod, now) => {
    const { ready, total, restarts, lastRestart } = containersOf(pod)
    const since = restarts > 0 && lastRestart !== '' ? ` (${ageOf(lastRestart, now)} ago)` : ''
    return [
      `${ready}/${total}`,
      podStatus(pod),
      `${restarts}${since}`,
      age(pod, now),
      text(at(pod, 'status', 'podIPs', 0, 'ip') ?? at(pod, 'status', 'podIP'), '<none>'),
      text(at(pod, 'spec', 'nodeName'), '<none>'),
      text(at(pod, 'status', 'nominatedNodeName'), '<none>'),
      readinessGates(pod),
    ]
  }),
  conditions: (pod) => {
    const phase = phaseOf(pod)
    if (phase !== 'Succeeded' && phase !== 'Failed') return []
    const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
    return [{ type: 'Completed', status: 'True', reason: phase, message }]
  },
}

const phaseOf = (pod: ApiObject): string => text(at(pod, 'status', 'phase'))

interface Containers {
  readonly ready: number
  readonly total: number
  readonly restarts: number
  readonly lastRestart: string
}

/** Sidecars (init containers that are always restarted) count like containers. */
function containersOf(pod: ApiObject): Containers {
  const sidecars = new Set(
    items(at(pod, 'spec', 'initContainers'))
      .filter(isSidecar)
      .map(({ name }) => name),
  )
  const init = items(at(pod, 'status', 'initContainerStatuses'))
  const main = items(at(pod, 'status', 'containerStatuses'))
  const running = [...main, ...init.filter(({ name }) => sidecars.has(name))]
  const counted = initProblem(pod) === undefined ? running : init
  const ends = counted.map((status) => text(at(status, 'lastState', 'terminated', 'finishedAt')))
  return {
    ready: running.filter((status) => status.ready === true && at(status, 'state', 'running') !== undefined).length,
    total: items(at(pod, 'spec', 'containers')).length + sidecars.size,
    restarts: counted.reduce((sum, status) => sum + count(status.restartCount), 0),
    lastRestart: ends.sort().at(-1) ?? '',
  }
}

const isSidecar = (container: JsonObject): boolean => container.restartPolicy === 'Always'

function podStatus(pod: ApiObject): string {
  const phase = phaseOf(pod)
  const ownReason = text(at(pod, 'status', 'reason'))
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (ownReason === 'NodeLost') return 'Unknown'
    if (phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating'
  }
  const initializing = initProblem(pod)
  if (initializing !== undefined && conditionOf(pod, 'Initialized')?.status !== 'True') return initializing
  const gated = conditionOf(pod, 'PodScheduled')?.reason === 'SchedulingGated'
  const reason = containerReason(pod) ?? (gated ? 'SchedulingGated' : ownReason || phase)
  const hasRunning = items(at(pod, 'status', 'containerStatuses')).some(
    (status) => status.ready === true && at(status, 'state', 'running') !== undefined,
  )
  if (reason !== 'Completed' || !hasRunning) return reason
  return conditionOf(pod, 'Ready')?.status === 'True' ? 'Running' : 'NotReady'
}

/** The first container with something to say. */
function containerReason(pod: ApiObject): string | undefined {
  for (const { state } of items(at(pod, 'status', 'containerStatuses'))) {
    const waiting = text(at(state, 'waiting', 'reason'))
    if (waiting !== '') return waiting
    const ended = at(state, 'terminated')
    if (ended !== undefined) return endReason(ended, '')
  }
  return undefined
}

function endReason(terminated: unknown, prefix: string): string {
  const reason = text(at(terminated, 'reason'))
  if (reason !== '') return `${prefix}${reason}`
  const signal = count(at(terminated, 'signal'))
  return signal !== 0 ? `${prefix}Signal:${signal}` : `${prefix}ExitCode:${count(at(terminated, 'exitCode'))}`
}

/** Why the init containers are not done; undefined when they are. */
function initProblem(pod: ApiObject): string | undefined {
  const specs = items(at(pod, 'spec', 'initContainers'))
  const sidecars = new Set(specs.filter(isSidecar).map(({ name }) => name))
  for (const [index, status] of items(at(pod, 'status', 'initContainerStatuses')).entries()) {
    const terminated = at(status, 'state', 'terminated')
    if (terminated !== undefined && count(at(terminated, 'exitCode')) === 0) continue
    if (sidecars.has(status.name) && status.started === true) continue
    if (terminated !== undefined) return endReason(terminated, 'Init:')
    const waiting = text(at(status, 'state', 'waiting', 'reason'))
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`
    return `Init:${index}/${specs.length}`
  }
  return undefined
}

function readinessGates(pod: ApiObject): string {
  const gates = items(at(pod, 'spec', 'readinessGates'))
  if (gates.length === 0) return '<none>'
  const passed = gates.filter(({ conditionType }) => conditionOf(pod, text(conditionType))?.status === 'True')
  return `${passed.length}/${gates.length}`
}
