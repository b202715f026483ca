import type { Host, HostFiles } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import { parentOf } from './hostPaths.ts'
import type { ContentKey, Step } from './step.ts'
import { temporaryPath, use } from './undoStep.ts'

const parentAttributes = { mode: 0o755, uid: 0, gid: 0 }

export interface Staging {
  readonly contents: ReadonlyMap<ContentKey, Uint8Array>
  /** Directories that are there, or were made by an earlier step. */
  readonly inPlace: Set<string>
}

/** Complete under a temporary name beside its place: what a step will put there. Nothing that is in use changes. */
export async function stageStep(
  files: HostFiles,
  { contents, inPlace }: Staging,
  transactionId: string,
  step: Step,
  index: number,
): Promise<void> {
  if (!isStaged(step)) return
  const parent = parentOf(step.path)
  if (!inPlace.has(parent)) await makeDirectories(files, parent, parentAttributes)
  inPlace.add(parent)
  const temporary = temporaryPath(step.path, transactionId, index)
  switch (step.kind) {
    case 'writeFile':
      return files.create(temporary, contentOf(contents, step.content), step.attributes)
    case 'copyFile':
      return copy(files, step.from, temporary)
    case 'writeSymlink':
      return files.createSymlink(temporary, step.target)
    case 'writeHardLink':
      return files.createHardLink(temporary, step.target)
    default:
      return step satisfies never
  }
}

/** Runs one step that is staged, durably. What it replaces has been kept by the journal before. */
export async function applyStep(
  host: Host,
  contents: ReadonlyMap<ContentKey, Uint8Array>,
  transactionId: string,
  step: Step,
  index: number,
): Promise<void> {
  const { files } = host
  switch (step.kind) {
    case 'makeDirectory':
      await makeDirectories(files, parentOf(step.path), parentAttributes)
      if (await files.status(step.path)) return files.setAttributes(step.path, step.attributes)
      return files.createDirectory(step.path, step.attributes)
    case 'writeFile':
    case 'copyFile':
    case 'writeSymlink':
    case 'writeHardLink':
      return files.rename(temporaryPath(step.path, transactionId, index), step.path)
    case 'remove':
      return files.remove(step.path)
    case 'setAside':
      return files.rename(step.path, temporaryPath(step.path, transactionId, index))
    case 'enableUnits':
      return host.services.enable(step.units)
    case 'disableUnits':
      return host.services.disable(step.units)
    case 'setPasswordHash':
      return host.accounts.setPasswordHash(step.user, Buffer.from(contentOf(contents, step.content)).toString())
    case 'setKernelArguments':
      return use(host.kernelArguments).setPending(step.kernelArguments)
    case 'setOsImage':
      return use(host.osImage).setPending(step.image)
    case 'setKernelType':
      return use(host.kernelType).setPending(step.kernelType)
    case 'setExtensions':
      return use(host.packages).setPending(step.extensions)
    default:
      return step satisfies never
  }
}

type StagedStep = Extract<Step, { kind: 'writeFile' | 'copyFile' | 'writeSymlink' | 'writeHardLink' }>

function isStaged(step: Step): step is StagedStep {
  return ['writeFile', 'copyFile', 'writeSymlink', 'writeHardLink'].includes(step.kind)
}

async function copy(files: HostFiles, from: string, to: string): Promise<void> {
  const status = await files.status(from)
  if (status?.kind === 'symlink') return files.createSymlink(to, await files.readLink(from))
  if (status?.kind !== 'file')
    throw new Error(`cannot keep a copy of ${from}: it is ${status ? `a ${status.kind}` : 'not there'}`)
  await files.create(to, await files.read(from), status)
}

function contentOf(contents: ReadonlyMap<ContentKey, Uint8Array>, key: ContentKey): Uint8Array {
  const content = contents.get(key)
  if (!content) throw new Error(`the plan has no content for ${key}: it was made for another config`)
  return content
}
