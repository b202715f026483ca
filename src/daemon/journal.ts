import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { type HostFiles, isMissing } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import type { Before } from './before.ts'
import { journalDirectory } from './hostPaths.ts'
import { readSavedContent, type SavedContents, savedContents } from './savedContents.ts'
import type { Step } from './step.ts'

/** What an update is about to do, written down before its first step. */
export interface JournalHeader {
  /** Since 2 it is the first line of the records. 1 had a file of its own, where an update that was left open is found. */
  readonly version: 1 | 2
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

export interface Announcement {
  /** Looks at what the next steps will change, keeps what undoing them needs, and answers the records that announce them. */
  readonly look: (files: HostFiles, saved: SavedContents) => Promise<readonly JournalRecord[]>
  /**
   * By these contents are kept, and it is up to the caller that they are durable before one is replaced. Until then undoing
   * needs none of them.
   */
  readonly keeping: HostFiles
}

/**
 * The record of the update in progress, on the host's own disk. As long as it exists the host is between two configs,
 * and it says how to finish or to undo. A record is durable before what it announces happens.
 */
export interface Journal {
  /** Undefined when no update is open. Removes what a crash left of a journal that had not begun or had ended. */
  read(): Promise<JournalState | undefined>
  /**
   * Begins with the first announcement; the records are durable when this resolves. Cut short by a crash, the update has
   * begun or has not, and the first of its records count.
   */
  begin(header: JournalHeader, announcement: Announcement): Promise<void>
  /** The same for the next steps. */
  announce(announcement: Announcement): Promise<void>
  record(record: JournalRecord): Promise<void>
  readSaved(name: string): Promise<Buffer>
  /** What the open update is about, without what has become of it. */
  readHeader(): Promise<JournalHeader | undefined>
  /** With `keep` the update can still be undone: `readLast` finds it. The end of the update, for good. */
  close(options?: { readonly keep?: boolean }): Promise<void>
  readLast(): Promise<JournalHeader | undefined>
  /** Makes the last journal the open one again, to be undone. */
  reopenLast(reason: string): Promise<void>
}

const secret = { mode: 0o600, uid: 0, gid: 0 }
const secretDirectory = { mode: 0o700, uid: 0, gid: 0 }

export function openJournal(files: HostFiles, directory = journalDirectory): Journal {
  const current = `${directory}/current`
  const last = `${directory}/last`
  const ended = `${directory}/ended`
  const append = (to: HostFiles, lines: readonly (JournalHeader | JournalRecord)[], place = current): Promise<void> =>
    to.append(recordsPath(place), Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  const announceIn = async (
    together: HostFiles,
    { look, keeping }: Announcement,
    header: readonly JournalHeader[],
  ): Promise<void> => {
    const saved = savedContents(keeping, current)
    const records = await look(together, saved)
    await saved.finish()
    await append(together, [...header, ...records])
  }
  return {
    async read() {
      await files.removeTree(ended)
      if (!(await files.status(current))) return undefined
      await dropTornRecord(files, current)
      const state = await readState(files, current)
      if (!state) await files.removeTree(current)
      return state
    },
    begin: (header, announcement) =>
      files.together(async (together) => {
        await makeDirectories(together, current, secretDirectory)
        await announceIn(together, announcement, [header])
      }),
    announce: (announcement) => files.together((together) => announceIn(together, announcement, [])),
    record: (record) => append(files, [record]),
    async readSaved(name) {
      // Where version 1 kept contents.
      const early = `${current}/saved`
      return readSavedContent(files, (await files.status(early)) ? early : current, name)
    },
    readHeader: () => readHeader(files, current),
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
    readLast: () => readHeader(files, last),
    async reopenLast(reason) {
      await dropTornRecord(files, last)
      await append(files, [{ kind: 'undoing', reason }], last)
      await files.rename(last, current)
    },
  }
}

const recordsPath = (directory: string): string => `${directory}/records`

async function readState(files: HostFiles, directory: string): Promise<JournalState | undefined> {
  const text = await readDurable(files, directory)
  const header = await headerOf(files, directory, text)
  if (!header) return undefined
  const lines = text.split('\n').slice(header.version === 1 ? 0 : 1, -1)
  const records = lines.map((line) => parse<JournalRecord>(line, recordsPath(directory), directory))
  return foldRecords(header, records)
}

const readHeader = async (files: HostFiles, directory: string): Promise<JournalHeader | undefined> =>
  headerOf(files, directory, await readDurable(files, directory))

const readDurable = async (files: HostFiles, directory: string): Promise<string> =>
  durablePart((await readText(files, recordsPath(directory))) ?? '')

/** The first line of the records. Undefined when it has not begun. */
async function headerOf(files: HostFiles, directory: string, text: string): Promise<JournalHeader | undefined> {
  const earlyPath = `${directory}/header.json`
  if (await files.status(earlyPath)) {
    const early = (await files.read(earlyPath)).toString('utf8')
    // Cut short while it was written: the first record came when it was durable, and nothing was touched before.
    return text === '' && !isJson(early) ? undefined : parseHeader(early, 1, earlyPath, directory)
  }
  return text === '' ? undefined : parseHeader(text.slice(0, text.indexOf('\n')), 2, recordsPath(directory), directory)
}

function parseHeader(text: string, version: JournalHeader['version'], path: string, directory: string): JournalHeader {
  const header = parse<JournalHeader>(text, path, directory)
  if (header.version !== version)
    throw new Error(
      `${path} has version ${String(header.version)}, this daemon reads ${version} there; run the daemon that wrote it`,
    )
  return header
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

/** Otherwise the next record would join it. */
async function dropTornRecord(files: HostFiles, directory: string): Promise<void> {
  const path = recordsPath(directory)
  const text = await readText(files, path)
  if (text === undefined) return
  const durable = durablePart(text)
  if (durable === text) return
  // A full disk has no room for a second one, and a journal that could not begin on it must go.
  if (durable === '') return files.remove(path)
  await files.remove(`${path}.new`)
  await files.create(`${path}.new`, Buffer.from(durable), secret)
  await files.rename(`${path}.new`, path)
}

/**
 * Without what a crash cut short: a line without its end, or one of which a part never reached the disk, which then reads as
 * zeros. It was not durable, so what it announces has not begun.
 */
function durablePart(text: string): string {
  const hole = text.indexOf('\0')
  return text.slice(0, text.lastIndexOf('\n', hole === -1 ? text.length : hole) + 1)
}

function parse<T>(text: string, path: string, directory: string): T {
  try {
    // Written by this file only; a version that differs is refused by the caller.
    return JSON.parse(text) as T
  } catch (error) {
    throw new Error(`${path} is not readable as JSON; the disk may be damaged. Move ${directory} away to start over`, {
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
