import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { newRoot, put, removeRoots, testHost } from '../../test/daemon/builders.ts'
import type { HostFiles } from '../host/host.ts'
import { type Announcement, foldRecords, type JournalHeader, type JournalRecord, openJournal } from './journal.ts'
import { decideRecovery } from './transaction.ts'

afterEach(removeRoots)

const header = (rest: Partial<JournalHeader> = {}): JournalHeader => ({
  version: 2,
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

  const current = 'var/lib/mco/journal/current'
  const announcing = (keeping: HostFiles, records: readonly JournalRecord[] = []): Announcement => ({
    keeping,
    look: async () => records,
  })

  it('answers undefined without an update', async () => {
    const { root, journal } = open()
    expect(await journal.read()).toBeUndefined()
    expect(await journal.readHeader()).toBeUndefined()
    expect(existsSync(join(root, current))).toBe(false)
  })

  it('has not begun until the first line is whole, and has then', async () => {
    const begun = open()
    await begun.journal.begin(
      header({ to: 'c' }),
      announcing(begun.host.files, [{ kind: 'started', step: 0, before: { kind: 'list', values: [] } }]),
    )
    const records = readFileSync(join(begun.root, current, 'records'))
    const firstEnd = records.indexOf('\n') + 1
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: records.length }), fc.boolean(), async (length, isHole) => {
        const { root, journal } = open()
        // Only the last block of what is missing has reached the disk.
        const hole = records.length - length - 1
        const rest = isHole && hole >= 0 ? `${'\0'.repeat(hole)}\n` : ''
        const isWhole = length + rest.replaceAll('\0', '').length === records.length
        mkdirSync(join(root, current), { recursive: true })
        writeFileSync(join(root, current, 'records'), Buffer.concat([records.subarray(0, length), Buffer.from(rest)]))
        writeFileSync(join(root, current, 'pack-0'), 'half')
        const state = await journal.read()
        expect(existsSync(join(root, current))).toBe(length >= firstEnd)
        expect(state?.header.to).toBe(length >= firstEnd ? 'c' : undefined)
        expect(state?.started.length ?? 0).toBe(isWhole ? 1 : 0)
        if (!state) return
        await journal.record({ kind: 'applied' })
        expect(await journal.read()).toMatchObject({ applied: true, started: state.started })
      }),
      { numRuns: 40 },
    )
  })

  it('remembers records across starts and keeps saved content for root only', async () => {
    const { host, journal } = open()
    await journal.begin(header(), announcing(host.files))
    const contents = ['secret', '', 'x'.repeat(600_000), 'other']
    const names: string[] = []
    await journal.announce({
      keeping: host.files,
      look: async (_files, saved) => {
        for (const [step, content] of contents.entries())
          names.push(await saved.keep(step, 'path', Buffer.from(content)))
        return [{ kind: 'actionDone', action: 3 }]
      },
    })
    const again = openJournal(host.files)
    expect(await again.read()).toMatchObject({ header: { to: 'b' }, actionsDone: new Set([3]) })
    expect(await again.readHeader()).toEqual(header())
    const read = await Promise.all(names.map((name) => again.readSaved(name)))
    expect(read.map(String)).toEqual(contents)
    expect(await host.files.list(`/${current}`)).toEqual(['2-path', 'pack-0', 'records'])
    for (const name of ['2-path', 'pack-0', 'records'])
      expect(await host.files.status(`/${current}/${name}`)).toMatchObject({ mode: 0o600 })
    expect(await host.files.status(`/${current}`)).toMatchObject({ mode: 0o700 })
  })

  it('forgets a record that was cut short anywhere, and appends cleanly after it', async () => {
    const line = JSON.stringify({ kind: 'applied' })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: line.length }), fc.boolean(), async (length, isHole) => {
        const { root, host, journal } = open()
        await journal.begin(header(), announcing(host.files))
        await journal.record({ kind: 'actionDone', action: 1 })
        const rest = isHole ? `${'\0'.repeat(line.length - length + 1)}\n` : ''
        appendFileSync(join(root, current, 'records'), line.slice(0, length) + rest)
        expect((await journal.read())?.applied).toBe(false)
        await journal.record({ kind: 'undone', step: 7 })
        expect(await journal.read()).toMatchObject({ actionsDone: new Set([1]), undone: new Set([7]) })
      }),
      { numRuns: 20 },
    )
  })

  it('opens the last journal again, also after a crash in the middle of that', async () => {
    const { root, host, journal } = open()
    await journal.begin(header(), announcing(host.files, [{ kind: 'applied' }]))
    await journal.close({ keep: true })
    expect(await journal.read()).toBeUndefined()
    expect(await journal.readLast()).toEqual(header())
    appendFileSync(join(root, 'var/lib/mco/journal/last/records'), '{"kind":"undo')
    await journal.reopenLast('asked for')
    expect(await journal.read()).toMatchObject({ applied: true, undoing: true })
    expect(await journal.readLast()).toBeUndefined()
  })

  it('refuses a journal of another version and one that is not JSON, naming the file', async () => {
    const { root, journal } = open()
    const records = `${current}/records`
    put(root, records, '{"version":3}\n{"kind":"applied"}\n')
    await expect(journal.read()).rejects.toThrow(/records has version 3, this daemon reads 2 there; run the daemon/)
    put(root, records, 'x\n{"kind":"applied"}\n')
    await expect(journal.read()).rejects.toThrow(/records is not readable as JSON; .* Move \S+\/current away/)
    put(root, records, `${JSON.stringify(header())}\nx\n`)
    await expect(journal.read()).rejects.toThrow(/records is not readable as JSON/)
    expect(existsSync(join(root, records))).toBe(true)
  })
})

