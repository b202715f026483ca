import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DirectoryHost, directoryHost } from './directoryHost.ts'
import type { HostError, HostFiles } from './host.ts'
import { openRoot, withPlace } from './rootPath.ts'

/** A host root with a stranger's directory beside it: nothing may ever appear or change there. */
let base: string
let root: string
let host: DirectoryHost
const plain = { mode: 0o644, uid: 0, gid: 0 }

/** Root may still be forbidden to: in an unprivileged container. */
function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'mco-mount-'))
  const { status } = spawnSync('mount', ['--bind', directory, directory], { stdio: 'ignore' })
  if (status === 0) execFileSync('umount', [directory])
  rmSync(directory, { recursive: true })
  return status === 0
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mco-root-'))
  root = join(base, 'root')
  mkdirSync(join(root, 'etc'), { recursive: true })
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(base, 'outside/secret'), 'outside')
  host = directoryHost(root, { durable: false, mayChown: false })
})
afterEach(() => {
  host.close()
  expect(readdirSync(join(base, 'outside'))).toEqual(['secret'])
  expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('outside')
  expect(readdirSync(base).sort()).toEqual(['outside', 'root'])
  rmSync(base, { recursive: true, force: true })
})

describe('root-confined resolution', () => {
  it('resolves an absolute link inside the root, as a chroot would', async () => {
    mkdirSync(join(root, 'var/home'), { recursive: true })
    symlinkSync('/var/home', join(root, 'home'))
    await host.files.create('/home/a', Buffer.from('x'), plain)
    expect(readFileSync(join(root, 'var/home/a'), 'utf8')).toBe('x')
  })

  it.each([
    [
      'an absolute link to the outside',
      () => symlinkSync(join(base, 'outside'), join(root, 'etc/out')),
      '/etc/out/new',
    ],
    ['a relative link that climbs out', () => symlinkSync('../../outside', join(root, 'etc/out')), '/etc/out/new'],
    [
      'a chain of links',
      () => {
        symlinkSync('/etc/two', join(root, 'etc/one'))
        symlinkSync('three/../../../outside', join(root, 'etc/two'))
        mkdirSync(join(root, 'etc/three'))
      },
      '/etc/one/new',
    ],
  ])('never reaches the outside through %s', async (_name, plant, path) => {
    plant()
    // The link resolves inside the root, where no such directory exists.
    await expect(host.files.create(path, Buffer.from('x'), plain)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each(['/../outside/secret', '/etc/../../outside/secret', '/../../../../../../../etc/../../outside/secret'])(
    'keeps %s inside the root',
    async (path) => {
      expect(await host.files.status(path)).toBeUndefined()
    },
  )

  it('takes .. of the root as the root', async () => {
    await host.files.create('/../../etc/a', Buffer.from('x'), plain)
    expect(existsSync(join(root, 'etc/a'))).toBe(true)
  })

  it('refuses a loop of links', async () => {
    symlinkSync('/etc/b', join(root, 'etc/a'))
    symlinkSync('/etc/a', join(root, 'etc/b'))
    await expect(host.files.create('/etc/a/x', Buffer.from('x'), plain)).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it('does not write through a link in the last place', async () => {
    symlinkSync(join(base, 'outside/secret'), join(root, 'etc/conf'))
    await expect(host.files.create('/etc/conf', Buffer.from('x'), plain)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(host.files.append('/etc/conf', Buffer.from('x'))).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(host.files.read('/etc/conf')).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(host.files.setAttributes('/etc/conf', { ...plain, mode: 0 })).rejects.toMatchObject({ code: 'ELOOP' })
    await host.files.create('/etc/new', Buffer.from('x'), plain)
    await host.files.rename('/etc/new', '/etc/conf')
    expect(lstatSync(join(root, 'etc/conf')).isFile()).toBe(true)
  })

  it('removes a link to a directory, not what it points at', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'etc/out'))
    await host.files.removeTree('/etc/out')
    expect(existsSync(join(root, 'etc/out'))).toBe(false)
  })

  it('does not follow links planted at its own bookkeeping files', async () => {
    mkdirSync(join(root, 'var/lib'), { recursive: true })
    symlinkSync(join(base, 'outside'), join(root, 'var/lib/mco'))
    await expect(host.files.create('/etc/a', Buffer.from('x'), { mode: 0o600, uid: 5, gid: 5 })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it.runIf(mayMount())('takes a bind mount for what is there, and .. of it for its place in the tree', async () => {
    const other = mkdtempSync(join(tmpdir(), 'mco-mounted-'))
    mkdirSync(join(other, 'inner'))
    mkdirSync(join(root, 'etc/mounted'))
    const target = join(root, 'etc/mounted')
    execFileSync('mount', ['--bind', join(other, 'inner'), target])
    try {
      await host.files.create('/etc/mounted/file', Buffer.from('x'), plain)
      expect(readFileSync(join(other, 'inner/file'), 'utf8')).toBe('x')
      await host.files.create('/etc/mounted/../beside', Buffer.from('y'), plain)
      await host.files.createSymlink('/etc/up', 'mounted/../..')
      await host.files.create('/etc/up/top', Buffer.from('z'), plain)
      expect(readdirSync(other)).toEqual(['inner'])
      expect(readdirSync(join(root, 'etc')).sort()).toEqual(['beside', 'mounted', 'up'])
      expect(readFileSync(join(root, 'top'), 'utf8')).toBe('z')
    } finally {
      execFileSync('umount', [target])
      rmSync(other, { recursive: true })
    }
  })

  it('stays in the pinned directory when it is exchanged for a link between check and use', () => {
    mkdirSync(join(root, 'etc/app'))
    const pinned = openRoot(root)
    withPlace(pinned, '/etc/app/file', ({ access }) => {
      renameSync(join(root, 'etc/app'), join(root, 'etc/moved'))
      symlinkSync(join(base, 'outside'), join(root, 'etc/app'))
      writeFileSync(access, 'x')
    })
    expect(readdirSync(join(root, 'etc/moved'))).toEqual(['file'])
  })

  it('never reaches the outside while somebody exchanges a directory for a link again and again', async () => {
    mkdirSync(join(root, 'etc/app'))
    const swap = `const { renameSync: move, symlinkSync: link, unlinkSync: unlink } = require('node:fs')
      const [app, aside, outside] = process.argv.slice(1)
      for (;;) { move(app, aside); link(outside, app); unlink(app); move(aside, app) }`
    const paths = [join(root, 'etc/app'), join(root, 'etc/aside'), join(base, 'outside')]
    const attacker = spawn(process.execPath, ['-e', swap, ...paths], { stdio: 'ignore' })
    const outcomes = new Set<string>()
    try {
      for (let n = 0; n < 3000 && !(n > 500 && outcomes.size > 1); n += 1) {
        const write = (files: HostFiles) => files.create(`/etc/app/${n}`, Buffer.from('x'), plain)
        await (n % 2 === 0 ? write(host.files) : host.files.together(write)).then(
          () => outcomes.add('written'),
          (error: HostError) => outcomes.add(error.code),
        )
      }
    } finally {
      attacker.kill('SIGKILL')
      await once(attacker, 'exit')
    }
    // Else it was no race.
    expect(outcomes.size).toBeGreaterThan(1)
  })

  it('closes every handle it opened', () => {
    const pinned = openRoot(root)
    const open = () => readdirSync('/proc/self/fd').filter(isBelowBase).length
    mkdirSync(join(root, 'etc/x/y'), { recursive: true })
    const before = open()
    for (let n = 0; n < 50; n++) withPlace(pinned, '/etc/x/../x/y/z', () => n)
    for (let n = 0; n < 50; n++) expect(() => withPlace(pinned, '/etc/none/z', () => n)).toThrow()
    expect(open()).toBe(before)
  })

  it('stays inside for any tree of links and any path', async () => {
    const name = fc.constantFrom('a', 'b', 'c', '..', 'outside', '.')
    const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`)
    const target = fc.oneof(
      path,
      path.map((text) => text.slice(1)),
      fc.constant('../outside'),
      fc.constant(join(base, 'outside')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(path, target), { maxLength: 6 }), path, async (links, wanted) => {
        rmSync(root, { recursive: true, force: true })
        mkdirSync(join(root, 'a/b'), { recursive: true })
        const tree = directoryHost(root, { durable: false, mayChown: false })
        for (const [place, to] of links) await tree.files.createSymlink(place, to).catch(expectHostError)
        await tree.files.create(wanted, Buffer.from('x'), plain).catch(expectHostError)
        await tree.files.append(wanted, Buffer.from('y')).catch(expectHostError)
        await tree.files.removeTree(wanted).catch(expectHostError)
        tree.close()
        expect(readdirSync(join(base, 'outside'))).toEqual(['secret'])
        expect(readdirSync(base).sort()).toEqual(['outside', 'root'])
      }),
      { numRuns: 60 },
    )
  })
})

function expectHostError(error: unknown): void {
  expect(error).toMatchObject({ name: 'HostError' })
}

/** Only handles of this test count: other tests run in the same process. */
function isBelowBase(fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(base)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOENT' })
    return false
  }
}
