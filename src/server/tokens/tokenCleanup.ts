import { Secret } from '../../api/core.ts'
import { operatorNamespace } from '../../api/names.ts'
import type { Clock } from '../../kube/clock.ts'
import { again, type Cache, type Controller, settled, watching } from '../../kube/controller.ts'
import { ignoreGone } from '../../kube/ignoreGone.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'
import type { Log } from '../../kube/log.ts'
import { isTokenSecret, type ReadToken, secretToToken } from './tokenRecord.ts'

export interface TokenCleanupPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly log: Log
  readonly namespace?: string
}

/** For a week a machine that shows the token is told why it is refused, and `mco token list` shows what became of it. */
export const keptAfterEndMs = 7 * 24 * 3_600_000

/** When a token's record may go; undefined for one that is still good, and for one that a person must look at. */
export function tokenGoesAt(read: ReadToken): Date | undefined {
  if (read.kind === 'unusable') return undefined
  const { expiresAt, revokedAt } = read.record
  const ends = [expiresAt, revokedAt].flatMap((end) => (end ? [end.getTime()] : []))
  return ends.length === 0 ? undefined : new Date(Math.min(...ends) + keptAfterEndMs)
}

/** Deletes the records of tokens that ended a week ago. Keys are names of Secrets. */
export function tokenCleanupController(ports: TokenCleanupPorts): Controller {
  const { cache, kube, clock, log, namespace = operatorNamespace } = ports
  return {
    name: 'join-token-cleanup',
    watches: [
      watching(Secret, ({ now }) =>
        now && now.metadata.namespace === namespace && isTokenSecret(now) ? [now.metadata.name ?? ''] : [],
      ),
    ],

    async reconcile(name, signal) {
      const secret = cache.get(Secret, { name, namespace })
      const at = secret && isTokenSecret(secret) ? tokenGoesAt(secretToToken(secret)) : undefined
      if (!secret || !at) return settled
      if (clock.now() < at) return again(at)
      const { resourceVersion } = secret.metadata
      // Whoever prolonged it meanwhile wins.
      const preconditions = resourceVersion === undefined ? {} : { resourceVersion }
      await ignoreGone(kube.delete(Secret, { name, namespace }, { signal, preconditions }))
      log.info('a join token that ended was deleted', { secret: name })
      return settled
    },
  }
}
