import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { newRoot, put, removeRoots, testHost } from '../../test/daemon/builders.ts'
import { foldRecords, type JournalHeader, type JournalRecord, openJournal } from './journal.ts'
import { decideRecovery } from './transaction.ts'

afterEach(removeRoots)

const header = (rest: Partial<JournalHeader> = {}): JournalHeader => ({
  version: 1,
  id: 'x',
  from: 'a',
  to: 'b',
  bootId: 'boot-1',
  steps: [],
  actions: [],
  ...rest,
})
const state = (records: readonly JournalRecord[], rest: Partial<JournalHeader> = {}) =>
  foldRecords(header(rest), records)
const reboot = { actions: [{ type: 'Reboot' }] } as const

describe('decideRecovery', () => {
  it.each([
    ['no journal', undefined, 'boot-1', { kind: 'nothing' }],
    ['begun', state([]), 'boot-1', { kind: 'undo' }],
    ['begun, after a power loss', state([]), 'boot-2', { kind: 'undo' }],
    ['undoing', state([{ kind: 'applied' }, { kind: 'undoing', reason: '' }]), 'boot-1', { kind: 'undo' }],
    ['applied, services left', state([{ kind: 'applied' }]), 'boot-1', { kind: 'finishActions' }],
    [
      'applied, services left, but the machine has booted since',
      state([{ kind: 'applied' }]),
      'boot-2',
      { kind: 'commit', rebooted: false },
    ],
    ['applied, reboot not asked for yet', state([{ kind: 'applied' }], reboot), 'boot-1', { kind: 'reboot' }],
    [
      'reboot asked for and not happened',
      state([{ kind: 'applied' }, { kind: 'rebootRequested', bootId: 'boot-1' }], reboot),
      'boot-1',
      { kind: 'reboot' },
    ],
    [
      'rebooted',
      state([{ kind: 'applied' }, { kind: 'rebootRequested', bootId: 'boot-1' }], reboot),
      'boot-2',
      { kind: 'commit', rebooted: true },
    ],
    ['committed', state([{ kind: 'applied' }, { kind: 'committed' }]), 'boot-1', { kind: 'close' }],
    ['undone', state([{ kind: 'undoing', reason: '' }, { kind: 'undoneAll' }]), 'boot-1', { kind: 'close' }],
    [
      'committed, then taken back',
      state([{ kind: 'applied' }, { kind: 'committed' }, { kind: 'undoing', reason: '' }]),
      'boot-1',
      { kind: 'undo' },
    ],
  ])('%s', (_name, journal, bootId, expected) => {
    expect(decideRecovery(journal, bootId)).toMatchObject(expected)
  })
})

describe('openJournal', () => {
  const open = () => {
    const root = newRoot()
    const host = testHost(root)
    return { root, host, journal: openJournal(host.files) }
  }

  it('answers undefined without an update, and removes what never began', async () => {
    const { root, journal } = open()
    expect(await journal.read()).toBeUndefined()
    put(root, 'var/lib/mco/journal/current/header.json', '{"version":1')
    expect(await journal.read()).toBeUndefined()
    expect(existsSync(join(root, 'var/lib/mco/journal/current'))).toBe(false)
  })

  it('remembers records across starts and keeps saved content for root only', async () => {
    const { host, journal } = open()
    await journal.begin(header())
    const contents = ['secret', '', 'x'.repeat(100_000), 'other']
    const names: string[] = []
    await journal.announce(async (_files, saved) => {
      for (const [step, content] of contents.entries()) names.push(await saved.keep(step, 'path', Buffer.from(content)))
      return [{ kind: 'actionDone', action: 3 }]
    })
    const again = openJournal(host.files)
    expect(await again.read()).toMatchObject({ header: { to: 'b' }, actionsDone: new Set([3]) })
    const read = await Promise.all(names.map((name) => again.readSaved(name)))
    expect(read.map(String)).toEqual(contents)
    const saved = '/var/lib/mco/journal/current/saved'
    expect(await host.files.list(saved)).toEqual(['2-path', 'pack-0'])
    expect(await host.files.status(`${saved}/2-path`)).toMatchObject({ mode: 0o600 })
    expect(await host.files.status(`${saved}/pack-0`)).toMatchObject({ mode: 0o600 })
    expect(await host.files.status('/var/lib/mco/journal/current')).toMatchObject({ mode: 0o700 })
  })

  it('forgets a record whose line was cut anywhere, and appends cleanly after it', async () => {
    const line = JSON.stringify({ kind: 'applied' })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: line.length }), async (length) => {
        const { root, journal } = open()
        await journal.begin(header())
        await journal.record({ kind: 'actionDone', action: 1 })
        appendFileSync(join(root, 'var/lib/mco/journal/current/records'), line.slice(0, length))
        expect((await journal.read())?.applied).toBe(false)
        await journal.record({ kind: 'undone', step: 7 })
        expect(await journal.read()).toMatchObject({ actionsDone: new Set([1]), undone: new Set([7]) })
      }),
      { numRuns: 20 },
    )
  })

  it('refuses a journal of another version and one that is not JSON, naming the file', async () => {
    const { root, journal } = open()
    put(root, 'var/lib/mco/journal/current/header.json', '{"version":2}')
    await expect(journal.read()).rejects.toThrow(/header.json has version 2/)
    put(root, 'var/lib/mco/journal/current/header.json', 'x')
    put(root, 'var/lib/mco/journal/current/records', '{"kind":"applied"}\n')
    await expect(journal.read()).rejects.toThrow(/header.json is not readable as JSON/)
  })
})
