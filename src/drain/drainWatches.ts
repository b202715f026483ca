import { Node, Pod } from '../api/core.ts'
import { drainRequest, nodeAnnotation } from '../api/names.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import { type Cache, type Watch, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'

/** The pods of one node, without reading every pod of the cluster. */
export const podsByNodeIndex = {
  kind: Pod,
  name: 'podsByNode',
  valuesOf: ({ spec }: Pod): readonly string[] => (spec?.nodeName ? [spec.nodeName] : []),
} as const

const draining = 'draining'

/** The nodes whose drain is under way. */
const drainingNodesIndex = {
  kind: Node,
  name: 'drainingNodes',
  valuesOf: (node: Node): readonly string[] => (isDraining(node) ? [draining] : []),
} as const

/** To be registered with the cache before the controller runs. */
export const drainIndices = [podsByNodeIndex, drainingNodesIndex] as const

/** Which nodes to look at after a change: a pod that ends, or a budget that opens, wakes the drain at once. */
// biome-ignore lint/suspicious/noExplicitAny: watches over different kinds, as in Controller
export function drainWatches(cache: Cache): readonly Watch<any>[] {
  return [
    watching(Node, ({ old, now }) => (whatCounts(old) === whatCounts(now) ? [] : [nameOf(now ?? old)])),
    watching(Pod, ({ old, now }) => {
      const host = (now ?? old)?.spec?.nodeName
      if (!host || podCounts(old) === podCounts(now)) return []
      const node = known(() => cache.get(Node, { name: host }))
      return node && isDraining(node) ? [host] : []
    }),
    watching(PodDisruptionBudget, ({ old, now }) => {
      if (old?.status?.disruptionsAllowed === now?.status?.disruptionsAllowed && now && old) return []
      return (known(() => cache.byIndex(Node, drainingNodesIndex.name, draining)) ?? []).map(nameOf)
    }),
  ]
}

const nameOf = (node: Node | undefined): string => node?.metadata.name ?? ''

function whatCounts(node: Node | undefined): string {
  const annotations = node?.metadata.annotations ?? {}
  return JSON.stringify([
    annotations[nodeAnnotation.desiredDrain],
    annotations[nodeAnnotation.lastAppliedDrain],
    node?.spec?.unschedulable ?? false,
    node !== undefined,
  ])
}

const podCounts = (pod: Pod | undefined): string =>
  JSON.stringify([
    pod?.metadata.uid,
    pod?.spec?.nodeName,
    pod?.status?.phase,
    pod?.metadata.deletionTimestamp,
    pod?.metadata.deletionGracePeriodSeconds,
  ])

function isDraining({ metadata }: Node): boolean {
  const request = metadata.annotations?.[nodeAnnotation.desiredDrain] ?? ''
  return (
    request.startsWith(drainRequest.drainPrefix) && request !== metadata.annotations?.[nodeAnnotation.lastAppliedDrain]
  )
}

/** Before a kind is known completely nothing is missed: the nodes' own first list asks for every drain. */
function known<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Retryable) return undefined
    throw error
  }
}
