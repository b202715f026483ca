/** A rendered config of a pool, as far as its collection is concerned. */
export interface RenderedView {
  readonly name: string
  readonly createdAt: Date
}

/** Everything that may still need a rendered config. */
export interface RenderedReferences {
  /** spec.configuration and status.configuration of every pool. */
  readonly pools: readonly string[]
  /** currentConfig and desiredConfig of every node, and what machine config nodes still report. */
  readonly nodes: readonly string[]
  /** spec.machineConfig of image builds. */
  readonly builds: readonly string[]
  /** Where the recorded rollouts came from and went to. */
  readonly history: readonly string[]
}

type KeepReason = 'UsedByPool' | 'UsedByNode' | 'UsedByBuild' | 'NamedByHistory' | 'TooYoung' | 'KeptForRollback'

export interface CollectPlan {
  readonly remove: readonly { readonly name: string; readonly message: string }[]
  readonly keep: readonly { readonly name: string; readonly reason: KeepReason }[]
}

export interface CollectOptions {
  /** The newest ones stay, for a way back. */
  readonly keepNewest?: number
  /** A machine may be booting with a config that no object names yet. */
  readonly minAgeMs?: number
}

/**
 * Which rendered configs of one pool nobody needs any more (spec: render 14). Conservative: anything referenced, young or
 * among the newest stays, whatever else is true.
 */
export function decideCollect(
  rendered: readonly RenderedView[],
  references: RenderedReferences,
  now: Date,
  { keepNewest = 10, minAgeMs = 3_600_000 }: CollectOptions = {},
): CollectPlan {
  const uses: readonly (readonly [KeepReason, ReadonlySet<string>])[] = [
    ['UsedByPool', new Set(references.pools)],
    ['UsedByNode', new Set(references.nodes)],
    ['UsedByBuild', new Set(references.builds)],
    ['NamedByHistory', new Set(references.history)],
  ]
  const newestFirst = [...rendered].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1),
  )
  const remove: { name: string; message: string }[] = []
  const keep: { name: string; reason: KeepReason }[] = []
  newestFirst.forEach(({ name, createdAt }, index) => {
    const reason = whyKept(name, now.getTime() - createdAt.getTime(), index)
    if (reason) keep.push({ name, reason })
    else
      remove.push({
        name,
        message: `no pool, node, build or recorded rollout names ${name}, and ${keepNewest} newer ones are kept`,
      })
  })
  return { remove, keep }

  function whyKept(name: string, ageMs: number, index: number): KeepReason | undefined {
    const use = uses.find(([, names]) => names.has(name))
    if (use) return use[0]
    // A creation time in the future means that clocks disagree: treated as young.
    if (!(ageMs >= minAgeMs)) return 'TooYoung'
    return index < keepNewest ? 'KeptForRollback' : undefined
  }
}
