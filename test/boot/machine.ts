import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import process from 'node:process'
import { textOf, until } from '../e2e/harness.ts'

/** How a machine in QEMU's user network reaches the loopback of the machine that runs it. */
export const hostAddress = '10.0.2.2'

export interface MachineOptions {
  readonly name: string
  /** Where its serial line goes. */
  readonly consoleLog: string
  /** The socket of its controls. */
  readonly control: string
  /** Its disk, written to, and the read-only one with the programs. */
  readonly disk: string
  readonly programs: string
  /** The Ignition config that its firmware hands over. */
  readonly pointer: string
}

/** A whole machine: firmware, boot loader, kernel, initramfs, system. */
export interface Machine {
  /** What came over its serial line, without colours. */
  console(): Promise<string>
  /** How often its kernel has started. */
  boots(): Promise<number>
  /** Fails at once when the machine is gone. */
  until(condition: () => Promise<boolean>, what: string, timeoutMs: number): Promise<void>
  /** As by its power button; resolves when it is off. */
  powerOff(timeoutMs?: number): Promise<void>
  /** The plug is pulled, when it is still on. */
  kill(): Promise<void>
}

/** Starts it by software emulation. Nothing of the host but its loopback can be reached from inside. */
export function startMachine({ name, consoleLog, control, disk, programs, pointer }: MachineOptions): Machine {
  const child = spawn(
    'qemu-system-x86_64',
    [
      ...['-name', name, '-machine', 'q35', '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', '2048'],
      ...['-nodefaults', '-display', 'none', '-serial', `file:${consoleLog}`],
      ...['-qmp', `unix:${control},server=on,wait=off`],
      ...['-drive', `file=${disk},format=raw,if=virtio`, '-drive', `file=${programs},format=raw,if=virtio,readonly=on`],
      ...['-netdev', 'user,id=net', '-device', 'virtio-net-pci,netdev=net,romfile=', '-device', 'virtio-rng-pci'],
      ...['-fw_cfg', `name=opt/com.coreos/config,file=${pointer}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  running.add(child)
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      complaints += error.message
      resolve()
    })
    child.once('exit', () => resolve())
  }).then(() => void running.delete(child))
  const isOver = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const console = async (): Promise<string> => plainText((await textOf(consoleLog)) ?? '')
  return {
    console,
    boots: async () => (await console()).match(/Linux version /g)?.length ?? 0,
    async until(condition, what, timeoutMs) {
      await until(
        async () => {
          if (await condition()) return true
          if (isOver()) throw new Error(`${name} is off: ${complaints}`)
          return false
        },
        what,
        timeoutMs,
      ).catch(async (error: unknown) => {
        throw new Error(`${String(error)}\nits console ends with:\n${(await console()).slice(-4000)}`)
      })
    },
    async powerOff(timeoutMs = 120_000) {
      await press(control)
      const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await ended
      clearTimeout(late)
      if (child.exitCode !== 0)
        throw new Error(`${name} did not power off by itself (${child.signalCode ?? child.exitCode}): ${complaints}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
      await rm(control, { force: true })
    },
  }
}

/** The power button. */
async function press(control: string): Promise<void> {
  const socket = createConnection(control)
  await once(socket, 'connect')
  for (const execute of ['qmp_capabilities', 'system_powerdown']) socket.write(`${JSON.stringify({ execute })}\n`)
  await once(socket, 'data')
  socket.end()
}

const plainText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a serial line carries a terminal's sequences
  text.replace(/\u001b(?:\[[0-9;?]*[A-Za-z]|c)/g, '').replaceAll('\r', '')

const running = new Set<ReturnType<typeof spawn>>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
