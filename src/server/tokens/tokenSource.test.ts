import { expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import type { Secret } from '../../api/core.ts'
import type { Informers } from '../../kube/informers.ts'
import type { ChangeHandler } from '../../kube/store.ts'
import { type TokenRecord, tokenToSecret } from './tokenRecord.ts'
import { watchTokens } from './tokenSource.ts'
import { noUses } from './tokenUses.ts'

const record = (id: string): TokenRecord => ({ id, hash: 'aa'.repeat(32), pool: 'worker', sources: [], uses: noUses })

it('watchTokens follows the tokens of its namespace and nothing else', () => {
  let handler: ChangeHandler<Secret> = () => undefined
  let synced = false
  const informers = {
    cache: new FakeCluster().cache,
    subscribe: (_kind: unknown, given: ChangeHandler<Secret>) => {
      handler = given
      // As the informers do: what is known comes before the subscription returns.
      handler({ now: tokenToSecret(record('first001'), 'ns') })
      return () => undefined
    },
    hasSynced: () => synced,
  } as unknown as Informers
  const tokens = watchTokens(informers, 'ns')
  expect([tokens.find('first001')?.kind, tokens.isSynced()]).toEqual(['token', false])
  synced = true
  const elsewhere = tokenToSecret(record('else0001'), 'default')
  const imposter = { ...tokenToSecret(record('opaque01'), 'ns'), type: 'Opaque' }
  for (const now of [elsewhere, imposter]) handler({ now })
  expect([tokens.find('else0001'), tokens.find('opaque01'), tokens.isSynced()]).toEqual([undefined, undefined, true])
  const old = tokenToSecret(record('first001'), 'ns')
  handler({ old, now: { ...old, data: {} } })
  expect(tokens.find('first001')?.kind).toBe('unusable')
  handler({ old: { ...old, data: {} } })
  expect(tokens.find('first001')).toBeUndefined()
})
