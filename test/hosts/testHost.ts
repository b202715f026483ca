import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { type CommandResult, execute, type RunOptions, until } from '../e2e/harness.ts'

export interface TestHostOptions {
  readonly name: string
  /** The tree below, shared by all hosts and never written. */
  readonly base: string
  /** Where this host's disk is kept. */
  readonly directory: string
  /** Directories of this machine that the host sees, read-only: its path to ours. */
  readonly binds: Readonly<Record<string, string>>
  /** An address in the bridge's network; without one the host has no network. */
  readonly network?: { readonly bridge: string; readonly address: string }
}

/** A Debian machine with its own systemd, in a container that starts again when it reboots. */
export interface TestHost {
  readonly name: string
  /** Its disk, as seen from outside. */
  readonly root: string
  /** How often it was booted. */
  boots(): number
  start(): Promise<void>
  run(program: string, args: readonly string[], options?: RunOptions): Promise<CommandResult>
  /** As `run`, and expects success. */
  must(program: string, args: readonly string[], options?: RunOptions): Promise<string>
  bootId(): Promise<string>
  /** Waits until the boot after number `boot` is complete. */
  afterReboot(boot: number): Promise<void>
  /** The power goes: every process of it is gone at once. */
  loosePower(): Promise<void>
  dispose(): Promise<void>
}

const rebootExitCode = 133

export async function testHost({ name, base, directory, binds, network }: TestHostOptions): Promise<TestHost> {
  const disk = join(directory, name)
  const root = join(disk, 'root')
  const consoleLog = join(disk, 'console.log')
  for (const part of ['upper', 'work', 'root']) await mkdir(join(disk, part), { recursive: true })
  const layers = `lowerdir=${base},upperdir=${join(disk, 'upper')},workdir=${join(disk, 'work')}`
  await expectSuccess('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  await writeFile(join(root, 'etc', 'hostname'), `${name}\n`)
  if (network) await writeFile(join(root, 'etc/systemd/network/10-host0.network'), networkFile(network.address))
  const bindFlags = Object.entries(binds).map(([inside, outside]) => `--bind-ro=${outside}:${inside}`)
  const flags = [
    ...['--boot', '--quiet', '--register=no', '--keep-unit', '--kill-signal=SIGRTMIN+3', '--console=pipe'],
    ...[`--directory=${root}`, `--machine=${name}`, ...bindFlags],
    ...(network ? [`--network-bridge=${network.bridge}`] : ['--private-network']),
  ]
  const state: { container?: ChildProcess; ended: Promise<void>; boots: number; keepRunning: boolean } = {
    ended: Promise.resolve(),
    boots: 0,
    keepRunning: false,
  }

  // The kernel takes its time with the interfaces of a container that was killed, and a name is there once.
  const dropInterface = (): void => {
    if (network) spawnSync('ip', ['link', 'delete', `vb-${name}`.slice(0, 15)])
  }
  const boot = (): void => {
    dropInterface()
    const log = openSync(consoleLog, 'a')
    const container = spawn('systemd-nspawn', flags, { stdio: ['ignore', log, log] })
    closeSync(log)
    state.container = container
    state.boots += 1
    running.set(container, root)
    state.ended = new Promise((resolve) => {
      container.once('exit', (code) => {
        running.delete(container)
        if (code === rebootExitCode && state.keepRunning) boot()
        else resolve()
      })
    })
  }
  const init = (): string => {
    const pid = initOf(state.container)
    if (!pid) throw new Error(`${name} is not running`)
    return String(pid)
  }
  const run = async (program: string, args: readonly string[], options?: RunOptions): Promise<CommandResult> =>
    execute('nsenter', ['-t', init(), '-a', program, ...args], options)
  const isUp = async (): Promise<boolean> => {
    const code = state.container?.exitCode ?? null
    if (code !== null && code !== rebootExitCode)
      throw new Error(`${name} did not boot (exit code ${code}): ${(await readFile(consoleLog, 'utf8')).slice(-500)}`)
    if (!initOf(state.container)) return false
    const { stdout } = await run('systemctl', ['is-system-running']).catch(() => ({ stdout: '' }))
    return ['running', 'degraded'].includes(stdout.trim())
  }
  const must = async (program: string, args: readonly string[], options?: RunOptions): Promise<string> => {
    const result = await run(program, args, options)
    if (result.code === 0) return result.stdout
    throw new Error(`${name}: ${program} ${args.join(' ')}: exit ${result.code}\n${result.stdout}${result.stderr}`)
  }
  const halt = async (): Promise<void> => {
    state.keepRunning = false
    // nspawn ends with its init, and takes the container's cgroups and interfaces away. One that boots just now has another
    // init a moment later.
    killContainer(state.container)
    const again = setInterval(() => killContainer(state.container), 250)
    const late = setTimeout(() => state.container?.kill('SIGKILL'), 10_000)
    await state.ended
    clearInterval(again)
    clearTimeout(late)
  }
  return {
    name,
    root,
    boots: () => state.boots,
    async start() {
      state.keepRunning = true
      boot()
      await until(isUp, `${name} to boot; see ${consoleLog}`, 60_000)
    },
    run,
    must,
    bootId: async () => (await must('cat', ['/proc/sys/kernel/random/boot_id'])).trim(),
    async afterReboot(number) {
      await until(() => state.boots > number, `${name} to reboot`, 60_000)
      await until(isUp, `${name} to come back`, 60_000)
    },
    loosePower: halt,
    async dispose() {
      await halt()
      dropInterface()
      await expectSuccess('umount', [root])
      await rm(disk, { recursive: true, force: true })
    },
  }
}

const networkFile = (address: string): string =>
  `[Match]\nName=host0\n[Network]\nAddress=${address}/24\nLinkLocalAddressing=no\n[Link]\nRequiredForOnline=no\n`

async function expectSuccess(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await execute(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}

/** Killing nspawn alone would leave its init and all processes of the container behind. */
function killContainer(container: ChildProcess | undefined): void {
  for (const child of childrenOf(container)) {
    try {
      process.kill(child, 'SIGKILL')
    } catch (error) {
      // It ended by itself in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** The container's init: the child of nspawn that is process 1 of a namespace of its own. */
function initOf(container: ChildProcess | undefined): number | undefined {
  return childrenOf(container).find((child) => /^NSpid:\t\d+\t.*\b1$/m.test(readProc(`${child}/status`)))
}

function childrenOf(container: ChildProcess | undefined): readonly number[] {
  if (container?.pid === undefined) return []
  return readProc(`${container.pid}/task/${container.pid}/children`).split(' ').map(Number).filter(Boolean)
}

/** Empty for a process that has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}

const running = new Map<ChildProcess, string>()
process.on('exit', () => {
  for (const [container, root] of running) {
    killContainer(container)
    container.kill('SIGKILL')
    spawnSync('umount', ['--lazy', root])
  }
})
