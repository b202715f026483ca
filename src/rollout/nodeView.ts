import type { ObjectMeta } from '../api/meta.ts'

/** What the rollout's rules need of a Node: built in one place, so that a test states only what matters. */
export interface NodeView {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly createdMs: number
  readonly unschedulable: boolean
  readonly conditions: readonly { readonly type: string; readonly status: string }[]
  readonly taints: readonly Taint[]
}

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

/** The part of a core/v1 Node that is read here. */
export interface NodeLike {
  readonly metadata: ObjectMeta
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] | null }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null
    readonly phase?: string
  }
}

/** A Node object never changes once read, so its view is built once and lives as long as the object. */
const views = new WeakMap<NodeLike, NodeView>()

export function nodeToView(node: NodeLike): NodeView {
  const known = views.get(node)
  if (known) return known
  const view = buildView(node)
  views.set(node, view)
  return view
}

function buildView({ metadata, spec, status }: NodeLike): NodeView {
  return {
    name: metadata.name ?? '',
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    createdMs: metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : 0,
    unschedulable: spec?.unschedulable ?? false,
    conditions: status?.conditions ?? [],
    taints: spec?.taints ?? [],
  }
}
