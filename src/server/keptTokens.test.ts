import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { Secret } from '../api/core.ts'
import { systemClock } from '../kube/clock.ts'
import type { Informers } from '../kube/informers.ts'
import { silentLog } from '../kube/log.ts'
import type { ChangeHandler } from '../kube/store.ts'
import { keepTokens, openKeptTokens } from './keptTokens.ts'
import { makeToken } from './tokens/makeToken.ts'
import { revocation, tokenToSecret } from './tokens/tokenRecord.ts'

const now = new Date('2026-03-01T12:00:00Z')
const { text, record } = makeToken({ pool: 'worker' }, (count) => Buffer.alloc(count, 1), now)
const secret = tokenToSecret(record, 'ns')

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mco-kept-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** A server's caches with this Secret, whose disk is kept for one short life. */
async function liveShortlyWith(found: Secret, isSynced = true): Promise<void> {
  const cluster = new FakeCluster()
  cluster.put(Secret, found)
  cluster.deliver()
  const informers = {
    cache: cluster.cache,
    hasSynced: () => isSynced,
    subscribe: (_kind: unknown, handler: ChangeHandler<Secret>) => {
      handler({ now: found })
      return () => undefined
    },
  } as unknown as Informers
  const stop = new AbortController()
  const kept = await openKeptTokens(directory, silentLog)
  const running = keepTokens(
    informers,
    kept,
    { clock: systemClock, log: silentLog, coalesceMs: 3_600_000 },
    stop.signal,
  )
  stop.abort(new Error('the server ends'))
  await running
}

it('keepTokens has on disk what it knew when the server ended, however soon that was', async () => {
  await liveShortlyWith(secret)
  expect((await openKeptTokens(directory, silentLog)).find(record.id)).toEqual({ kind: 'token', record })
  expect(await readFile(join(directory, 'join-tokens'), 'utf8')).not.toContain(text)
  const revoked = { ...secret, data: { ...secret.data, ...revocation(now).data } }
  await liveShortlyWith(revoked)
  const found = (await openKeptTokens(directory, silentLog)).find(record.id)
  expect(found?.kind === 'token' && found.record.revokedAt).toEqual(now)
})

it('keepTokens leaves the disk alone while the cluster is not known completely', async () => {
  await liveShortlyWith(secret)
  await liveShortlyWith({ ...secret, metadata: { ...secret.metadata, name: 'join-token-partial1' } }, false)
  expect((await openKeptTokens(directory, silentLog)).find(record.id)?.kind).toBe('token')
})
