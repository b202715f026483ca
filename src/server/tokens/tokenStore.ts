import { Secret } from '../../api/core.ts'
import { joinToken } from '../../api/names.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'
import { makeToken, type RandomBytes, type TokenWish } from './makeToken.ts'
import {
  isTokenSecret,
  type ReadToken,
  revocation,
  secretToToken,
  type TokenRecord,
  tokenSecretName,
  tokenToSecret,
} from './tokenRecord.ts'

/** Stores a new token's record. The text is in the answer and nowhere else. */
export async function createToken(
  kube: KubeApi,
  namespace: string,
  wish: TokenWish,
  { randomBytes, now }: { readonly randomBytes: RandomBytes; readonly now: Date },
): Promise<{ readonly text: string; readonly record: TokenRecord }> {
  const made = makeToken(wish, randomBytes, now)
  await kube.create(Secret, tokenToSecret(made.record, namespace))
  return made
}

/** All tokens of a namespace, by pool and id. */
export async function listTokens(kube: KubeApi, namespace: string): Promise<readonly ReadToken[]> {
  const { items } = await kube.list(Secret, { namespace, labelSelector: joinToken.label })
  const order = (read: ReadToken): string =>
    read.kind === 'token' ? `${read.record.pool}/${read.record.id}` : `~/${read.id}`
  return items
    .filter(isTokenSecret)
    .map(secretToToken)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/**
 * From now on nobody gets a config with it, boots under way included. The record stays for a while: of a token without one a
 * server cannot know whether it is still to come, and would tell its machine to try again.
 */
export async function revokeToken(kube: KubeApi, namespace: string, id: string, now: Date): Promise<void> {
  await kube.patch(Secret, { name: tokenSecretName(id), namespace }, { type: 'merge', body: revocation(now) })
}
