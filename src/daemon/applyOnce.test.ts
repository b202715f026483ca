import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ConfigInput,
  config,
  leftovers,
  newRoot,
  put,
  removeRoots,
  testHost,
  text,
  tree,
} from '../../test/daemon/builders.ts'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import type { DirectoryHostOptions } from '../host/directoryHost.ts'
import { supported } from '../host/host.ts'
import { applyOnce } from './applyOnce.ts'
import { Crash } from './transaction.ts'

afterEach(removeRoots)

const policies = defaultPolicies
const engineAt = (root: string, input: ConfigInput, directory: DirectoryHostOptions = {}) => {
  const host = testHost(root, directory)
  return { host, engine: applyOnce(host, config(input), { policies }) }
}

describe('applyOnce', () => {
  it('plans without touching, applies with progress, and takes it back byte for byte', async () => {
    const root = newRoot({ 'etc/motd': 'vendor' })
    const before = tree(root)
    const { engine } = engineAt(root, {
      name: 'one',
      files: { '/etc/motd': 'ours', '/opt/new/file': 'x' },
      units: [{ name: 'a.service', contents: '[Install]\nWantedBy=m.target\n', enabled: true }],
      kernelArguments: ['nosmt'],
    })
    const plan = await engine.plan()
    expect(tree(root)).toEqual(before)
    expect(plan).toMatchObject({ from: 'mco-empty-mc', to: 'one', drift: [] })
    const seen: number[] = []
    expect(await engine.run(plan, ({ position }) => seen.push(position))).toMatchObject({
      kind: 'applied',
      rebootNeeded: true,
    })
    expect(seen).toEqual(seen.map((_, index) => index + 1))
    expect(text(root, 'etc/motd')).toBe('ours')
    expect(await engine.undoLast()).toEqual({
      kind: 'undone',
      from: 'one',
      to: 'mco-empty-mc',
      rebootNeeded: true,
    })
    const after = tree(root)
    // The boot loader's list is there now, empty as it was in effect.
    expect(after['boot/mco-kernel-arguments']).toBe('644 ')
    delete after['boot/mco-kernel-arguments']
    expect(after).toEqual(before)
    expect(leftovers(root)).toEqual([])
    expect(await engine.undoLast()).toEqual({ kind: 'nothing' })
  })

  it('does not take back over a change by hand unless forced', async () => {
    const root = newRoot()
    const { engine } = engineAt(root, { name: 'one', files: { '/etc/a': '1' } })
    await engine.run(await engine.plan())
    put(root, 'etc/a', 'by hand')
    expect(await engine.undoLast()).toEqual({ kind: 'changedSince', paths: ['/etc/a'] })
    expect(text(root, 'etc/a')).toBe('by hand')
    expect(await engine.undoLast({ force: true })).toMatchObject({ kind: 'undone' })
    expect(tree(root)['etc/a']).toBeUndefined()
  })

  it('has nothing to do the second time', async () => {
    const root = newRoot()
    const { engine } = engineAt(root, { name: 'one', files: { '/etc/a': '1' }, keys: ['k'] })
    await engine.run(await engine.plan())
    const again = await engine.plan()
    expect(again.prepared).toMatchObject({ kind: 'ready', plan: { steps: [] } })
  })

  it('shows where the machine differs from what it should be', async () => {
    const root = newRoot()
    const { engine } = engineAt(root, { name: 'one', files: { '/etc/a': '1' } })
    await engine.run(await engine.plan())
    put(root, 'etc/a', '2')
    expect((await engine.plan()).drift).toEqual([
      { kind: 'file', path: '/etc/a', message: 'content mismatch for file "/etc/a"' },
    ])
  })

  it('keeps every write of a config below the root, whatever links an earlier config made', async () => {
    const root = newRoot({ 'tmp/keep': '' })
    const links = [
      { path: '/etc/up', target: '../../../../../../tmp' },
      { path: '/etc/absolute', target: '/tmp' },
    ]
    const files = { '/etc/up/mco-escape-1': 'x', '/etc/absolute/mco-escape-2': 'x' }
    const { engine: first } = engineAt(root, { name: 'one', storage: { links } })
    await first.run(await first.plan())
    const { engine } = engineAt(root, { name: 'two', files })
    await engine.run(await engine.plan())
    expect(existsSync('/tmp/mco-escape-1')).toBe(false)
    expect(existsSync('/tmp/mco-escape-2')).toBe(false)
    expect(text(root, 'tmp/mco-escape-1') + text(root, 'tmp/mco-escape-2')).toBe('xx')
  })

  it('undoes when a service action fails', async () => {
    const root = newRoot()
    const { engine: first } = engineAt(root, { name: 'one', files: { '/etc/containers/policy.json': '1' } })
    await first.run(await first.plan())
    const readWhenReloaded: string[] = []
    const { engine } = engineAt(
      root,
      { name: 'two', files: { '/etc/containers/policy.json': '2' } },
      {
        serviceFault: (action) => {
          if (action !== 'reload') return
          readWhenReloaded.push(text(root, 'etc/containers/policy.json'))
          if (readWhenReloaded.length === 1) throw new Error('not loaded')
        },
      },
    )
    expect(await engine.run(await engine.plan())).toMatchObject({
      kind: 'failed',
      undone: true,
      message: expect.stringContaining('not loaded'),
    })
    expect(text(root, 'etc/containers/policy.json')).toBe('1')
    // The service that refused the new file has the old one again.
    expect(readWhenReloaded).toEqual(['2', '1'])
  })

  it('gives services what is on disk after the last change is taken back', async () => {
    const root = newRoot()
    const readWhenReloaded: string[] = []
    const serviceFault = (action: string): void => {
      if (action === 'reload') readWhenReloaded.push(text(root, 'etc/containers/policy.json'))
    }
    for (const content of ['1', '2']) {
      const input = { name: content, files: { '/etc/containers/policy.json': content } }
      const { engine } = engineAt(root, input, { serviceFault })
      await engine.run(await engine.plan())
    }
    const { engine } = engineAt(root, {}, { serviceFault })
    expect(await engine.undoLast()).toMatchObject({ kind: 'undone', to: '1' })
    expect(readWhenReloaded.slice(-2)).toEqual(['2', '1'])
  })

  it('holds reboots off while it writes, acts on services and takes back', async () => {
    const root = newRoot()
    const holds: string[] = []
    const acted: string[] = []
    const host = testHost(root, { serviceFault: (action) => acted.push(`${action}: ${holds.join()}`) })
    const holdOff = async (why: string) => {
      holds.push(why)
      return { release: async () => void holds.splice(holds.indexOf(why), 1) }
    }
    const held = { ...host, power: { ...host.power, holdOff } }
    const engine = applyOnce(held, config({ name: 'one', files: { '/etc/containers/policy.json': '1' } }), { policies })
    await engine.run(await engine.plan())
    await engine.undoLast()
    expect(acted).toEqual(['reload: finishing the change to one', 'reload: bringing this machine back to mco-empty-mc'])
    expect(holds).toEqual([])
  })

  it('refuses what the host cannot do', async () => {
    const { engine } = engineAt(newRoot(), { name: 'one', osImageURL: 'quay.io/x@sha256:1' })
    const outcome = await engine.run(await engine.plan())
    expect(outcome).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('the OS image cannot be switched on this host'),
    })
  })

  it('refuses kernel arguments that the host cannot write, before anything is touched', async () => {
    const root = newRoot()
    const host = testHost(root)
    if (host.kernelArguments.kind === 'unsupported') throw new Error(host.kernelArguments.reason)
    const refusal = (list: readonly string[]) => (list.includes('a="b c"') ? 'no blanks' : undefined)
    const choosy = { ...host, kernelArguments: supported({ ...host.kernelArguments.use, refusal }) }
    const before = tree(root)
    const input = { name: 'one', files: { '/etc/a': '1' }, kernelArguments: ['nosmt a="b c"'] }
    const engine = applyOnce(choosy, config(input), { policies })
    expect(await engine.run(await engine.plan())).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('kernel arguments cannot be changed on this host: no blanks'),
    })
    expect(tree(root)).toEqual(before)
  })

  it('recovers first: an interrupted run is undone', async () => {
    const root = newRoot()
    const before = tree(root)
    const checkpoint = (point: string): void => {
      if (point === 'rename after /etc/a') throw new Crash(point)
    }
    const input = { name: 'one', files: { '/etc/a': '1', '/etc/b': '1' } }
    const { engine: crashing } = engineAt(root, input, { checkpoint })
    await expect(crashing.run(await crashing.plan())).rejects.toThrow(Crash)
    expect(text(root, 'etc/a')).toBe('1')
    const { engine } = engineAt(root, input)
    expect(await engine.recover()).toMatchObject({ kind: 'undone', to: 'one' })
    expect(tree(root)).toEqual(before)
  })

  describe('killed when everything is on disk', () => {
    const policyFile = '/etc/containers/policy.json'
    const services = (root: string): string => (existsSync(`${root}${log}`) ? text(root, log.slice(1)) : '')
    const log = '/var/lib/mco/services.log'

    const isApplied = (root: string): boolean => {
      const records = 'var/lib/mco/journal/current/records'
      return existsSync(`${root}/${records}`) && text(root, records).includes('"applied"')
    }

    /** At `one`, and killed on the way to `two`. */
    const killedWhen = async (isTime: (root: string, point: string) => boolean): Promise<string> => {
      const root = newRoot()
      const { engine: first } = engineAt(root, { name: 'one', files: { [policyFile]: '1' } })
      await first.run(await first.plan())
      const checkpoint = (point: string): void => {
        if (isTime(root, point)) throw new Crash(point)
      }
      const { engine } = engineAt(root, { name: 'two', files: { [policyFile]: '2' } }, { checkpoint })
      await expect(engine.run(await engine.plan())).rejects.toThrow(Crash)
      expect(text(root, policyFile.slice(1))).toBe('2')
      return root
    }

    it('does the service actions that are left', async () => {
      const root = await killedWhen(isApplied)
      const before = services(root)
      const { engine } = engineAt(root, { name: 'two', files: { [policyFile]: '2' } })
      expect(await engine.recover()).toMatchObject({ kind: 'committed', to: 'two' })
      expect(services(root).slice(before.length)).toContain('reload')
      expect(await engine.recover()).toEqual({ kind: 'clean' })
    })

    it('gives services what is on disk when an undo was killed, too', async () => {
      const root = await killedWhen(isApplied)
      const readWhenReloaded: string[] = []
      const died = new Crash('in the undo')
      const { engine: dying } = engineAt(
        root,
        { name: 'two' },
        {
          serviceFault: (action) => {
            if (action === 'reload') throw new Error('not loaded')
          },
          checkpoint: (point) => {
            if (point === `rename before ${policyFile}`) throw died
          },
        },
      )
      await expect(dying.recover()).rejects.toThrow(died)
      const serviceFault = (action: string): void => {
        if (action === 'reload') readWhenReloaded.push(text(root, policyFile.slice(1)))
      }
      const { engine } = engineAt(root, { name: 'one' }, { serviceFault })
      expect(await engine.recover()).toMatchObject({ kind: 'undone', to: 'two' })
      expect(readWhenReloaded).toEqual(['1'])
    })

    it('undoes when a service refuses then', async () => {
      const root = await killedWhen(isApplied)
      const serviceFault = (action: string): void => {
        if (action === 'reload') throw new Error('not loaded')
      }
      const { engine } = engineAt(root, { name: 'two' }, { serviceFault })
      expect(await engine.recover()).toMatchObject({ kind: 'undone', because: expect.stringContaining('not loaded') })
      expect(text(root, policyFile.slice(1))).toBe('1')
    })

    it.each([
      ['in the middle of forgetting the change before it', /^removeTree entry .*\/journal\/last\//, 'committed'],
      ['right before it is the last change', /^rename before .*\/journal\/last$/, 'committed'],
      ['right after', /^rename half .*\/journal\/last$/, 'clean'],
    ])('can be taken back, and not the change before it, when killed %s', async (_, where, found) => {
      const root = await killedWhen((_root, point) => where.test(point))
      const before = services(root)
      const { engine } = engineAt(root, { name: 'two' })
      expect(await engine.recover()).toMatchObject({ kind: found })
      expect(services(root)).toBe(before)
      expect(await engine.undoLast()).toEqual({
        kind: 'undone',
        from: 'two',
        to: 'one',
        rebootNeeded: false,
      })
      expect(text(root, policyFile.slice(1))).toBe('1')
      expect(await engine.undoLast()).toEqual({ kind: 'nothing' })
    })
  })
})
