import type { Node } from '../api/core.ts'
import type { JoinRecord } from './joinRecords.ts'

/** How far a machine that fetched a config has come. */
type JoinState =
  /** No Node has its address, or the name that its token was made for. */
  | { readonly kind: 'fetched' }
  | { readonly kind: 'registered'; readonly node: string }
  | { readonly kind: 'ready'; readonly node: string; readonly at: Date }
  /** The Node was Ready before the fetch and stayed so: somebody on it read the config, or it shares its address. */
  | { readonly kind: 'readyBefore'; readonly node: string }

/** A machine on its way, for people and programs. */
export interface PendingJoin {
  readonly pool: string
  readonly address: string
  readonly config: string
  readonly fetchedAt: string
  readonly requests: number
  readonly node?: string
  readonly message: string
}

/** Clocks of server and API server may differ by this much. */
const skewMs = 60_000

function joinState(record: JoinRecord, nodes: readonly Node[]): JoinState {
  const node = nodes.find((candidate) => isMachine(record, candidate))
  if (!node) return { kind: 'fetched' }
  const name = node.metadata.name ?? ''
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return { kind: 'registered', node: name }
  const at = new Date(ready.lastTransitionTime ?? node.metadata.creationTimestamp ?? 0)
  return at.getTime() + skewMs >= record.firstAt.getTime()
    ? { kind: 'ready', node: name, at }
    : { kind: 'readyBefore', node: name }
}

/** Who fetched a config in the last day and is not a Ready Node since: newest first. */
export function pendingJoins(
  records: readonly JoinRecord[],
  nodes: readonly Node[],
  now: Date,
): readonly PendingJoin[] {
  return records
    .flatMap((record) => {
      const message = record.readyAt ? undefined : messageOf(record, joinState(record, nodes), now)
      if (message === undefined) return []
      const { pool, address, config, firstAt, requests } = record
      const state = joinState(record, nodes)
      const fetchedAt = firstAt.toISOString().replace(/\.\d+Z$/, 'Z')
      return [{ pool, address, config, fetchedAt, requests, ...('node' in state && { node: state.node }), message }]
    })
    .reverse()
}

function messageOf(record: JoinRecord, state: JoinState, now: Date): string | undefined {
  const { address, config, requests, machine } = record
  const who = machine === undefined ? address : `${machine} (${address})`
  const times = requests === 1 ? '' : `, ${requests} requests`
  const fetched = `${who} fetched ${config} ${age(record.firstAt, now)} ago${times}`
  switch (state.kind) {
    case 'fetched':
      return `${fetched}; it is not yet registered as a Node`
    case 'registered':
      return `${fetched}; its Node ${state.node} is not Ready yet`
    case 'ready':
      return undefined
    case 'readyBefore':
      return `${fetched}, but Node ${state.node} with this address was Ready before and stayed so: if nobody reinstalls it, something on it reads configs`
    default:
      return state satisfies never
  }
}

function isMachine({ address, machine }: JoinRecord, { metadata, status }: Node): boolean {
  if (machine !== undefined) return metadata.name === machine
  return status?.addresses?.some((known) => known.address === address) ?? false
}

function age(since: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}
