import { Node } from '../api/core.ts'
import type { Informers } from '../kube/informers.ts'
import type { Served } from './admission.ts'

/** Machines between their first fetch and their first readiness. */
export interface FirstBoots {
  /** Counts a boot unless one of this machine is under way. */
  started(served: Served): void
  pending(): readonly PendingBoot[]
}

interface PendingBoot {
  readonly remoteAddress: string
  readonly pool: string
  readonly at: Date
}

export interface FirstBootOptions {
  readonly onStarted: (boot: PendingBoot) => void
  readonly onCompleted: (boot: PendingBoot, node: string, seconds: number) => void
  readonly mostPending?: number
  /** A boot that takes longer is given up. */
  readonly giveUpMs?: number
}

/**
 * Follows first boots by address: a machine fetches from the address that its Node has later. Behind address translation nothing
 * completes, and the boots are forgotten.
 */
export function followFirstBoots(informers: Informers, options: FirstBootOptions): FirstBoots {
  const { onStarted, onCompleted, mostPending = 10_000, giveUpMs = 4 * 3_600_000 } = options
  const pending = new Map<string, PendingBoot>()
  informers.subscribe(Node, ({ now }) => {
    if (!now || pending.size === 0) return
    const readyAt = readySince(now)
    if (readyAt === undefined) return
    for (const address of addressesOf(now)) {
      const boot = pending.get(address)
      // Ready before it fetched: somebody looked at a config from a machine that runs.
      if (!boot || readyAt < boot.at) continue
      pending.delete(address)
      onCompleted(boot, now.metadata.name ?? '', (readyAt.getTime() - boot.at.getTime()) / 1000)
    }
  })

  function forgetOld(now: Date): void {
    for (const [address, { at }] of pending) {
      // In the order of their start.
      if (pending.size < mostPending && now.getTime() - at.getTime() < giveUpMs) return
      pending.delete(address)
    }
  }

  return {
    started({ remoteAddress, pool, at }) {
      if (pending.has(remoteAddress)) return
      forgetOld(at)
      const boot: PendingBoot = { remoteAddress, pool, at }
      pending.set(remoteAddress, boot)
      onStarted(boot)
    },
    pending: () => [...pending.values()],
  }
}

function readySince({ status }: Node): Date | undefined {
  const ready = status?.conditions?.find(({ type, status: value }) => type === 'Ready' && value === 'True')
  return ready?.lastTransitionTime ? new Date(ready.lastTransitionTime) : undefined
}

const addressesOf = ({ status }: Node): readonly string[] =>
  (status?.addresses ?? []).filter(({ type }) => type.endsWith('IP')).map(({ address }) => address)
