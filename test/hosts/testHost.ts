import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  for (const part of ['upper', 'work', 'root']) await mkdir(join(disk, part), { recursive: true })
  const layers = `lowerdir=${base},upperdir=${join(disk, 'upper')},workdir=${join(disk, 'work')}`
  await expectSuccess('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  await writeFile(join(root, 'etc', 'hostname'), `${name}\n`)
  if (network) await writeFile(join(root, 'etc/systemd/network/host0.network'), networkFile(network.address))
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

  const boot = (): void => {
    const log = openSync(join(disk, 'console.log'), 'a')
    const container = spawn('systemd-nspawn', flags, { stdio: ['ignore', log, log] })
    closeSync(log)
    state.container = container
    state.boots += 1
    running.add(container)
    state.ended = new Promise((resolve) => {
      container.once('exit', (code) => {
        running.delete(container)
        if (code === rebootExitCode && state.keepRunning) boot()
        else resolve()
      })
    })
  }
  const init = async (): Promise<string> => {
    const pid = state.container?.pid
    const children = pid && (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    const first = (children || '').trim().split(' ').at(-1)
    if (!first) throw new Error(`${name} is not running`)
    return first
  }
  const run = async (program: string, args: readonly string[], options?: RunOptions): Promise<CommandResult> =>
    execute('nsenter', ['-t', await init(), '-a', program, ...args], options)
  const isUp = async (): Promise<boolean> => {
    if (state.container?.exitCode !== null) return false
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
    const pid = await init().catch(() => undefined)
    if (pid) process.kill(Number(pid), 'SIGKILL')
    state.container?.kill('SIGKILL')
    await state.ended
  }
  return {
    name,
    root,
    boots: () => state.boots,
    async start() {
      state.keepRunning = true
      boot()
      await until(isUp, `${name} to boot; see ${join(disk, 'console.log')}`, 60_000)
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

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const container of running) container.kill('SIGKILL')
})
