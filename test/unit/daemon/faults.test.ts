import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeAnnotation as key } from '../../../src/api/names.ts'
import { ApiError, type KubeApi } from '../../../src/kube/kubeApi.ts'
import { leftovers, newRoot, put, removeRoots, testHost, text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, kubeletUnit, nodeAt, type World } from '../../daemon/world.ts'
import { fakeClock } from '../../kube/fakeClock.ts'

const mounts: string[] = []
afterEach(async () => {
  // Lazily, since the daemon still watches there; before the roots are removed.
  for (const at of mounts.splice(0)) execFileSync('umount', ['-l', at])
  await endWorlds()
  removeRoots()
})

const isDegraded = (annotations: Readonly<Record<string, string>>) => annotations[key.state] === 'Degraded'
const reasonOf = async (it: World): Promise<string> => (await it.until(isDegraded))[key.reason] ?? ''

const mayMount = process.getuid?.() === 0 && canMount()

function canMount(): boolean {
  const at = join('/tmp', `mco-mount-${process.pid}`)
  mkdirSync(at, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at], { stdio: 'ignore' })
    execFileSync('umount', [at])
    return true
  } catch {
    // A container without the right to mount; the tests below then say that they were skipped.
    return false
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

/** A small filesystem of its own at a path of the host. */
function mountSmall(root: string, path: string, sizeKiB: number): (options: string) => void {
  const at = join(root, path)
  mkdirSync(at, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k`, 'tmpfs', at])
  mounts.push(at)
  return (options) => {
    execFileSync('mount', ['-o', `remount,${options}`, at])
  }
}

describe.skipIf(!mayMount)('a disk that cannot take an update (needs root and mount)', () => {
  it('that is full: everything is taken back, the step, the path and the remedy are named, and it goes on when there is room', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    const remount = mountSmall(it.root, 'data', 64)
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', '/data/big': 'x'.repeat(200_000) } })
    await it.desire('rendered-2')
    expect(await reasonOf(it)).toMatch(
      /^write \/data\/big \(mode 0644\): write \/data\/\.mco-\S+: ENOSPC, no space is left; free some on this filesystem/,
    )
    expect(text(it.root, 'etc/a')).toBe('1')
    expect(leftovers(it.root)).toEqual([])
    expect(statfsSync(join(it.root, 'data')).bfree).toBe(16)
    remount('size=1m')
    await it.stop()
    it.start()
    await it.until(isDoneAt('rendered-2'))
    expect(text(it.root, 'data/big').length).toBe(200_000)
  })

  it.each([
    ['with room for what is kept', 12_288],
    ['with no room at all', 16_384],
  ])('that is full where the journal is, %s: nothing is half written', async (_, fillerBytes) => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    const remount = mountSmall(it.root, 'var/lib/mco/journal', 16)
    await it.render({ name: 'rendered-2', files: { '/etc/a': 'x'.repeat(100_000) } })
    put(it.root, 'var/lib/mco/journal/filler', 'x'.repeat(fillerBytes))
    await it.desire('rendered-2')
    const second = it.start()
    expect(await reasonOf(it)).toMatch(/^(begin the journal of the update to|write .*:) .*ENOSPC, no space is left/)
    expect(text(it.root, 'etc/a')).toBe('1')
    expect(leftovers(it.root)).toEqual([])
    await second.stop()
    remount('size=1m')
    it.start()
    await it.until(isDoneAt('rendered-2'))
  })

  it('that fills up in the middle of a record: no part of it stays', async () => {
    const root = newRoot()
    mountSmall(root, 'data', 8)
    const { files } = testHost(root)
    await files.append('/data/log', Buffer.from('first\n'))
    await expect(files.append('/data/log', Buffer.alloc(20_000, 'x'))).rejects.toMatchObject({ code: 'ENOSPC' })
    await files.append('/data/log', Buffer.from('second\n'))
    expect(text(root, 'data/log')).toBe('first\nsecond\n')
  })

  it('that is read-only: named as such, and it goes on when it is writable', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    const remount = mountSmall(it.root, 'data', 64)
    remount('ro')
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', '/data/b': 'x' } })
    await it.desire('rendered-2')
    expect(await reasonOf(it)).toMatch(/^write \/data\/b .*EROFS, the filesystem is read-only; mount it writable/)
    expect(text(it.root, 'etc/a')).toBe('1')
    await it.stop()
    remount('rw')
    it.start()
    await it.until(isDoneAt('rendered-2'))
  })
})

describe('what a person must put right first', () => {
  it.each([
    [
      'a directory where a file should be',
      { '/etc/dir': 'x' },
      '/etc/dir should be a file but is a directory; move it away',
    ],
    [
      'an unknown user',
      { '/etc/b': { text: 'x', user: { name: 'ghost' } } },
      'failed to retrieve file ownership for file "/etc/b": failed to retrieve UserID for username: ghost',
    ],
    [
      'an unknown group',
      { '/etc/b': { text: 'x', group: { name: 'ghosts' } } },
      'failed to retrieve file ownership for file "/etc/b": failed to retrieve GroupID for group: ghosts',
    ],
  ])('is refused before anything is touched: %s', async (_name, files, reason) => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    mkdirSync(join(it.root, 'etc/dir'))
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', ...files } })
    await it.desire('rendered-2')
    expect(await reasonOf(it)).toContain(reason)
    expect(text(it.root, 'etc/a')).toBe('1')
    expect(it.drains).toEqual([])
    await it.desire('rendered-1')
    await it.until(isDoneAt('rendered-1'))
  })
})

describe('records of the daemon that are damaged', () => {
  const begun = { version: 2, id: 'x', from: 'rendered-1', to: 'rendered-2', bootId: '', steps: [], actions: [] }

  it('currentconfig: the node says what to do, and goes on when it is done', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    put(it.root, 'etc/machine-config-daemon/currentconfig', '{"metadata":{"na')
    const second = it.start()
    expect(await reasonOf(it)).toMatch(
      /currentconfig is not JSON; the disk may be damaged\. Remove it to let the node's annotations decide$/,
    )
    await second.stop()
    rmSync(join(it.root, 'etc/machine-config-daemon/currentconfig'))
    it.start()
    await it.until(isDoneAt('rendered-1'))
    expect(JSON.parse(text(it.root, 'etc/machine-config-daemon/currentconfig')).metadata.name).toBe('rendered-1')
  })

  it.each([
    ['the beginning', '{"version":2,\n{"kind":"applied"}\n'],
    ['a record', `${JSON.stringify(begun)}\n{"kind":"started"\n{"kind":"applied"}\n`],
  ])('%s of an open journal: the node says what to do, and goes on when it is done', async (_, damaged) => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    const directory = join(it.root, 'var/lib/mco/journal/current')
    put(it.root, 'var/lib/mco/journal/current/records', damaged)
    const second = it.start()
    expect(await reasonOf(it)).toMatch(
      /the disk may be damaged\. Move \/var\/lib\/mco\/journal\/current away to start over$/,
    )
    await second.stop()
    rmSync(directory, { recursive: true })
    it.start()
    await it.until(isDoneAt('rendered-1'))
  })
})

describe('a daemon that is told to end in the middle of an update', () => {
  it('brings the transaction to its end first; the next one completes it', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', '/etc/b': '2' }, units: [kubeletUnit] })
    await it.desire('rendered-2')
    await new Promise<void>((resolve, reject) => {
      const first = it.start({
        onProgress: ({ position }) => {
          if (position === 1) first.stop().then(resolve, reject)
        },
      })
    })
    expect(leftovers(it.root).filter((path) => path !== 'var/lib/mco/journal/current')).toEqual([])
    expect(text(it.root, 'etc/b')).toBe('2')
    expect(existsSync(join(it.root, 'etc/systemd/system/kubelet.service'))).toBe(true)
    it.start()
    await it.until(isDoneAt('rendered-2'))
  })
})

describe('an API server that is away for ten minutes in the middle of an update', () => {
  it('is waited for; then the update ends as if nothing had been', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    const clock = fakeClock(new Date())
    let isAway = false
    let refused = 0
    it.start({
      clock,
      kube: flaky(it.kube, () => {
        if (isAway) refused += 1
        return isAway
      }),
      onProgress: () => {
        isAway = true
      },
    })
    await it.desire('rendered-2')
    const awayUntil = clock.now().getTime() + 10 * 60_000
    for (const deadline = Date.now() + 20_000; !isDoneAt('rendered-2')(await it.annotations()); ) {
      if (Date.now() > deadline) throw new Error(`not Done: ${JSON.stringify(await it.annotations())}`)
      if (clock.now().getTime() > awayUntil) isAway = false
      if (isAway) await clock.advance(5_000)
      else await clock.advance(1_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    // Paced: seconds at first, a minute in the end.
    expect(refused).toBeGreaterThan(2)
    expect(refused).toBeLessThan(60)
    expect(text(it.root, 'etc/a')).toBe('2')
  })
})

describe('a clock that is set back by a day', () => {
  it('does not make a failed update wait for a day', async () => {
    let fails = true
    const it = await nodeAt({ name: 'rendered-1' })
    await it.stop()
    await it.render({ name: 'rendered-2', units: [kubeletUnit] })
    await it.desire('rendered-2')
    const clock = fakeClock(new Date())
    let backMs = 0
    it.start({
      clock: { ...clock, now: () => new Date(clock.now().getTime() - backMs) },
      directory: {
        serviceFault: (action) => {
          if (fails && action === 'enable') throw new Error('not now')
        },
      },
    })
    await it.until(isDegraded)
    fails = false
    backMs = 24 * 3_600_000
    for (const deadline = Date.now() + 15_000; !isDoneAt('rendered-2')(await it.annotations()); ) {
      if (Date.now() > deadline) throw new Error(`not Done: ${JSON.stringify(await it.annotations())}`)
      await clock.advance(10_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })
})

/** Every call of the daemon's own client fails while the server is away. */
function flaky(kube: KubeApi, isAway: () => boolean): KubeApi {
  return new Proxy(kube, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (isAway())
          throw new ApiError({
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            code: 503,
            reason: 'ServiceUnavailable',
            message: 'the server is away',
          })
        return member.apply(target, args)
      }
    },
  })
}