/** Its header was a file of its own, and contents were in a directory of their own. */
describe('openJournal with what version 1 left', () => {
  const early = { ...header({ to: 'c' }), version: 1 }
  const left = (directory: string, files: Readonly<Record<string, string>>) => {
    const root = newRoot()
    for (const [name, text] of Object.entries(files)) put(root, `var/lib/mco/journal/${directory}/${name}`, text)
    const journal = openJournal(testHost(root).files)
    return { root, journal }
  }

  it('goes on with it', async () => {
    const { journal } = left('current', {
      'header.json': JSON.stringify(early),
      records: '{"kind":"actionDone","action":1}\n{"kind":"appl',
      'saved/pack-0': 'secretother',
    })
    expect(await journal.read()).toMatchObject({ header: early, actionsDone: new Set([1]), applied: false })
    await journal.record({ kind: 'applied' })
    expect(await journal.read()).toMatchObject({ header: early, actionsDone: new Set([1]), applied: true })
    expect(String(await journal.readSaved('pack-0:6:5'))).toBe('other')
  })

  it('goes on when its only record was cut short', async () => {
    const { journal } = left('current', { 'header.json': JSON.stringify(early), records: '{"kind":"appl' })
    expect(await journal.read()).toMatchObject({ header: early, applied: false })
    await journal.record({ kind: 'applied' })
    expect(await journal.read()).toMatchObject({ applied: true })
  })

  it('finds the last one', async () => {
    const { journal } = left('last', { 'header.json': JSON.stringify(early), records: '{"kind":"committed"}\n' })
    expect(await journal.readLast()).toEqual(early)
    await journal.reopenLast('asked for')
    expect(await journal.read()).toMatchObject({ header: early, undoing: true, ended: undefined })
  })

  it('removes what never began', async () => {
    const { root, journal } = left('current', { 'header.json': '{"version":1', records: '' })
    expect(await journal.read()).toBeUndefined()
    expect(existsSync(join(root, 'var/lib/mco/journal/current'))).toBe(false)
  })

  it('refuses one that is damaged, naming the file', async () => {
    const { journal } = left('current', { 'header.json': 'x', records: '{"kind":"applied"}\n' })
    await expect(journal.read()).rejects.toThrow(/header.json is not readable as JSON/)
  })
})
