import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import { bootedArguments } from './bootedArguments.ts'
import { type Exec, runOrFail } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { type Capability, HostError, type HostFiles, type KernelArguments, supported, unsupported } from './host.ts'

const timeoutMs = 120_000

/** Kernel arguments of Fedora-like systems: boot entries of their own, which `grubby` edits for every installed kernel. */
export async function grubbyKernelArguments(exec: Exec, files: HostFiles): Promise<Capability<KernelArguments>> {
  if (!(await findProgram(files, 'grubby')))
    return unsupported(
      'boot entries of this system are changed by grubby, which is not installed; install the package grubby',
    )
  const grubby = (...args: readonly string[]): Promise<string> =>
    runOrFail(exec, { program: 'grubby', args, timeoutMs })
  const entries = async (): Promise<readonly BootEntry[]> => {
    const found = parseGrubbyInfo(await grubby('--info=ALL'))
    if (found.length > 0) return found
    throw new HostError('ENOENTRY', 'grubby', 'grubby knows no boot entry; look at grubby --info=ALL on the host')
  }
  const pending = async (): Promise<readonly string[]> => {
    const index = Number((await grubby('--default-index')).trim())
    const found = await entries()
    return (found.find((entry) => entry.index === index) ?? found[0])?.kernelArguments ?? []
  }
  return supported({
    pending,
    booted: () => bootedArguments(files),
    refusal: grubbyRefusal,
    async setPending(list) {
      const refusal = grubbyRefusal(list)
      if (refusal !== undefined) throw new HostError('EINVAL', 'grubby', refusal)
      const before = await pending()
      const names = changedNames(before, list)
      if (names.size === 0) return
      await grubby('--update-kernel=ALL', ...grubbyOptions(before, list))
      // Other arguments may differ from entry to entry: a rescue system is started in its own way.
      const isMissing = ({ kernelArguments }: BootEntry): boolean =>
        [...changedNames(kernelArguments, list)].some((name) => names.has(name))
      const missed = (await entries()).find(isMissing)
      if (missed)
        throw new HostError(
          'EINCOMPLETE',
          missed.kernel,
          `grubby did not bring the boot entry of ${missed.kernel} to the kernel arguments ${list.join(' ') || '(none)'}; it has ${missed.kernelArguments.join(' ') || 'none'}`,
        )
    },
  })
}

interface BootEntry {
  readonly index: number
  readonly kernel: string
  readonly kernelArguments: readonly string[]
}

/** One block of `name=value` lines per boot entry, begun by its index. */
export function parseGrubbyInfo(text: string): readonly BootEntry[] {
  const entries: { index: number; kernel: string; kernelArguments: readonly string[] }[] = []
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line.trim()) ?? []
    if (name === 'index') entries.push({ index: Number(value), kernel: '', kernelArguments: [] })
    const entry = entries.at(-1)
    if (!entry) continue
    if (name === 'kernel') entry.kernel = unquote(value)
    if (name === 'args') entry.kernelArguments = splitKernelArguments([unquote(value)])
  }
  // A non-Linux entry has a place in the menu, and no kernel.
  return entries.filter(({ kernel }) => kernel !== '')
}

/**
 * From one list to another in one call. To grubby an added argument replaces every other of its name, so all arguments of
 * a name go and come together; among themselves they keep their order. Those of other names stay where they are.
 */
export function grubbyOptions(from: readonly string[], to: readonly string[]): readonly string[] {
  const changed = changedNames(from, to)
  const of = (list: readonly string[]): readonly string[] => list.filter((argument) => changed.has(nameOf(argument)))
  const options: readonly (readonly [string, readonly string[]])[] = [
    ['--remove-args', [...new Set(of(from))]],
    ['--args', of(to)],
  ]
  return options.filter(([, list]) => list.length > 0).map(([option, list]) => `${option}=${list.join(' ')}`)
}

function changedNames(from: readonly string[], to: readonly string[]): ReadonlySet<string> {
  const names = new Set([...from, ...to].map(nameOf))
  return new Set([...names].filter((name) => argumentsNamed(from, name) !== argumentsNamed(to, name)))
}

/** grubby splits at every blank and has no way to quote. */
function grubbyRefusal(list: readonly string[]): string | undefined {
  const odd = list.find((argument) => /[\s"'\\]/.test(argument))
  return odd === undefined
    ? undefined
    : `grubby cannot keep blanks, quotes or backslashes, as in ${JSON.stringify(odd)}`
}

const nameOf = (argument: string): string => argument.split('=', 1)[0] ?? argument
const argumentsNamed = (list: readonly string[], name: string): string =>
  list.filter((argument) => nameOf(argument) === name).join(' ')
const unquote = (value: string): string => (/^".*"$/.test(value) ? value.slice(1, -1) : value)
