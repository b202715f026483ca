import { describe, expect, it } from 'vitest'
import type { Host } from './host.ts'

export interface HostUnderTest {
  readonly host: Host
  /** A directory on the host in which the suite may do anything. */
  readonly scratch: string
  dispose(): Promise<void>
}

const plain = { mode: 0o644, uid: 0, gid: 0 }
const directory = { mode: 0o755, uid: 0, gid: 0 }

/** What every Host must do; runs unchanged against each implementation. */
export function hostContract(name: string, open: () => Promise<HostUnderTest>): void {
  const using = (use: (under: HostUnderTest) => Promise<void>) => async () => {
    const under = await open()
    try {
      await use(under)
    } finally {
      await under.dispose()
    }
  }

  describe(`${name} files`, () => {
    it(
      'answers undefined for a path that is not there, also below a file',
      using(async ({ host: { files }, scratch }) => {
        await files.create(`${scratch}/a`, Buffer.from('x'), plain)
        expect(await files.status(`${scratch}/none`)).toBeUndefined()
        expect(await files.status(`${scratch}/a/below`)).toBeUndefined()
      }),
    )
    it(
      'creates a file with content, mode and owner, once',
      using(async ({ host: { files }, scratch }) => {
        const attributes = { mode: 0o640, uid: 1000, gid: 1001 }
        await files.create(`${scratch}/a`, Buffer.from('content'), attributes)
        expect(await files.status(`${scratch}/a`)).toEqual({ kind: 'file', sizeBytes: 7, ...attributes })
        expect((await files.read(`${scratch}/a`)).toString()).toBe('content')
        await expect(files.create(`${scratch}/a`, Buffer.from('other'), plain)).rejects.toMatchObject({
          code: 'EEXIST',
        })
        expect((await files.read(`${scratch}/a`)).toString()).toBe('content')
      }),
    )
    it(
      'replaces a file by rename and keeps the owner of what was renamed',
      using(async ({ host: { files }, scratch }) => {
        await files.create(`${scratch}/a`, Buffer.from('old'), plain)
        await files.create(`${scratch}/b`, Buffer.from('new'), { mode: 0o600, uid: 7, gid: 8 })
        await files.rename(`${scratch}/b`, `${scratch}/a`)
        expect((await files.read(`${scratch}/a`)).toString()).toBe('new')
        expect(await files.status(`${scratch}/a`)).toMatchObject({ mode: 0o600, uid: 7, gid: 8 })
        expect(await files.status(`${scratch}/b`)).toBeUndefined()
      }),
    )
    it(
      'never follows the last component of a path',
      using(async ({ host: { files }, scratch }) => {
        await files.create(`${scratch}/target`, Buffer.from('kept'), plain)
        await files.createSymlink(`${scratch}/link`, 'target')
        expect(await files.status(`${scratch}/link`)).toMatchObject({ kind: 'symlink' })
        expect(await files.readLink(`${scratch}/link`)).toBe('target')
        await expect(files.read(`${scratch}/link`)).rejects.toMatchObject({ code: 'ELOOP' })
        await expect(files.append(`${scratch}/link`, Buffer.from('x'))).rejects.toMatchObject({ code: 'ELOOP' })
        await files.remove(`${scratch}/link`)
        expect((await files.read(`${scratch}/target`)).toString()).toBe('kept')
      }),
    )
    it(
      'follows links among the directories of a path',
      using(async ({ host: { files }, scratch }) => {
        await files.createDirectory(`${scratch}/real`, directory)
        await files.createSymlink(`${scratch}/alias`, `${scratch}/real`)
        await files.create(`${scratch}/alias/a`, Buffer.from('x'), plain)
        expect(await files.list(`${scratch}/real`)).toEqual(['a'])
      }),
    )
    it(
      'appends, lists sorted, and removes directories only when empty',
      using(async ({ host: { files }, scratch }) => {
        await files.createDirectory(`${scratch}/d`, { mode: 0o700, uid: 5, gid: 6 })
        expect(await files.status(`${scratch}/d`)).toMatchObject({ kind: 'directory', mode: 0o700, uid: 5, gid: 6 })
        await files.append(`${scratch}/d/log`, Buffer.from('one\n'))
        await files.append(`${scratch}/d/log`, Buffer.from('two\n'))
        await files.create(`${scratch}/d/a`, Buffer.from(''), plain)
        expect((await files.read(`${scratch}/d/log`)).toString()).toBe('one\ntwo\n')
        expect(await files.list(`${scratch}/d`)).toEqual(['a', 'log'])
        expect(await files.removeDirectory(`${scratch}/d`)).toBe(false)
        await files.removeTree(`${scratch}/d`)
        expect(await files.status(`${scratch}/d`)).toBeUndefined()
        await files.remove(`${scratch}/d`)
        expect(await files.removeDirectory(`${scratch}/d`)).toBe(false)
      }),
    )
    it(
      'changes mode and owner, also of a directory',
      using(async ({ host: { files }, scratch }) => {
        await files.createDirectory(`${scratch}/d`, directory)
        await files.setAttributes(`${scratch}/d`, { mode: 0o710, uid: 3, gid: 4 })
        expect(await files.status(`${scratch}/d`)).toMatchObject({ mode: 0o710, uid: 3, gid: 4 })
      }),
    )
    it.each([3, 50])('makes %i changes durable together', (count) =>
      using(async ({ host: { files }, scratch }) => {
        await files.createSymlink(`${scratch}/alias`, '.')
        const answer = await files.together(async (together) => {
          await together.create(`${scratch}/alias/through`, Buffer.from('a link'), plain)
          for (let n = 0; n < count; n += 1) {
            await together.create(`${scratch}/new`, Buffer.from(`${n}`), { ...plain, mode: n === 0 ? 0 : 0o644 })
            await together.rename(`${scratch}/new`, `${scratch}/${n}`)
          }
          await together.createDirectory(`${scratch}/gone`, directory)
          await together.create(`${scratch}/gone/a`, Buffer.from('x'), plain)
          await together.removeTree(`${scratch}/gone`)
          return 'done'
        })
        expect(answer).toBe('done')
        expect((await files.read(`${scratch}/${count - 1}`)).toString()).toBe(`${count - 1}`)
        expect(await files.list(scratch)).toHaveLength(count + 2)
      })(),
    )
    it(
      'follows its own renames of directories while it works on many paths',
      using(async ({ host: { files }, scratch }) => {
        await files.together(async (together) => {
          expect(await together.status(`${scratch}/a/file`)).toBeUndefined()
          await together.createDirectory(`${scratch}/a`, directory)
          await together.create(`${scratch}/a/file`, Buffer.from('first'), plain)
          await together.rename(`${scratch}/a`, `${scratch}/b`)
          await together.createDirectory(`${scratch}/a`, directory)
          await together.create(`${scratch}/a/file`, Buffer.from('second'), plain)
          expect((await together.read(`${scratch}/b/file`)).toString()).toBe('first')
        })
        expect((await files.read(`${scratch}/a/file`)).toString()).toBe('second')
      }),
    )
    it(
      'fails when somebody moves a directory away while files are written into it, and only then',
      using(async ({ host: { files }, scratch }) => {
        await files.createDirectory(`${scratch}/d`, directory)
        const write = files.together(async (together) => {
          await together.create(`${scratch}/d/one`, Buffer.from('x'), plain)
          await files.rename(`${scratch}/d`, `${scratch}/elsewhere`)
          await files.createDirectory(`${scratch}/d`, directory)
          await together.create(`${scratch}/d/two`, Buffer.from('x'), plain)
        })
        await expect(write).rejects.toMatchObject({ code: 'ESTALE', path: `${scratch}/d` })
        const read = files.together(async (together) => {
          expect((await together.read(`${scratch}/elsewhere/one`)).toString()).toBe('x')
          await files.rename(`${scratch}/elsewhere`, `${scratch}/away`)
          return together.status(`${scratch}/elsewhere/one`)
        })
        expect(await read).toMatchObject({ kind: 'file' })
      }),
    )
    it(
      'reads a file whole that is longer or shorter than it was',
      using(async ({ host: { files }, scratch }) => {
        await files.create(`${scratch}/a`, Buffer.from('four'), plain)
        for (const bytes of [0, 3, 4, 5, 9000])
          expect((await files.read(`${scratch}/a`, bytes)).toString()).toBe('four')
      }),
    )
    it(
      'makes hard links',
      using(async ({ host: { files }, scratch }) => {
        await files.create(`${scratch}/a`, Buffer.from('x'), plain)
        await files.createHardLink(`${scratch}/b`, `${scratch}/a`)
        expect((await files.read(`${scratch}/b`)).toString()).toBe('x')
      }),
    )
    it(
      'refuses a relative path and one with a NUL character',
      using(async ({ host: { files } }) => {
        await expect(files.status('etc/hosts')).rejects.toMatchObject({ code: 'EINVAL' })
        await expect(files.status('/etc/ho\0sts')).rejects.toMatchObject({ code: 'EINVAL' })
      }),
    )
  })

  describe(`${name} services`, () => {
    const unit = '/etc/systemd/system/mco-contract.service'
    const text = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n'
    it(
      'enables and disables a unit that has an [Install] section',
      using(async ({ host: { files, services } }) => {
        expect(await services.unitFileState('mco-contract.service')).toBe('not-found')
        await files.create(unit, Buffer.from(text), plain)
        expect(await services.unitFileState('mco-contract.service')).toBe('disabled')
        await services.enable(['mco-contract.service'])
        expect(await services.unitFileState('mco-contract.service')).toBe('enabled')
        await services.enable(['mco-contract.service'])
        await services.disable(['mco-contract.service'])
        expect(await services.unitFileState('mco-contract.service')).toBe('disabled')
      }),
    )
    it(
      'reports a mask and refuses to enable through it',
      using(async ({ host: { files, services } }) => {
        await files.createSymlink(unit, '/dev/null')
        expect(await services.unitFileState('mco-contract.service')).toBe('masked')
        await expect(services.enable(['mco-contract.service'])).rejects.toThrow(/masked/)
      }),
    )
    it(
      'has nothing to end of a unit that was taken away or masked before it ran',
      using(async ({ host: { files, services } }) => {
        await files.create(unit, Buffer.from(text), plain)
        await files.remove(unit)
        await services.restart('mco-contract.service', { mayBeGone: true })
        await services.reload('mco-contract.service', { mayBeGone: true })
        await files.createSymlink(unit, '/dev/null')
        await services.restart('mco-contract.service', { mayBeGone: true })
        await expect(services.restart('mco-contract.service')).rejects.toThrow(/masked/)
      }),
    )
    it(
      'enables one instance of a template, and no other',
      using(async ({ host: { files, services } }) => {
        const text = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n'
        await files.create('/etc/systemd/system/mco-contract@.service', Buffer.from(text), plain)
        try {
          await services.enable(['mco-contract@one.service'])
          expect(await services.unitFileState('mco-contract@one.service')).toBe('enabled')
          expect(await services.unitFileState('mco-contract@two.service')).toBe('disabled')
          await services.disable(['mco-contract@one.service'])
          expect(await services.unitFileState('mco-contract@one.service')).toBe('disabled')
        } finally {
          await files.remove('/etc/systemd/system/mco-contract@.service')
        }
      }),
    )
    it(
      'fails to enable a unit that does not exist',
      using(async ({ host: { services } }) => {
        await expect(services.enable(['mco-none.service'])).rejects.toThrow(/does not exist/)
      }),
    )
  })

  describe(`${name} machine`, () => {
    it(
      'has a stable boot id that a reboot changes',
      using(async ({ host: { power } }) => {
        const before = await power.bootId()
        expect(before).not.toBe('')
        expect(await power.bootId()).toBe(before)
      }),
    )
    it(
      'holds off reboots until released, several at a time',
      using(async ({ host: { power } }) => {
        const [one, other] = [await power.holdOff('contract'), await power.holdOff('contract')]
        await one.release()
        await other.release()
      }),
    )
    it(
      'answers for each capability that it works or why not',
      using(async ({ host }) => {
        for (const capability of [
          host.kernelArguments,
          host.osImage,
          host.kernelType,
          host.packages,
          host.trustStore,
        ]) {
          if (capability.kind === 'unsupported') expect(capability.reason).not.toBe('')
          else expect(capability.use).toBeTypeOf('object')
        }
      }),
    )
  })
}
