import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A running `mco up`, as a user starts it: a child process, driven through kubectl and its files. */
export interface RunningCluster {
  readonly dataDir: string
  readonly kubeconfig: string
  readonly process: ChildProcess
  /** Everything that it printed. */
  output(): string
  nodeRoot(node: string): string
  stop(): Promise<void>
  /** SIGKILL of the whole process group: no chance to tidy up. */
  kill(): Promise<void>
}

export interface UpOptions {
  readonly dataDir?: string
  readonly args?: readonly string[]
  readonly readyTimeoutMs?: number
  /** Resolve as soon as the API server answers instead of when every pool is Updated. */
  readonly waitForReady?: boolean
}

/** Starts `bin/mco up` and resolves when it has printed `ready`. */
export async function up({
  dataDir,
  args = [],
  readyTimeoutMs = 60_000,
  waitForReady = true,
}: UpOptions = {}): Promise<RunningCluster> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'mco-e2e-')))
  const child = spawn('bin/mco', ['up', '--data', directory, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const cluster: RunningCluster = {
    dataDir: directory,
    kubeconfig: join(directory, 'kubeconfig'),
    process: child,
    output: () => output,
    nodeRoot: (node) => join(directory, 'nodes', node, 'root'),
    async stop() {
      signalGroup(child, 'SIGINT')
      await exited
      if (!dataDir) await rm(directory, { recursive: true, force: true })
    },
    async kill() {
      signalGroup(child, 'SIGKILL')
      await exited
    },
  }
  running.add(child)
  child.once('exit', () => running.delete(child))
  const marker = waitForReady ? /^ready\b/m : /^api +https:/m
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`mco up ended with code ${child.exitCode}:\n${output}`)
      return marker.test(output)
    },
    `mco up to be ready:\n${output}`,
    readyTimeoutMs,
  ).catch((error: unknown) => {
    signalGroup(child, 'SIGKILL')
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nmco up printed:\n${output}`)
  })
  return cluster
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly timeoutMs?: number
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program to its end; a non-zero code is an answer, not an exception. */
export function execute(
  command: string,
  args: readonly string[],
  { input, timeoutMs = 120_000, env = {} }: RunOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { timeout: timeoutMs, maxBuffer: 64 << 20, env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
        resolve({
          code,
          stdout,
          stderr: error && typeof error.code !== 'number' ? `${stderr}${error.message}` : stderr,
        })
      },
    )
    // A program that ends without reading its input is no fault: its exit code says how it went.
    child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    child.stdin?.end(input)
  })
}

/** Runs `mco` and expects `code`; returns what it printed. */
export async function mco(
  args: readonly string[],
  { code = 0, input }: { readonly code?: number; readonly input?: string } = {},
): Promise<CommandResult> {
  return expectCode('bin/mco', args, await execute('bin/mco', args, input === undefined ? {} : { input }), code)
}

/** `kubectl` bound to a cluster; `run` expects success, `result` returns whatever came. */
export function kubectlFor(cluster: Pick<RunningCluster, 'kubeconfig'>, program = process.env.KUBECTL ?? 'kubectl') {
  const result = (args: readonly string[], options: RunOptions = {}) =>
    execute(program, ['--kubeconfig', cluster.kubeconfig, ...args], options)
  return {
    result,
    async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
      return expectCode(program, args, await result(args, options), 0).stdout
    },
    async json<T>(args: readonly string[]): Promise<T> {
      return JSON.parse(expectCode(program, args, await result([...args, '-o', 'json']), 0).stdout)
    },
  }
}

export type Kubectl = ReturnType<typeof kubectlFor>

function expectCode(command: string, args: readonly string[], result: CommandResult, code: number): CommandResult {
  if (result.code === code) return result
  throw new Error(
    `${command} ${args.join(' ')}: exit code ${result.code}, expected ${code}\n${result.stdout}\n${result.stderr}`,
  )
}

/** Polls until `condition` holds; fails with `what` after the limit. For things that no event tells. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The text of a file, or undefined when it does not exist. */
export async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

/** Runs named checks one after the other, prints a line each, and fails the process when one fails. */
export async function suite(name: string, checks: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  let failed = 0
  for (const [title, check] of Object.entries(checks)) {
    const started = Date.now()
    try {
      await check()
      console.log(`ok    ${name}: ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    } catch (error) {
      failed += 1
      console.log(`FAIL  ${name}: ${title}\n${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
