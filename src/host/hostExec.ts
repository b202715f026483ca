import { spawn } from 'node:child_process'
import { type CommandResult, commandFailed, type Exec, type HeldCommand, type HostCommand } from './exec.ts'
import { HostError } from './host.ts'

/** How a command gets to the host; `none` when this process is there already. */
export type HostEntry =
  | { readonly kind: 'none' }
  | { readonly kind: 'chroot'; readonly root: string }
  | { readonly kind: 'nsenter'; readonly pid: number }

export interface HostExecOptions {
  /** The absolute path of a program on the host. */
  readonly find: (program: string) => Promise<string | undefined>
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
}

/** Programs of the host in the C locale, each with a time limit; more output than the limit is cut, not waited for. */
export function hostExec(
  entry: HostEntry,
  { find, timeoutMs: defaultTimeoutMs = 60_000, maxOutputBytes = 8 << 20 }: HostExecOptions,
): Exec {
  const located = async (command: HostCommand): Promise<Located> => {
    const path = await find(command.program)
    if (path === undefined)
      throw new HostError('ENOPROGRAM', command.program, `this host has no program "${command.program}"`)
    const [file = path, ...args] = [...entryWords(entry), path, ...command.args]
    return { file, args }
  }
  return {
    async run(command) {
      const { file, args } = await located(command)
      return runToEnd(file, args, command, command.timeoutMs ?? defaultTimeoutMs, maxOutputBytes)
    },
    async hold(command) {
      const { file, args } = await located(command)
      return start(file, args, command, command.timeoutMs ?? defaultTimeoutMs)
    },
  }
}

interface Located {
  readonly file: string
  readonly args: readonly string[]
}

function entryWords(entry: HostEntry): readonly string[] {
  switch (entry.kind) {
    case 'none':
      return []
    case 'chroot':
      return ['chroot', entry.root]
    case 'nsenter':
      return ['nsenter', '-t', String(entry.pid), '-m', '-u', '-i', '-n', '-p', '--']
    default:
      return entry satisfies never
  }
}

/** Nothing of this process's surroundings: parsed output is in English, and programs of the host find each other. */
const environment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  HOME: '/root',
  SYSTEMD_COLORS: '0',
  SYSTEMD_PAGER: '',
  // systemctl takes a container's chroot for an installer's and would do nothing, successfully.
  SYSTEMD_IGNORE_CHROOT: '1',
  RPMOSTREE_CLIENT_ID: 'machine-config-operator',
  DEBIAN_FRONTEND: 'noninteractive',
}

function runToEnd(
  file: string,
  args: readonly string[],
  command: HostCommand,
  timeoutMs: number,
  maxOutputBytes: number,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: environment, cwd: '/', detached: true })
    const out = collector(maxOutputBytes)
    const err = collector(maxOutputBytes)
    child.stdout.on('data', out.add)
    child.stderr.on('data', err.add)
    // A program that ends without reading its input is not our failure.
    child.stdin.on('error', ignoreClosedInput(reject))
    child.stdin.end(command.input ?? '')
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      killGroup(child.pid)
    }, timeoutMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(cannotStart(command, error))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (timedOut) return reject(tookTooLong(command, timeoutMs))
      if (code === null) return reject(wasKilled(command, signal))
      resolve({ code, stdout: out.text(), stderr: err.text() })
    })
  })
}

function start(file: string, args: readonly string[], command: HostCommand, timeoutMs: number): Promise<HeldCommand> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: environment, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = new Promise<void>((done) => child.once('close', () => done()))
    child.stdin.on('error', ignoreClosedInput(reject))
    const timer = setTimeout(() => {
      killGroup(child.pid)
      reject(tookTooLong(command, timeoutMs))
    }, timeoutMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(cannotStart(command, error))
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(commandFailed(command, code ?? -1, ''))
    })
    child.stdout.once('data', () => {
      clearTimeout(timer)
      resolve({
        async stop() {
          child.stdin.end()
          const late = setTimeout(() => killGroup(child.pid), stopTimeoutMs)
          await ended
          clearTimeout(late)
        },
      })
    })
    child.stdin.write('\n')
  })
}

const stopTimeoutMs = 5_000

/** The program may have children that hold its output open: all of its group is ended. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function collector(limit: number): { add(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      const kept = chunk.subarray(0, Math.max(0, limit - size))
      size += kept.byteLength
      if (kept.byteLength > 0) chunks.push(kept)
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

const ignoreClosedInput =
  (reject: (error: Error) => void) =>
  (error: Error): void => {
    if (!('code' in error && error.code === 'EPIPE')) reject(error)
  }

const words = ({ program, args }: HostCommand): string => [program, ...args].join(' ')

const cannotStart = (command: HostCommand, cause: Error): HostError =>
  new HostError('ENOSTART', command.program, `${words(command)} could not be started: ${cause.message}`, { cause })

const tookTooLong = (command: HostCommand, timeoutMs: number): HostError =>
  new HostError('ETIMEDOUT', command.program, `${words(command)} did not end within ${timeoutMs / 1000} s`)

const wasKilled = (command: HostCommand, signal: string | null): HostError =>
  new HostError('EKILLED', command.program, `${words(command)} was ended by ${signal ?? 'a signal'}`)
