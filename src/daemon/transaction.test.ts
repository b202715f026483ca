import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { config, leftovers, newRoot, put, removeRoots, testHost, text, tree } from '../../test/daemon/builders.ts'
import { hostAt, machineAtOld, next, old, update } from '../../test/daemon/updateCase.ts'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import type { HostFiles } from '../host/host.ts'
import { openJournal } from './journal.ts'
import { emptyLoadedConfig } from './loadConfig.ts'
import { prepareUpdate } from './prepareUpdate.ts'
import { recover } from './recover.ts'
import { applyPlan, TransactionFailed } from './transaction.ts'

afterEach(removeRoots)

describe('applyPlan', () => {
  it('brings a host to the new config and back, byte for byte, without leftovers', async () => {
    const root = await machineAtOld()
    const before = tree(root)
    expect(before['etc/vendor.conf']).toBe('644 ours')
    await update(root, old, next)
    const after = tree(root)
    expect(after['etc/change']).toBe('600 new')
    expect(after['etc/new/deep/file']).toBe('644 new')
    expect(after['etc/drop']).toBeUndefined()
    expect(after['etc/vendor.conf']).toBe('644 vendor')
    expect(after['etc/systemd/system/two.target.wants/a.service']).toBe('-> /etc/systemd/system/a.service')
    expect(after['etc/systemd/system/one.target.wants/a.service']).toBeUndefined()
    expect(after['etc/systemd/system/b.service']).toBeUndefined()
    expect(after['etc/systemd/system/c.target.wants/c.service']).toBeUndefined()
    expect(after['home/core/.ssh/authorized_keys.d/ignition']).toBe('600 ssh-ed25519 new\n')
    expect(after['home/core/.ssh/config']).toBeUndefined()
    expect(after['etc/shadow']).toContain('core:$6$x:')
    expect(after['boot/mco-kernel-arguments']).toBe('644 audit=1\n')
    expect(leftovers(root)).toEqual([])
    await update(root, next, config({ ...{}, name: 'rendered-empty' }))
    expect(leftovers(root)).toEqual([])
  })

  it('has each step announced on the disk before it begins, and what it replaces before that is gone', async () => {
    const root = await machineAtOld()
    const { host, journal } = hostAt(root)
    const { files, events } = sessionsOf(host.files)
    const prepared = await prepareUpdate(host, old, next, { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    const recorded = { ...host, files }
    const names = { id: 't1', from: 'a', to: 'b', actions: [] }
    await applyPlan({ host: recorded, journal: openJournal(files), plan: prepared.plan, ...names })
    const inJournal = (event: SessionEvent) => event.path.startsWith('/var/lib/mco/journal/')
    const isDurable = (event: SessionEvent, before: number) =>
      events.findIndex(({ what, session }) => what === 'durable' && session === event.session) < before
    let seen = 0
    for (const [index, event] of events.entries()) {
      if (event.what === 'durable' || inJournal(event)) continue
      const written = events.slice(0, index).filter(inJournal)
      const needed = event.what === 'create' ? written.filter(({ what }) => what === 'append') : written
      expect(needed.length, event.path).toBeGreaterThan(0)
      for (const one of needed) expect(isDurable(one, index), `${one.path} before ${event.path}`).toBe(true)
      seen += 1
    }
    expect(seen).toBeGreaterThan(10)
    await journal.close()
    host.close()
  })

  it('undoes everything when a step fails, last first, and says which', async () => {
    const root = await machineAtOld()
    const before = tree(root)
    const host = testHost(root, {
      serviceFault: (action, name) => {
        if (action === 'enable' && name.includes('d.service')) throw new Error('no such target')
      },
    })
    const journal = openJournal(host.files)
    const prepared = await prepareUpdate(host, old, next, { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    const failure = await applyPlan({
      host,
      journal,
      plan: prepared.plan,
      id: 't1',
      from: 'a',
      to: 'b',
      actions: [],
    }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TransactionFailed)
    expect(failure).toMatchObject({
      undoErrors: [],
      step: { kind: 'enableUnits' },
      message: 'enable a.service d.service: no such target',
    })
    expect(tree(root)).toEqual(before)
    expect(leftovers(root)).toEqual([])
    host.close()
  })

  it('refuses to start while another update is open', async () => {
    const root = await machineAtOld()
    const { host, journal } = hostAt(root)
    const plan = { steps: [], contents: new Map(), refusals: [], problems: [], notes: [] }
    await applyPlan({ host, journal, plan, id: 'a', from: 'a', to: 'b', actions: [] })
    await expect(applyPlan({ host, journal, plan, id: 'b', from: 'a', to: 'b', actions: [] })).rejects.toThrow(
      /still open/,
    )
    host.close()
  })
})

describe('undo', () => {
  it.each([
    ['a unit', { units: [{ name: 'a.service', contents: '[Service]\n' }] }, ['daemon-reload']],
    ['a drop-in', { files: { '/etc/systemd/system/b.service.d/x.conf': '[Unit]\n' } }, ['daemon-reload']],
    ['an ordinary file', { files: { '/etc/a': '1' } }, []],
  ])('of %s has the service manager read its units again, with reboots held off', async (_, input, expected) => {
    const root = newRoot()
    const held: string[] = []
    const actions: string[] = []
    const { power, ...directory } = testHost(root, {
      serviceFault: (action) => actions.push(held.length > 0 ? action : `${action} unheld`),
    })
    const holdOff = async (why: string) => {
      held.push(why)
      return { release: async () => void held.pop() }
    }
    const host = { ...directory, power: { ...power, holdOff } }
    const journal = openJournal(host.files)
    const prepared = await prepareUpdate(host, emptyLoadedConfig, config(input), { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    await applyPlan({ host, journal, plan: prepared.plan, id: 't1', from: 'a', to: 'b', actions: [] })
    expect(held).toEqual([])
    actions.length = 0
    await journal.record({ kind: 'undoing', reason: 'test' })
    expect(await recover(host, journal)).toMatchObject({ kind: 'undone' })
    expect(actions).toEqual(expected)
    expect(held).toEqual([])
    host.close()
  })

  it('that the service manager does not take up stays open, and is done at the next start', async () => {
    const root = newRoot()
    let isBroken = true
    const host = testHost(root, {
      serviceFault: (action) => {
        if (isBroken && action === 'daemon-reload') throw new Error('no bus')
      },
    })
    const journal = openJournal(host.files)
    const next = config({ units: [{ name: 'a.service', contents: '[Service]\n' }] })
    const prepared = await prepareUpdate(host, emptyLoadedConfig, next, { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    await applyPlan({ host, journal, plan: prepared.plan, id: 't1', from: 'a', to: 'b', actions: [] })
    await journal.record({ kind: 'undoing', reason: 'test' })
    expect(await recover(host, journal)).toMatchObject({
      kind: 'undoFailed',
      errors: ['have the service manager read its units again: no bus'],
    })
    isBroken = false
    expect(await recover(host, journal)).toMatchObject({ kind: 'undone' })
    expect(tree(root)['etc/systemd/system/a.service']).toBeUndefined()
    expect(leftovers(root)).toEqual([])
    host.close()
  })

  it('refuses to restore a saved content that was damaged', async () => {
    const root = await machineAtOld()
    const { host, journal } = hostAt(root)
    const prepared = await prepareUpdate(host, old, next, { policies: defaultPolicies })
    if (prepared.kind !== 'ready') throw new Error(prepared.message)
    await applyPlan({ host, journal, plan: prepared.plan, id: 't1', from: 'a', to: 'b', actions: [] })
    await journal.record({ kind: 'undoing', reason: 'test' })
    const saved = 'var/lib/mco/journal/current'
    const kept = readdirSync(join(root, saved)).filter((name) => name !== 'records')
    const damaged = kept.find((name) => text(root, join(saved, name)).includes('old')) ?? ''
    put(root, join(saved, damaged), text(root, join(saved, damaged)).replace('old', 'bad'))
    expect(await recover(host, journal)).toMatchObject({
      kind: 'undoFailed',
      errors: [expect.stringContaining('the saved content of /etc/change is damaged')],
    })
    expect(text(root, 'etc/change')).toBe('new')
    host.close()
  })
})

interface SessionEvent {
  readonly what: 'create' | 'append' | 'rename' | 'durable'
  readonly path: string
  /** Of which call of `together`; -1 where there is none, and all is durable at once. */
  readonly session: number
}

/** The same files, and what is done to them. */
function sessionsOf(base: HostFiles): { readonly files: HostFiles; readonly events: readonly SessionEvent[] } {
  const events: SessionEvent[] = []
  let count = 0
  const recorded = (files: HostFiles, session: number): HostFiles => {
    const noted = async (what: SessionEvent['what'], path: string, work: () => Promise<void>): Promise<void> => {
      if (session !== -1) events.push({ what, path, session })
      return work()
    }
    return {
      ...files,
      create: (path, content, attributes) => noted('create', path, () => files.create(path, content, attributes)),
      append: (path, content) => noted('append', path, () => files.append(path, content)),
      rename: (from, to) => noted('rename', to, () => files.rename(from, to)),
      together: async (work) => {
        const opened = count++
        const result = await files.together((inner) => work(recorded(inner, opened)))
        events.push({ what: 'durable', path: '', session: opened })
        return result
      },
    }
  }
  return { files: recorded(base, -1), events }
}
