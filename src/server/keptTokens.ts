import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '../api/core.ts'
import { joinToken } from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Informers } from '../kube/informers.ts'
import type { Log } from '../kube/log.ts'
import { replaceFile } from './replaceFile.ts'
import { isTokenSecret, type ReadToken, secretToToken } from './tokens/tokenRecord.ts'
import { type TokenSource, tokenIdOf } from './tokens/tokenSource.ts'

/** The join tokens that were known last, on disk: their hashes, never the tokens. */
export interface KeptTokens {
  find(id: string): ReadToken | undefined
  put(secrets: readonly Secret[]): Promise<void>
}

/** Beside the kept configs, under a name that no pool's file has. */
const fileName = 'join-tokens'

export async function openKeptTokens(directory: string, log: Log): Promise<KeptTokens> {
  const kept = new Map<string, ReadToken>()
  const take = (secrets: readonly Secret[]): void => {
    kept.clear()
    for (const read of secrets.map(secretToToken)) kept.set(tokenIdOf(read), read)
  }
  take(await readKept(join(directory, fileName), log))
  return {
    find: (id) => kept.get(id),
    async put(secrets) {
      const slim = secrets.map(withoutTheRest)
      await replaceFile(directory, fileName, JSON.stringify(slim))
      take(slim)
    },
  }
}

async function readKept(file: string, log: Log): Promise<readonly Secret[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(parsed) ? parsed : []
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    if (!(error instanceof SyntaxError)) throw error
    log.warn('the kept join tokens cannot be read and are left out', { file })
    return []
  }
}

function withoutTheRest({ metadata: { name, namespace, annotations }, type, data }: Secret): Secret {
  const uses = annotations?.[joinToken.usesAnnotation]
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uses !== undefined && { annotations: { [joinToken.usesAnnotation]: uses } }),
    },
    ...(type !== undefined && { type }),
    ...(data && { data }),
  }
}

/** The cluster's records; until they are complete, the kept ones. A token that was deleted meanwhile is good until then. */
export function withKeptTokens(source: TokenSource, kept: KeptTokens): TokenSource {
  return {
    find: (id) => source.find(id) ?? (source.isSynced() ? undefined : kept.find(id)),
    isSynced: () => source.isSynced(),
  }
}

/** Keeps the disk equal to the cluster, until the signal; a burst of changes is written once. */
export async function keepTokens(
  informers: Informers,
  kept: KeptTokens,
  { clock, log, coalesceMs = 1000 }: { readonly clock: Clock; readonly log: Log; readonly coalesceMs?: number },
  signal: AbortSignal,
): Promise<void> {
  let hasChanged = true
  let fault = ''
  informers.subscribe(Secret, ({ old, now }) => {
    hasChanged ||= [old, now].some((secret) => secret && isTokenSecret(secret))
  })
  // What changed just before the end is written too: the next start may come without the API server.
  while (!signal.aborted) {
    await clock.sleep(coalesceMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (!hasChanged || !informers.hasSynced(Secret)) continue
    try {
      hasChanged = false
      await kept.put(informers.cache.list(Secret).filter(isTokenSecret))
      fault = ''
    } catch (error) {
      hasChanged = true
      const message = messageOf(error)
      if (message !== fault) log.error('the join tokens cannot be kept on disk', { error: message })
      fault = message
    }
  }
}
