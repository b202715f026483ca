import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute, type RunningCluster, up } from '../harness.ts'
import { configMap, configMaps, merge, type RawApi, rawApi } from './rawApi.ts'
import { randomWrites } from './watching.ts'
import { watchLog } from './watchLog.ts'

const args = ['--nodes', '1']

/** What survives kill -9, a full disk, damaged data and a second process. */
export function durability(directory: string): Readonly<Record<string, () => Promise<void>>> {
  const dataDir = join(directory, 'durable')
  const started = async (): Promise<readonly [RunningCluster, RawApi]> => {
    const cluster = await up({ dataDir, args, waitForReady: false })
    return [cluster, rawApi(cluster)]
  }
  return {
    'kill -9 under 20 writers: nothing acknowledged is lost, nothing is torn, no watch is misled': async () => {
      for (let round = 0; round < 3; round += 1) {
        const [cluster, api] = await started()
        const acknowledged = new Map<string, string>()
        let version = ''
        const writers = Array.from({ length: 20 }, async (_, writer) => {
          for (let index = 0; ; index += 1) {
            const text = `${round}-${writer}-${index} `.repeat(200)
            const name = `kill-${writer}-${index % 5}`
            const body = configMap(name, { text, hash: hashOf(text) })
            const path = `${configMaps}/${name}?fieldManager=w`
            const answer = await api
              .call('PATCH', path, body, { headers: { 'content-type': 'application/apply-patch+yaml' } })
              .catch(() => undefined)
            if (!answer) return
            assert.ok(answer.status < 300, answer.bytes.toString())
            acknowledged.set(name, text)
            version = answer.body.metadata.resourceVersion
          }
        })
        await new Promise((resolve) => setTimeout(resolve, 700 + round * 300))
        await cluster.kill()
        await Promise.all(writers)
        api.close()
        const [again, newApi] = await started()
        const { items, metadata } = await newApi.ok('GET', configMaps)
        const found = new Map<string, { text: string; hash: string }>(
          items.map((item: { metadata: { name: string }; data: object }) => [item.metadata.name, item.data]),
        )
        assert.ok(acknowledged.size > 20, `only ${acknowledged.size} objects were written`)
        assert.ok(Number(metadata.resourceVersion) >= Number(version))
        for (const [name, text] of acknowledged) {
          const now = found.get(name)
          assert.equal(now?.hash, hashOf(now?.text ?? ''), `${name} is torn`)
          assert.ok(indexOf(now?.text) >= indexOf(text), `${name} lost an acknowledged write`)
        }
        const watch = await watchLog(newApi, `${configMaps}?watch=1&resourceVersion=${version}`)
        await newApi.ok('POST', configMaps, configMap(`after-${round}`))
        const first = await watch.until(() => true, 'the first event after the restart')
        assert.equal(
          first.type === 'ERROR' ? first.object.code : first.type === 'ADDED' || first.type === 'MODIFIED',
          first.type === 'ERROR' ? 410 : true,
        )
        watch.close()
        newApi.close()
        await again.kill()
      }
    },
    'a watch from before a restart goes on without a gap or is told to list again': async () => {
      const [cluster, api] = await started()
      const { resourceVersion } = (await api.ok('GET', configMaps)).metadata
      await randomWrites(api, 200)
      await cluster.stop()
      api.close()
      const [again, newApi] = await started()
      const watch = await watchLog(newApi, `${configMaps}?watch=1&resourceVersion=${resourceVersion}`)
      await watch.ended
      assert.deepEqual(
        watch.events.map(({ object }) => object.code),
        [410],
      )
      newApi.close()
      await again.stop()
    },
    '5,000 objects: start-up stays short, updates of one do not grow the file for ever': async () => {
      const [cluster, api] = await started()
      let next = 0
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          for (; next < 5000; )
            await api.call('POST', configMaps, configMap(`many-${next++}`, { text: 'x'.repeat(2000) }))
        }),
      )
      await cluster.kill()
      api.close()
      const begun = Date.now()
      const [again, newApi] = await started()
      const startMs = Date.now() - begun
      assert.equal((await newApi.ok('GET', `${configMaps}?limit=5000&resourceVersion=0`)).items.length >= 5000, true)
      const file = join(dataDir, 'objects.lmdb')
      const update = (index: number) =>
        newApi.ok('PATCH', `${configMaps}/many-0`, { data: { n: String(index) } }, merge)
      let updates = 0
      const hammer = async (until: number) =>
        void (await Promise.all(
          Array.from({ length: 50 }, async () => {
            for (; updates < until; ) await update(updates++)
          }),
        ))
      await hammer(2000)
      const sizeBefore = (await stat(file)).size
      await hammer(8000)
      const growth = (await stat(file)).size - sizeBefore
      assert.ok(growth < 8 * 1024 * 1024, `6,000 updates of one object grew the file by ${growth} bytes`)
      assert.ok(startMs < 8000, `start-up took ${startMs} ms`)
      console.log(`      start-up with 5,000 objects ${startMs} ms; 6,000 updates grew the file by ${growth >> 10} KiB`)
      newApi.close()
      await again.stop()
    },
    'a second process, damaged data and impossible directories are one sentence each': async () => {
      const [cluster, api] = await started()
      await refused(dataDir, /is in use by process \d+; stop it or choose another directory/)
      assert.equal((await api.call('GET', '/readyz')).status, 200)
      api.close()
      await cluster.stop()
      const file = 'objects.lmdb'
      const foreign = join(directory, 'foreign')
      await mkdir(foreign)
      await writeFile(join(foreign, file), 'hello\n'.repeat(5000))
      await refused(foreign, /cannot be used: it is not a database/)
      const cut = join(directory, 'cut')
      await mkdir(cut)
      await cp(join(dataDir, file), join(cut, file))
      await truncate(join(cut, file), 100_000)
      await refused(cut, /cannot be used: it is cut off: 100000 bytes of \d+/)
      await writeFile(join(directory, 'plain'), '')
      await refused(join(directory, 'plain'), /cannot keep data in .*plain: /)
    },
    'a full disk fails writes, loses nothing, and is over when there is room': async () => {
      const small = await mkdtemp(join(tmpdir(), 'mco-small-'))
      const mounted = await execute('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', small])
      if (mounted.code !== 0) {
        console.log('      skipped: a small file system cannot be mounted here')
        return
      }
      try {
        const cluster = await up({ dataDir: small, args })
        const api = rawApi(cluster)
        const kept: string[] = []
        let refusals = 0
        for (let index = 0; index < 400 && refusals < 5; index += 1) {
          const name = `full-${index}`
          const { status } = await api.call('POST', configMaps, configMap(name, { text: 'x'.repeat(100_000) }))
          if (status === 201) kept.push(name)
          else refusals += 1
        }
        assert.equal(refusals, 5, 'the disk never got full')
        const names = async (from: RawApi) =>
          new Set(
            (await from.ok('GET', configMaps)).items.map((item: { metadata: { name: string } }) => item.metadata.name),
          )
        const present = await names(api)
        assert.deepEqual(
          kept.filter((name) => !present.has(name)),
          [],
        )
        await execute('mount', ['-o', 'remount,size=40m', small])
        await api.ok('POST', configMaps, configMap('room-again'))
        await cluster.kill()
        api.close()
        const again = await up({ dataDir: small, args, waitForReady: false })
        const newApi = rawApi(again)
        const after = await names(newApi)
        assert.deepEqual(
          [...kept, 'room-again'].filter((name) => !after.has(name)),
          [],
        )
        newApi.close()
        await again.kill()
      } finally {
        await execute('umount', ['-l', small])
        await rm(small, { recursive: true, force: true })
      }
    },
  }
}

async function refused(dataDir: string, message: RegExp): Promise<void> {
  const { code, stderr } = await execute('bin/mco', ['up', '--data', dataDir, '--port', '0', ...args], {
    timeoutMs: 20_000,
  })
  assert.match(stderr, message)
  assert.doesNotMatch(stderr, /^\s+at |internal error/m)
  assert.equal(code, 3, stderr)
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Writes of one writer are numbered. */
const indexOf = (text = ''): number => {
  const [round = 0, , index = -1] = (text.split(' ')[0] ?? '').split('-').map(Number)
  return round * 1_000_000 + index
}
