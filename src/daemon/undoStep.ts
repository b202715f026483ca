import type { Host, HostFiles, UnitFileState } from '../host/host.ts'
import type { Before, PathState } from './before.ts'
import { sha256 } from './hostFacts.ts'
import { parentOf } from './hostPaths.ts'
import type { Journal } from './journal.ts'
import type { SavedContents } from './savedContents.ts'
import type { Step } from './step.ts'

export interface Capture {
  readonly saved: SavedContents
  readonly missingAbove: (path: string) => Promise<readonly string[]>
}

/** Looks at what the step will change and keeps it. `missingAbove` answers the directories of a path that are not there. */
export async function captureBefore(
  host: Host,
  { saved, missingAbove }: Capture,
  step: Step,
  index: number,
): Promise<Before> {
  switch (step.kind) {
    case 'setAside':
      return { kind: 'path', state: { kind: 'moved' }, missingDirectories: [] }
    case 'makeDirectory':
    case 'writeFile':
    case 'copyFile':
    case 'writeSymlink':
    case 'writeHardLink':
    case 'remove':
      return {
        kind: 'path',
        state: await capturePath(host.files, saved, step.path, index),
        missingDirectories: await missingAbove(step.path),
      }
    case 'enableUnits':
    case 'disableUnits': {
      const states: Record<string, UnitFileState> = {}
      for (const unit of step.units) states[unit] = await host.services.unitFileState(unit)
      return { kind: 'units', states }
    }
    case 'setPasswordHash': {
      const hash = await host.accounts.passwordHash(step.user)
      return {
        kind: 'passwordHash',
        saved: hash === undefined ? undefined : await saved.keep(index, 'hash', Buffer.from(hash)),
      }
    }
    case 'setKernelArguments':
      return { kind: 'list', values: await use(host.kernelArguments).pending() }
    case 'setExtensions':
      return { kind: 'list', values: await use(host.packages).pending() }
    case 'setOsImage':
      return { kind: 'value', value: await use(host.osImage).pending() }
    case 'setKernelType':
      return { kind: 'value', value: await use(host.kernelType).pending() }
    default:
      return step satisfies never
  }
}

/** Brings back what was before the step. Safe to repeat, and right however far the step or an earlier undo came. */
export async function undoStep(
  host: Host,
  journal: Journal,
  transactionId: string,
  step: Step,
  index: number,
  before: Before,
): Promise<void> {
  switch (before.kind) {
    case 'path':
      if (!('path' in step)) throw new Error(`the journal's record of step ${step.id} does not fit its kind`)
      await undoPath(
        host.files,
        journal,
        { path: step.path, temporary: temporaryPath(step.path, transactionId, index) },
        before,
      )
      return
    case 'units':
      return undoUnits(host, before.states)
    case 'passwordHash':
      if (step.kind === 'setPasswordHash')
        await host.accounts.setPasswordHash(
          step.user,
          before.saved === undefined ? '*' : (await journal.readSaved(before.saved)).toString(),
        )
      return
    case 'list':
      if (step.kind === 'setExtensions') await use(host.packages).setPending(before.values)
      else await use(host.kernelArguments).setPending(before.values)
      return
    case 'value':
      if (step.kind === 'setKernelType') await use(host.kernelType).setPending(before.value)
      else await use(host.osImage).setPending(before.value)
      return
    default:
      return before satisfies never
  }
}

/** Beside its target, so on the same filesystem; the name says to which update and step it belongs. */
export function temporaryPath(path: string, transactionId: string, index: number): string {
  const parent = parentOf(path)
  return `${parent === '/' ? '' : parent}/.mco-${transactionId}-${index}`
}

/** A capability that the plan has already checked. */
export function use<T>(capability: { kind: 'supported'; use: T } | { kind: 'unsupported'; reason: string }): T {
  if (capability.kind === 'unsupported')
    throw new Error(`this step needs a capability that the host does not have: ${capability.reason}`)
  return capability.use
}

async function capturePath(files: HostFiles, saved: SavedContents, path: string, index: number): Promise<PathState> {
  const status = await files.status(path)
  if (!status) return { kind: 'absent' }
  const { mode, uid, gid } = status
  switch (status.kind) {
    case 'directory':
      return { kind: 'directory', mode, uid, gid }
    case 'symlink':
      return { kind: 'symlink', target: await files.readLink(path) }
    case 'file': {
      const content = await files.read(path, status.sizeBytes)
      return {
        kind: 'file',
        mode,
        uid,
        gid,
        sha256: sha256(content),
        saved: await saved.keep(index, 'path', content),
      }
    }
    case 'other':
      throw new Error(`${path} is a device, pipe or socket; move it away`)
    default:
      return status.kind satisfies never
  }
}

async function undoPath(
  files: HostFiles,
  journal: Journal,
  { path, temporary }: { readonly path: string; readonly temporary: string },
  before: Extract<Before, { kind: 'path' }>,
): Promise<void> {
  const { state } = before
  if (state.kind === 'moved') {
    if (await files.status(temporary)) await files.rename(temporary, path)
    return
  }
  await files.remove(temporary)
  if (!(await isAsBefore(files, path, state))) await restorePath(files, journal, path, temporary, state)
  for (const directory of [...before.missingDirectories].reverse()) await files.removeDirectory(directory)
}

async function isAsBefore(files: HostFiles, path: string, state: PathState): Promise<boolean> {
  const now = await files.status(path)
  if (!now) return state.kind === 'absent'
  if (state.kind === 'symlink') return now.kind === 'symlink' && (await files.readLink(path)) === state.target
  if (now.kind !== state.kind || !('mode' in state)) return false
  const sameAttributes = now.mode === state.mode && now.uid === state.uid && now.gid === state.gid
  return sameAttributes && (state.kind !== 'file' || sha256(await files.read(path)) === state.sha256)
}

async function restorePath(
  files: HostFiles,
  journal: Journal,
  path: string,
  temporary: string,
  state: PathState,
): Promise<void> {
  const now = await files.status(path)
  switch (state.kind) {
    case 'absent':
      if (now?.kind === 'directory') await files.removeDirectory(path)
      else await files.remove(path)
      return
    case 'file': {
      const content = await journal.readSaved(state.saved)
      if (sha256(content) !== state.sha256)
        throw new Error(`the saved content of ${path} is damaged (its SHA-256 differs); ${path} stays as it is`)
      await files.create(temporary, content, state)
      await files.rename(temporary, path)
      return
    }
    case 'symlink':
      await files.createSymlink(temporary, state.target)
      await files.rename(temporary, path)
      return
    case 'directory':
      if (!now) await files.createDirectory(path, state)
      else await files.setAttributes(path, state)
      return
    case 'moved':
      return
    default:
      return state satisfies never
  }
}

async function undoUnits(host: Host, states: Readonly<Record<string, UnitFileState>>): Promise<void> {
  for (const [unit, state] of Object.entries(states)) {
    const now = await host.services.unitFileState(unit)
    // Always when it was enabled: half of its links may be there, and the state does not tell.
    if (state === 'enabled') await host.services.enable([unit])
    else if (now === 'enabled') await host.services.disable([unit])
  }
}
