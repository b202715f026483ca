import { bootedArguments } from './bootedArguments.ts'
import { type Exec, runOrFail } from './exec.ts'
import { findProgram } from './findProgram.ts'
import {
  type Capability,
  HostError,
  type HostFiles,
  isMissing,
  type KernelArguments,
  supported,
  unsupported,
} from './host.ts'
import { makeDirectories } from './makeDirectories.ts'
import { resolveLink } from './resolveLink.ts'

export const grubDropIn = '/etc/default/grub.d/99-mco.cfg'
const dropInAttributes = { mode: 0o644, uid: 0, gid: 0 }

/**
 * Kernel arguments by a drop-in of GRUB's defaults. The drop-in holds the managed arguments only: those of the
 * installer stay where they are.
 */
export async function grubKernelArguments(exec: Exec, files: HostFiles): Promise<Capability<KernelArguments>> {
  const missing = await whatIsMissing(files)
  if (missing !== undefined) return unsupported(missing)
  const pending = async (): Promise<readonly string[]> => parseGrubDropIn(await readDropIn(files))
  return supported({
    pending,
    booted: () => bootedArguments(files),
    refusal: grubRefusal,
    async setPending(list) {
      const before = await readDropIn(files)
      await writeDropIn(files, list.length === 0 ? undefined : renderGrubDropIn(list))
      try {
        await runOrFail(exec, { program: 'update-grub', args: [], timeoutMs: 300_000 })
      } catch (error) {
        await writeDropIn(files, before)
        throw error
      }
    },
  })
}

async function whatIsMissing(files: HostFiles): Promise<string | undefined> {
  const maker = await findProgram(files, 'grub-mkconfig')
  if (!maker || !(await findProgram(files, 'update-grub'))) return 'GRUB is not installed (no update-grub)'
  const text = await resolveLink(files, maker)
  if (!text || !(await files.read(text.path)).includes('default/grub.d'))
    return 'its grub-mkconfig does not read /etc/default/grub.d'
  if ((await files.status('/boot/grub'))?.kind !== 'directory') return 'GRUB is not set up (no /boot/grub)'
  return undefined
}

async function readDropIn(files: HostFiles): Promise<string | undefined> {
  try {
    return (await files.read(grubDropIn)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function writeDropIn(files: HostFiles, text: string | undefined): Promise<void> {
  if (text === undefined) return files.remove(grubDropIn)
  await makeDirectories(files, '/etc/default/grub.d', { mode: 0o755, uid: 0, gid: 0 })
  await files.remove(`${grubDropIn}.mco-new`)
  await files.create(`${grubDropIn}.mco-new`, Buffer.from(text), dropInAttributes)
  await files.rename(`${grubDropIn}.mco-new`, grubDropIn)
}

const listMarker = '# arguments: '

/** Two readers: a shell sources the file, and GRUB's own parser reads what comes out of it. */
export function renderGrubDropIn(list: readonly string[]): string {
  const refusal = grubRefusal(list)
  if (refusal !== undefined) throw new HostError('EINVAL', grubDropIn, refusal)
  const value = list.map(escapeForGrub).join(' ')
  return [
    '# Written by mco from the kernelArguments of MachineConfigs; the list below is what it reads back.',
    `${listMarker}${JSON.stringify(list)}`,
    `GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX "${quoteForShell(value)}`,
    '',
  ].join('\n')
}

function grubRefusal(list: readonly string[]): string | undefined {
  const odd = list.find((argument) => !isPrintable.test(argument))
  return odd === undefined ? undefined : `the kernel argument ${JSON.stringify(odd)} holds a control character`
}

export function parseGrubDropIn(text: string | undefined): readonly string[] {
  const line = (text ?? '').split('\n').find((candidate) => candidate.startsWith(listMarker))
  return line === undefined ? [] : readList(line.slice(listMarker.length))
}

function readList(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === 'string') : []
  } catch (error) {
    throw new HostError('EINVAL', grubDropIn, `${grubDropIn} was changed by hand; remove it and apply again`, {
      cause: error,
    })
  }
}

const isPrintable = /^[^\p{Cc}]*$/u
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
// Double quotes mean the same to GRUB as to the kernel: they keep blanks together.
const escapeForGrub = (argument: string): string => argument.replace(/[\\$';&|<>{}#]/g, '\\$&')
