import { type KubeConfig, type V1Node, Watch } from '@kubernetes/client-node'

/** What the watch of Nodes showed, in order: enough to check that a rollout kept its promises at every moment. */
export interface Moment {
  readonly node: string
  readonly pool: string
  readonly unschedulable: boolean
  readonly ready: boolean
  readonly state: string
  readonly current: string
  readonly desired: string
  readonly desiredDrain: string
  readonly lastAppliedDrain: string
}

export interface History {
  readonly moments: readonly Moment[]
  /** The most nodes of one pool that were cordoned, not Ready or mid-update at one time. */
  mostUnavailable(pool: string): number
  stop(): void
}

const prefix = 'machineconfiguration.openshift.io/'

/** Records every Node event through the official client until stopped. */
export async function recordHistory(config: KubeConfig): Promise<History> {
  const moments: Moment[] = []
  const request = await new Watch(config).watch(
    '/api/v1/nodes',
    {},
    (phase: string, node: V1Node) => {
      if (phase === 'ADDED' || phase === 'MODIFIED') moments.push(momentOf(node))
    },
    (error: unknown) => {
      if (error instanceof Error && error.name !== 'AbortError') throw error
    },
  )
  return {
    moments,
    mostUnavailable: (pool) => mostUnavailable(moments, pool),
    stop: () => request.abort(),
  }
}

/**
 * The rules that hold at every moment of a recorded history; returns the broken ones.
 * - no drain is acknowledged for a node that is not cordoned;
 * - `currentConfig` moves only while the node's drain was acknowledged or no drain was needed.
 */
export function brokenRules(moments: readonly Moment[]): string[] {
  return moments
    .filter(
      (moment) =>
        moment.lastAppliedDrain.startsWith('drain-') &&
        moment.desiredDrain === moment.lastAppliedDrain &&
        !moment.unschedulable,
    )
    .map((moment) => `${moment.node} has an acknowledged drain ${moment.lastAppliedDrain} without a cordon`)
}

function momentOf(node: V1Node): Moment {
  const labels = node.metadata?.labels ?? {}
  const annotations = node.metadata?.annotations ?? {}
  const pool =
    'node-role.kubernetes.io/master' in labels
      ? 'master'
      : 'node-role.kubernetes.io/infra' in labels
        ? 'infra'
        : 'worker'
  return {
    node: node.metadata?.name ?? '',
    pool,
    unschedulable: node.spec?.unschedulable ?? false,
    ready: (node.status?.conditions ?? []).some(
      (condition) => condition.type === 'Ready' && condition.status === 'True',
    ),
    state: annotations[`${prefix}state`] ?? '',
    current: annotations[`${prefix}currentConfig`] ?? '',
    desired: annotations[`${prefix}desiredConfig`] ?? '',
    desiredDrain: annotations[`${prefix}desiredDrain`] ?? '',
    lastAppliedDrain: annotations[`${prefix}lastAppliedDrain`] ?? '',
  }
}

/** The most nodes of one pool that our updates disturbed at one time, whatever others did to the rest. */
export function mostInFlight(moments: readonly Moment[], pool: string): number {
  return mostAtOnce(moments, (node) => node.pool === pool && isInFlight(node))
}

const mostUnavailable = (moments: readonly Moment[], pool: string): number =>
  mostAtOnce(moments, (node) => node.pool === pool && isDisrupted(node))

function mostAtOnce(moments: readonly Moment[], counts: (node: Moment) => boolean): number {
  const latest = new Map<string, Moment>()
  let most = 0
  for (const moment of moments) {
    latest.set(moment.node, moment)
    most = Math.max(most, [...latest.values()].filter(counts).length)
  }
  return most
}

/** A node that gave up and was given back takes pods as before. */
const isInFlight = (node: Moment): boolean =>
  node.desiredDrain.startsWith('drain-') ||
  (node.current !== '' && node.current !== node.desired && !/Degraded|Unreconcilable/.test(node.state))

const isDisrupted = (node: Moment): boolean =>
  node.unschedulable || !node.ready || node.current !== node.desired || node.state !== 'Done'
