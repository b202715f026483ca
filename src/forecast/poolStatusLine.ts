import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolCondition } from '../api/names.ts'
import { type WaitingSummary, waitingNodesAnnotation } from '../rollout/waitingSummary.ts'
import type { NodeStatusLine } from './nodeStatusLine.ts'
import { readJson } from './readJson.ts'

export interface PoolStatusLine {
  readonly name: string
  readonly state: 'Updated' | 'Updating' | 'Paused' | 'Degraded' | 'Unknown'
  /** What the whole pool runs, and what it shall run. */
  readonly config: string
  readonly target: string
  readonly machines: number
  readonly updated: number
  readonly ready: number
  readonly unavailable: number
  readonly degraded: number
  /** Everything that a person should read, most important first. */
  readonly messages: readonly string[]
}

/** One pool as its conditions, counts and annotation tell it; `nodes` say in their own lines why they are degraded. */
export function poolStatusLine(
  pool: MachineConfigPool,
  members: ReadonlySet<string>,
  nodes: readonly NodeStatusLine[],
): PoolStatusLine {
  const { spec, status } = pool
  return {
    name: pool.metadata.name ?? '',
    state: stateOf(pool),
    config: status?.configuration?.name ?? '',
    target: spec.configuration?.name ?? '',
    machines: status?.machineCount ?? 0,
    updated: status?.updatedMachineCount ?? 0,
    ready: status?.readyMachineCount ?? 0,
    unavailable: status?.unavailableMachineCount ?? 0,
    degraded: status?.degradedMachineCount ?? 0,
    messages: [
      ...causesOf(
        pool,
        nodes.filter(({ name }) => members.has(name)),
      ),
      ...(spec.configuration?.name ? [] : ['it has no rendered config yet; its nodes stay as they are']),
      ...pausedMessages(pool),
      ...waitingMessages(pool),
    ].filter((message) => message !== ''),
  }
}

export const waitingSummaryOf = (pool: MachineConfigPool): WaitingSummary | undefined =>
  readJson<WaitingSummary>(pool.metadata.annotations?.[waitingNodesAnnotation])

function stateOf(pool: MachineConfigPool): PoolStatusLine['state'] {
  if (isTrue(pool, poolCondition.degraded)) return 'Degraded'
  if (isTrue(pool, poolCondition.updated)) return 'Updated'
  if (pool.spec.paused === true) return 'Paused'
  return isTrue(pool, poolCondition.updating) ? 'Updating' : 'Unknown'
}

/** The pool's own trouble in full; of its nodes only who, for each says below what it found. */
function causesOf(pool: MachineConfigPool, members: readonly NodeStatusLine[]): string[] {
  const degraded = members.filter(({ state }) => state === 'Degraded' || state === 'Unreconcilable')
  const ofPool = [poolCondition.renderDegraded, poolCondition.imageBuildDegraded, poolCondition.pinnedImageSetsDegraded]
  const causes = ofPool.filter((type) => isTrue(pool, type)).map((type) => messageOf(pool, type))
  if (isTrue(pool, poolCondition.nodeDegraded)) {
    const names = degraded.map(({ name }) => name)
    // Between two reports the nodes may be well again already: then the condition's own text is all there is.
    if (names.length === 0) causes.push(messageOf(pool, poolCondition.nodeDegraded))
    else causes.push(`${count(names.length, 'node is', 'nodes are')} degraded: ${namesOf(names)}`)
  }
  return causes.length > 0 || !isTrue(pool, poolCondition.degraded) ? causes : [messageOf(pool, poolCondition.degraded)]
}

function pausedMessages(pool: MachineConfigPool): string[] {
  if (pool.spec.paused !== true || isTrue(pool, poolCondition.updated)) return []
  const behind = waitingSummaryOf(pool)?.waiting ?? 0
  const who = behind > 0 ? `; ${count(behind, 'node', 'nodes')} will move when spec.paused is false` : ''
  return [`${messageOf(pool, poolCondition.updating) || 'Pool is paused'}${who}`]
}

/** One sentence for each reason. A reason that every node shares in the same words is told in those words. */
function waitingMessages(pool: MachineConfigPool): string[] {
  const summary = waitingSummaryOf(pool)
  if (!summary || !Array.isArray(summary.nodes)) return []
  return Object.entries(summary.reasons ?? {})
    .filter(([reason]) => reason !== 'Paused')
    .map(([reason, waiting]) => {
      const held = summary.nodes.filter((node) => node.reason === reason)
      const sentences = new Set(held.map(({ message }) => message))
      const [shared] = sentences
      const rest = waiting - held.length
      const names = held.map(({ node }) => node)
      const detail = sentences.size === 1 && shared ? shared : namesOf(names, rest)
      return `${count(waiting, 'node waits', 'nodes wait')} (${reason}): ${detail}`
    })
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const shownNames = 5

function namesOf(names: readonly string[], unknown = 0): string {
  const more = Math.max(0, names.length - shownNames) + unknown
  return names.slice(0, shownNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const conditionOf = (pool: MachineConfigPool, type: string) =>
  pool.status?.conditions?.find((condition) => condition.type === type)
const isTrue = (pool: MachineConfigPool, type: string): boolean => conditionOf(pool, type)?.status === 'True'
const messageOf = (pool: MachineConfigPool, type: string): string => conditionOf(pool, type)?.message ?? ''
