import { ConfigMap, Secret } from '../../api/core.ts'
import { joinToken, serverObject } from '../../api/names.ts'
import { type JoinRecord, joinsKey, joinsToText, mergeJoins, readJoins } from '../../forecast/joinRecords.ts'
import type { Clock } from '../../kube/clock.ts'
import { messageOf } from '../../kube/errors.ts'
import { isConflict, isNotFound, type KubeApi } from '../../kube/kubeApi.ts'
import type { Log } from '../../kube/log.ts'
import type { OnServed } from '../admission.ts'
import { secretToToken, tokenSecretName } from '../tokens/tokenRecord.ts'
import { addBoots, usesToText } from '../tokens/tokenUses.ts'
import { UnwrittenJoins } from './unwrittenJoins.ts'

export interface JoinReporter {
  readonly onServed: OnServed
  /** Writes what was served, a few seconds after it, until the signal; then once more. Waits while the API server is away. */
  run(signal: AbortSignal): Promise<void>
}

export interface JoinReporterPorts {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly log: Log
  /** Of the ConfigMap that says who joins. */
  readonly namespace: string
  /** Of the tokens' records. */
  readonly tokenNamespace: string
}

const pauseMs = 2_000
const callMs = 10_000
/** What is kept while the API server is away. */
const mostUnwritten = 2_000

/** Tells the cluster who fetched which config, for `mco status`, and how often a token was used. */
export function joinReporter({ kube, clock, log, namespace, tokenNamespace }: JoinReporterPorts): JoinReporter {
  const unwritten = new UnwrittenJoins(mostUnwritten)
  let isFailing = false

  async function writeAll(): Promise<void> {
    const taken = unwritten.take()
    if (taken.size === 0) return
    const records = [...taken.values()]
    try {
      // A hanging API server must not hold up the end of the process.
      const signal = AbortSignal.timeout(callMs)
      await writeJoins(records, signal)
      await writeUses(records, signal)
      isFailing = false
    } catch (error) {
      unwritten.putBack(taken)
      if (!isConflict(error) && !isFailing) {
        isFailing = true
        log.warn('joins and uses of tokens are not written now, and will be', { error: messageOf(error) })
      }
    }
  }

  async function writeJoins(records: readonly JoinRecord[], signal: AbortSignal): Promise<void> {
    const key = { name: serverObject.joins, namespace }
    const found = await absentIfNotFound(kube.get(ConfigMap, key, { signal }))
    const text = joinsToText(mergeJoins(readJoins(found), records, clock.now()))
    const data = { ...found?.data, [joinsKey]: text }
    if (found) await kube.update(ConfigMap, { ...found, data }, { signal })
    else await kube.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data }, { signal })
  }

  /** Counting again after a failure changes nothing: a boot is known by its address and time. */
  async function writeUses(records: readonly JoinRecord[], signal: AbortSignal): Promise<void> {
    for (const id of new Set(records.flatMap(({ token }) => token ?? []))) {
      const key = { name: tokenSecretName(id), namespace: tokenNamespace }
      const secret = await absentIfNotFound(kube.get(Secret, key, { signal }))
      const read = secret && secretToToken(secret)
      if (!secret || read?.kind !== 'token') continue
      const boots = records
        .filter(({ token }) => token === id)
        .map(({ address, firstAt }) => [address, firstAt] as const)
      const uses = addBoots(read.record.uses, new Map(boots), clock.now())
      if (uses === read.record.uses) continue
      const annotations = { ...secret.metadata.annotations, [joinToken.usesAnnotation]: usesToText(uses) }
      await kube.update(Secret, { ...secret, metadata: { ...secret.metadata, annotations } }, { signal })
    }
  }

  return {
    onServed: (served) => unwritten.add(served),
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(pauseMs, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
        await writeAll()
      }
    },
  }
}

async function absentIfNotFound<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}
