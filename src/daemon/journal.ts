import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { type HostFiles, isMissing } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import type { Before } from './before.ts'
import { journalDirectory } from './hostPaths.ts'
import { readSavedContent, type SavedContents, savedContents } from './savedContents.ts'
import type { Step } from './step.ts'

/** What an update is about to do, written down before its first step. */
export interface JournalHeader {
  readonly version: 1
  /** Part of the names of temporary files, so that a later start finds them. */
  readonly id: string
  readonly from: string
  readonly to: string
  /** The boot in which it began: after another boot no service action is left to do. */
  readonly bootId: string
  readonly steps: readonly Step[]
  readonly actions: readonly PolicyAction[]
}

export type JournalRecord =
  /** Durable before the step runs. */
  | { readonly kind: 'started'; readonly step: number; readonly before: Before }
  | { readonly kind: 'applied' }
  | { readonly kind: 'actionDone'; readonly action: number }
  | { readonly kind: 'rebootRequested'; readonly bootId: string }
  | { readonly kind: 'undoing'; readonly reason: string }
  | { readonly kind: 'undone'; readonly step: number }
  /** Nothing is undone any more; only leftovers are to be removed. */
  | { readonly kind: 'committed' }
  /** Every step was undone; likewise. */
  | { readonly kind: 'undoneAll' }

export interface JournalState {
  readonly header: JournalHeader
  readonly started: readonly { readonly step: number; readonly before: Before }[]
  readonly undone: ReadonlySet<number>
  readonly actionsDone: ReadonlySet<number>
  readonly applied: boolean
  readonly undoing: boolean
  readonly rebootRequestedIn: string | undefined
  readonly ended: 'committed' | 'undoneAll' | undefined
}

/**
 * The record of the update in progress, on the host's own disk. As long as it exists the host is between two configs,
 * and it says how to finish or to undo. A record is durable before what it announces happens.
 */
export interface Journal {
  /** Undefined when no update is open. Removes what a crash left of a journal that had not begun or had ended. */
  read(): Promise<JournalState | undefined>
  begin(header: JournalHeader): Promise<void>
  record(record: JournalRecord): Promise<void>
  /**
   * Keeps what `look` hands over and records what it answers, all durable together when this resolves. Cut short by a crash,
   * the first records count, also without their contents: nothing was changed yet, so none is needed.
   */
  announce(look: (files: HostFiles, saved: SavedContents) => Promise<readonly JournalRecord[]>): Promise<void>
  readSaved(name: string): Promise<Buffer>
  /** With `keep` the journal stays readable by `readLast`, so that a committed update can still be undone. */
  close(options?: { readonly keep?: boolean }): Promise<void>
  readLast(): Promise<JournalState | undefined>
  /** Makes the last journal the open one again, to be undone. */
  reopenLast(reason: string): Promise<void>
}

const secret = { mode: 0o600, uid: 0, gid: 0 }
const secretDirectory = { mode: 0o700, uid: 0, gid: 0 }

export function openJournal(files: HostFiles, directory = journalDirectory): Journal {
  const current = `${directory}/current`
  const last = `${directory}/last`
  const ended = `${directory}/ended`
  const saved = `${current}/saved`
  const recordLines = (records: readonly JournalRecord[]): Buffer =>
    Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return {
    async read() {
      await files.removeTree(ended)
      await dropTornRecord(files, `${current}/records`)
      const state = await readState(files, current)
      if (!state) await files.removeTree(current)
      return state
    },
    async begin(header) {
      await files.together(async (together) => {
        await makeDirectories(together, saved, secretDirectory)
        // So that no record has to make its file durable first.
        await together.create(`${current}/records`, Buffer.alloc(0), secret)
        await together.create(`${current}/header.json`, Buffer.from(JSON.stringify(header)), secret)
      })
    },
    record: (record) => files.append(`${current}/records`, recordLines([record])),
    announce: (look) =>
      files.together(async (together) => {
        const keeping = savedContents(together, saved)
        const records = await look(together, keeping)
        await keeping.finish()
        await together.append(`${current}/records`, recordLines(records))
      }),
    readSaved: (name) => readSavedContent(files, saved, name),
    async close({ keep = false } = {}) {
      if (keep) {
        await files.removeTree(last)
        await files.rename(current, last)
      } else {
        // Renamed first: half a journal must never be read as an open one.
        await files.rename(current, ended)
        await files.removeTree(ended)
      }
    },
    readLast: () => readState(files, last),
    async reopenLast(reason) {
      await files.append(`${last}/records`, recordLines([{ kind: 'undoing', reason }]))
      await files.rename(last, current)
    },
  }
}

async function readState(files: HostFiles, directory: string): Promise<JournalState | undefined> {
  const path = `${directory}/header.json`
  const headerText = await readText(files, path)
  if (headerText === undefined) return undefined
  const text = (await readText(files, `${directory}/records`)) ?? ''
  // Cut short while it was written: the first record comes when it is durable, and nothing is touched before.
  if (text === '' && !isJson(headerText)) return undefined
  const header = parse<JournalHeader>(headerText, path)
  if (header.version !== 1)
    throw new Error(`${path} has version ${String(header.version)}, this daemon reads 1; run the daemon that wrote it`)
  const lines = text.split('\n').filter((line) => line !== '')
  const records = lines.map((line) => parse<JournalRecord>(line, `${directory}/records`))
  return foldRecords(header, records)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

export function foldRecords(header: JournalHeader, records: readonly JournalRecord[]): JournalState {
  const started: { readonly step: number; readonly before: Before }[] = []
  const undone = new Set<number>()
  const actionsDone = new Set<number>()
  let applied = false
  let undoing = false
  let rebootRequestedIn: string | undefined
  let ended: JournalState['ended']
  for (const record of records) {
    switch (record.kind) {
      case 'started':
        started.push({ step: record.step, before: record.before })
        break
      case 'undone':
        undone.add(record.step)
        break
      case 'actionDone':
        actionsDone.add(record.action)
        break
      case 'applied':
        applied = true
        break
      case 'rebootRequested':
        rebootRequestedIn = record.bootId
        break
      case 'undoing':
        // Also after a commit: the last update can be taken back.
        undoing = true
        ended = undefined
        break
      case 'committed':
      case 'undoneAll':
        ended = record.kind
        break
      default:
        record satisfies never
    }
  }
  return { header, started, undone, actionsDone, applied, undoing, rebootRequestedIn, ended }
}

/** A line without its end was not durable, so what it announces has not begun. The next record must not join it. */
async function dropTornRecord(files: HostFiles, path: string): Promise<void> {
  const text = await readText(files, path)
  if (text === undefined || text === '' || text.endsWith('\n')) return
  await files.remove(`${path}.new`)
  await files.create(`${path}.new`, Buffer.from(text.slice(0, text.lastIndexOf('\n') + 1)), secret)
  await files.rename(`${path}.new`, path)
}

function parse<T>(text: string, path: string): T {
  try {
    // Written by this file only; a version that differs is refused by the caller.
    return JSON.parse(text) as T
  } catch (error) {
    throw new Error(`${path} is not readable as JSON; the disk may be damaged. Move ${path} away to start over`, {
      cause: error,
    })
  }
}

async function readText(files: HostFiles, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
