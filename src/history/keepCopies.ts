import { Node, Secret } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { operatorNamespace } from '../api/names.ts'
import type { PoolRollout } from '../api/poolRollout.ts'
import type { Cache } from '../kube/controller.ts'
import { ignoreGone } from '../kube/ignoreGone.ts'
import { isAlreadyExists, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { copyLabel, fragmentCopyName, fragmentToCopy, renderedCopyName, renderedToCopy } from './copies.ts'
import { digestOf } from './fragmentRecord.ts'
import { renderedConfigsOf } from './renderedConfigsOf.ts'

export interface CopyPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly log: Log
}

/**
 * Makes the copies of `rollouts` that are not there yet, as far as what they copy still exists, and removes those that none
 * of `all` names and no node needs. A copy is the content of its name, so one that exists is right, or is refused when it is read.
 */
export async function keepCopies(
  rollouts: readonly PoolRollout[],
  all: readonly PoolRollout[],
  { cache, kube, log }: CopyPorts,
  signal: AbortSignal,
): Promise<void> {
  const present = new Set(
    cache
      .list(Secret)
      .filter(({ metadata }) => metadata.namespace === operatorNamespace && metadata.labels?.[copyLabel] !== undefined)
      .map(({ metadata }) => metadata.name ?? ''),
  )
  for (const { name, copy } of missingCopies(rollouts, present, cache)) {
    const secret = copy()
    if (!secret) {
      log.warn('too large to be kept for a way back', { copy: name })
      continue
    }
    try {
      await kube.create(Secret, secret, { signal })
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }
  const inUse = cache.list(Node).flatMap(renderedConfigsOf).map(renderedCopyName)
  const named = new Set([...all.flatMap(copyNames), ...inUse])
  for (const name of present) {
    if (!named.has(name)) await ignoreGone(kube.delete(Secret, { name, namespace: operatorNamespace }, { signal }))
  }
}

const copyNames = ({ spec }: PoolRollout): readonly string[] => [
  renderedCopyName(spec.to),
  ...(spec.fragments ?? []).map(({ digest }) => fragmentCopyName(digest)),
]

interface MissingCopy {
  readonly name: string
  readonly copy: () => Secret | undefined
}

function missingCopies(
  rollouts: readonly PoolRollout[],
  present: ReadonlySet<string>,
  cache: Cache,
): readonly MissingCopy[] {
  const missing = new Map<string, MissingCopy>()
  for (const { spec } of rollouts) {
    const rendered = cache.get(MachineConfig, { name: spec.to })
    const name = renderedCopyName(spec.to)
    if (rendered && !present.has(name)) missing.set(name, { name, copy: () => renderedToCopy(rendered) })
    for (const fragment of spec.fragments ?? []) {
      const copy = fragmentCopyName(fragment.digest)
      if (present.has(copy) || missing.has(copy)) continue
      const live = cache.get(MachineConfig, { name: fragment.name })
      if (!live || digestOf(live) !== fragment.digest) continue
      missing.set(copy, { name: copy, copy: () => fragmentToCopy(live, fragment.digest) })
    }
  }
  return [...missing.values()]
}
