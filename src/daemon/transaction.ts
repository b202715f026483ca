import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { type Host, HostError } from '../host/host.ts'
import { missingDirectories } from '../host/makeDirectories.ts'
import { messageOf } from '../kube/errors.ts'
import { applyStep, stageStep } from './applyStep.ts'
import { parentOf } from './hostPaths.ts'
import type { Announcement, Journal, JournalHeader, JournalRecord, JournalState } from './journal.ts'
import type { UpdatePlan } from './planBuilder.ts'
import type { SavedContents } from './savedContents.ts'
import { describeStep, type Step } from './step.ts'
import { type PlannedStep, stepBatches } from './stepBatches.ts'
import { captureBefore, temporaryPath, undoStep } from './undoStep.ts'
import { touchesUnitFiles } from './unitSteps.ts'
import { withoutReboot } from './withoutReboot.ts'

export interface Progress {
  readonly phase: 'apply' | 'undo'
  readonly step: Step
  /** Counts from 1. */
  readonly position: number
  readonly count: number
}

export interface TransactionRequest {
  readonly host: Host
  readonly journal: Journal
  readonly plan: UpdatePlan
  /** Short and unique on this host; part of temporary names. */
  readonly id: string
  readonly from: string
  readonly to: string
  readonly actions: readonly PolicyAction[]
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** A step failed. The host is back at the old config, unless `undoErrors` says what could not be brought back. */
export class TransactionFailed extends Error {
  override readonly name = 'TransactionFailed'
  readonly undoErrors: readonly string[]
  /** Undefined when nothing was begun. */
  readonly step: Step | undefined
  constructor(message: string, undoErrors: readonly string[], options: ErrorOptions, step?: Step) {
    super(undoErrors.length === 0 ? message : `error rolling back: [${[...undoErrors, message].join(', ')}]`, options)
    this.undoErrors = undoErrors
    this.step = step
  }
}

/**
 * Runs a plan's steps in order, each announced in the journal first. After it the host has the new config on disk and
 * the journal is still open: `commit` ends it once the actions have succeeded, `undo` brings the old config back.
 * A step that fails undoes everything, last first.
 */
export async function applyPlan(request: TransactionRequest): Promise<void> {
  // A reboot that someone else asks for now would only make the next start undo all of this.
  await withoutReboot(request.host, `bringing this machine to ${request.to}`, () => runSteps(request))
}

async function runSteps(request: TransactionRequest): Promise<void> {
  const { host, journal, plan, id, from, to, actions } = request
  const open = await journal.read()
  if (open) throw new Error(`an update to ${open.header.to} is still open in the journal; finish or undo it first`)
  const [first = [], ...rest] = stepBatches(plan.steps)
  await runBatch(request, first, `begin the journal of the update to ${to}`, async (announcement) => {
    const bootId = await host.power.bootId()
    await journal.begin({ version: 2, id, from, to, bootId, steps: plan.steps, actions }, announcement)
  })
  for (const batch of rest) await runBatch(request, batch, `announce the next steps to ${to}`, journal.announce)
  await journal.record({ kind: 'applied' })
}

async function runBatch(
  { host, journal, plan, id, onProgress }: TransactionRequest,
  batch: readonly PlannedStep[],
  announcing: string,
  announce: (announcement: Announcement) => Promise<void>,
): Promise<void> {
  let current: Step | undefined
  try {
    // Flushed before anything is in its place: a rename onto a file that is in use then finds whole content, and what it
    // replaces is kept.
    await host.files.together(async (staging) => {
      await announce({
        keeping: staging,
        look: async (files, saved) => {
          const records = await lookAt({ ...host, files }, saved, batch, (step) => {
            current = step
          })
          current = undefined
          return records
        },
      })
      const inPlace = new Set<string>()
      for (const { step, index } of batch) {
        current = step
        await stageStep(staging, { contents: plan.contents, inPlace }, id, step, index)
      }
    })
    await host.files.together(async (files) => {
      for (const { step, index } of batch) {
        current = step
        await applyStep({ ...host, files }, plan.contents, id, step, index)
        onProgress?.({ phase: 'apply', step, position: index + 1, count: plan.steps.length })
      }
    })
  } catch (error) {
    if (isCrash(error)) throw error
    const message = `${current ? describeStep(current) : announcing}: ${messageOf(error)}`
    const undoErrors = await undoOpen(host, journal, message, onProgress)
    throw new TransactionFailed(message, undoErrors, { cause: error }, current)
  }
}

/** Once this is on the disk every step of the batch can be undone, whatever becomes of it. */
async function lookAt(
  host: Host,
  saved: SavedContents,
  batch: readonly PlannedStep[],
  onStep: (step: Step) => void,
): Promise<readonly JournalRecord[]> {
  const missing = new Map<string, readonly string[]>()
  const missingAbove = async (path: string): Promise<readonly string[]> => {
    const parent = parentOf(path)
    const found = missing.get(parent) ?? (await missingDirectories(host.files, parent))
    missing.set(parent, found)
    return found
  }
  const records: JournalRecord[] = []
  for (const { step, index } of batch) {
    onStep(step)
    const before = await captureBefore(host, { saved, missingAbove }, step, index)
    records.push({ kind: 'started', step: index, before })
  }
  return records
}

/** Undoes the open update, last step first; answers what could not be undone. The journal then stays open for a retry. */
export async function undoOpen(
  host: Host,
  journal: Journal,
  reason: string,
  onProgress?: (progress: Progress) => void,
): Promise<readonly string[]> {
  let state: JournalState | undefined
  try {
    state = await journal.read()
  } catch (error) {
    if (isCrash(error)) throw error
    return [`read the journal: ${messageOf(error)}`]
  }
  if (!state) return []
  if (state.ended === undefined) {
    try {
      if (!state.undoing) await note(journal, { kind: 'undoing', reason }, !state.applied)
    } catch (error) {
      if (isCrash(error)) throw error
      return [`begin to undo the update to ${state.header.to}: ${messageOf(error)}`]
    }
    const errors = [...(await undoSteps(host, journal, state, onProgress)), ...(await readUnitsAgain(host, state))]
    if (errors.length > 0) return errors
    await note(journal, { kind: 'undoneAll' })
  }
  await journal.close()
  return []
}

/** A service manager that has read the newer units would start those, although the disk has the old ones again. */
async function readUnitsAgain({ services }: Host, { header, started }: JournalState): Promise<readonly string[]> {
  if (!touchesUnitFiles(started.flatMap(({ step }) => header.steps[step] ?? []))) return []
  try {
    await services.daemonReload()
    return []
  } catch (error) {
    if (isCrash(error)) throw error
    return [`have the service manager read its units again: ${messageOf(error)}`]
  }
}

/**
 * Records that only save work after a crash: undoing is safe to repeat. A disk that is full must not keep an undo from
 * freeing it.
 */
async function note(journal: Journal, record: JournalRecord, isOptional = true): Promise<void> {
  try {
    await journal.record(record)
  } catch (error) {
    if (!isOptional || !(error instanceof HostError) || !fullDisk.has(error.code)) throw error
  }
}

const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** Ends the open update for good: what was moved aside is deleted, and what was kept for undoing goes unless `keep`. */
export async function commit(host: Host, journal: Journal, { keep = false } = {}): Promise<void> {
  const open = await journal.readHeader()
  if (!open) return
  // What was set aside stays as long as its update can be undone.
  const freed = keep ? await journal.readLast() : open
  if (freed?.steps.some(isSetAside)) {
    // Otherwise closing the journal is the end; what is about to go is missed by an undo before that.
    await journal.record({ kind: 'committed' })
    await removeSetAside(host, freed)
  }
  await journal.close({ keep })
}

const isSetAside = (step: Step): boolean => step.kind === 'setAside'

async function removeSetAside(host: Host, { steps, id }: JournalHeader): Promise<void> {
  for (const [index, step] of steps.entries())
    if (step.kind === 'setAside') await host.files.removeTree(temporaryPath(step.path, id, index))
}

export type Recovery =
  | { readonly kind: 'nothing' }
  /** It ended; only leftovers are there. */
  | { readonly kind: 'close' }
  | { readonly kind: 'undo'; readonly because: string }
  /** Everything is on disk; these service actions are not done yet. */
  | { readonly kind: 'finishActions' }
  | { readonly kind: 'reboot' }
  /** The boot that the update asked for has happened. */
  | { readonly kind: 'commit'; readonly rebooted: boolean }

/** What the next start does with an open journal; pure. */
export function decideRecovery(state: JournalState | undefined, bootId: string): Recovery {
  if (!state) return { kind: 'nothing' }
  if (state.ended !== undefined) return { kind: 'close' }
  if (state.undoing) return { kind: 'undo', because: 'an undo was interrupted' }
  if (!state.applied) return { kind: 'undo', because: `the update to ${state.header.to} was interrupted` }
  const reboots = state.header.actions.some((action) => action.type === 'Reboot')
  if (state.header.bootId !== bootId)
    return { kind: 'commit', rebooted: reboots || state.rebootRequestedIn !== undefined }
  return reboots ? { kind: 'reboot' } : { kind: 'finishActions' }
}

async function undoSteps(
  host: Host,
  journal: Journal,
  state: JournalState,
  onProgress?: (progress: Progress) => void,
): Promise<readonly string[]> {
  const { header, started, undone } = state
  const errors: string[] = []
  for (const { step: index, before } of [...started].reverse()) {
    const step = header.steps[index]
    if (!step || undone.has(index)) continue
    try {
      await undoStep(host, journal, header.id, step, index, before)
      await note(journal, { kind: 'undone', step: index })
    } catch (error) {
      if (isCrash(error)) throw error
      errors.push(`undo ${describeStep(step)}: ${messageOf(error)}`)
    }
    onProgress?.({ phase: 'undo', step, position: started.length - index, count: started.length })
  }
  return errors
}

/** The process is as good as dead: nothing may be tidied up any more. Thrown by fault injection only. */
export class Crash extends Error {
  override readonly name = 'Crash'
}
const isCrash = (error: unknown): boolean => error instanceof Crash
