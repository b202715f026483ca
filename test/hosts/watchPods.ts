import { Node, Pod } from '../../src/api/core.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'

export interface WatchedPods {
  /** The smallest number of pods that were ready at one time since the first moment when all were. */
  leastReady(): number
  /** Names of pods that are gone by now. */
  readonly gone: ReadonlySet<string>
  /** `node: pod` for every pod that was still there when its node came up with another boot id. */
  readonly rebootedUnder: readonly string[]
}

/** The pods of an app while machines reboot. */
export function watchPods({ informers }: SingleProcessCluster, app: string, replicas: number): WatchedPods {
  const pods = new Map<string, Pod>()
  const bootIds = new Map<string, string>()
  const gone = new Set<string>()
  const rebootedUnder: string[] = []
  let least: number | undefined
  informers.subscribe(Pod, ({ old, now }) => {
    const { name = '', labels } = (now ?? old)?.metadata ?? {}
    if (labels?.app !== app) return
    if (now) pods.set(name, now)
    else if (pods.delete(name)) gone.add(name)
    const ready = [...pods.values()].filter(isReady).length
    if (least !== undefined || ready >= replicas) least = Math.min(least ?? ready, ready)
  })
  informers.subscribe(Node, ({ now }) => {
    const bootId = now?.status?.nodeInfo?.bootID
    if (!now || bootId === undefined) return
    const { name = '' } = now.metadata
    const earlier = bootIds.get(name)
    bootIds.set(name, bootId)
    if (earlier === undefined || earlier === bootId) return
    for (const pod of pods.values())
      if (pod.spec?.nodeName === name) rebootedUnder.push(`${name}: ${pod.metadata.name}`)
  })
  return { leastReady: () => least ?? 0, gone, rebootedUnder }
}

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True')
