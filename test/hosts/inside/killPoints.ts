import childProcess from 'node:child_process'
import fs from 'node:fs'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { isChange } from '../checkpointedExec.ts'
import { killFiles } from '../killFiles.ts'

/**
 * Loaded before `mco daemon` (`node --import`): ends the process by SIGKILL at its n-th effect on disk, services or API,
 * counted from the moment at which somebody writes n; 0 only notes every effect. The daemon itself is as it is shipped.
 */
const { existsSync, readFileSync, readlinkSync, unlinkSync, writeFileSync, appendFileSync } = fs
let killAt: number | undefined
let count = 0

function effect(label: () => string): void {
  if ((killAt ?? 0) === 0 && existsSync(killFiles.killAt)) {
    killAt = Number(readFileSync(killFiles.killAt, 'utf8'))
    count = 0
    unlinkSync(killFiles.killAt)
  }
  if (killAt === undefined) return
  if (killAt === 0) {
    appendFileSync(killFiles.points, `${label()}\n`)
    return
  }
  count += 1
  if (count !== killAt) return
  writeFileSync(killFiles.killed, label())
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** Paths below the root are opened through handles of their directories. */
function named(target: unknown): string {
  if (typeof target === 'number') return readlinkSync(`/proc/self/fd/${target}`)
  const [, fd, rest = ''] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(String(target)) ?? []
  return fd === undefined ? String(target) : `${readlinkSync(`/proc/self/fd/${fd}`)}${rest}`
}

type AnyFunction = (...args: never[]) => unknown

/** Replaces a function of a module of Node itself, also for those who import it by name. */
function before(module: object, name: string, label: (args: readonly unknown[]) => string | undefined): void {
  const original: unknown = Reflect.get(module, name)
  if (typeof original !== 'function') throw new Error(`${name} is no function of Node any more`)
  const call = original as AnyFunction
  Reflect.set(module, name, (...args: never[]) => {
    if (label(args) !== undefined) effect(() => `${label(args)}`)
    return call(...args)
  })
}

const disk = [
  'mkdirSync',
  'renameSync',
  'unlinkSync',
  'rmdirSync',
  'symlinkSync',
  'linkSync',
  'fchmodSync',
  'fchownSync',
]
// The place that changes is named last where there are two.
for (const name of [...disk, 'writeSync', 'fsync'])
  before(fs, name, (args) => {
    const place = name === 'renameSync' || name === 'symlinkSync' || name === 'linkSync' ? args[1] : args[0]
    // A pipe or the log: nothing of the host.
    return place === 1 || place === 2 ? undefined : `${name.replace('Sync', '')} ${named(place)}`
  })

const spawn = childProcess.spawn as unknown as (
  file: string,
  args: readonly string[],
  options: object,
) => childProcess.ChildProcess
Reflect.set(childProcess, 'spawn', (file: string, args: readonly string[], options: object) => {
  const program = file.slice(file.lastIndexOf('/') + 1)
  // The reboot is asked for by a unit of its own.
  if (!isChange({ program, args }) && program !== 'systemd-run') return spawn(file, args, options)
  const words = `command ${program} ${args.join(' ')}`
  effect(() => `${words} (before)`)
  const child = spawn(file, args, options)
  // Long enough for the program to have started, too short for any of these to be done.
  const half = setTimeout(() => effect(() => `${words} (half)`), 10)
  child.once('close', () => {
    clearTimeout(half)
    effect(() => `${words} (after)`)
  })
  return child
})

const request = https.request as unknown as (options: {
  method?: string
  path?: string
}) => ReturnType<typeof https.request>
Reflect.set(https, 'request', (options: { method?: string; path?: string }) => {
  const words = `${options.method} ${options.path?.split('?')[0]}`
  if (options.method === 'GET') return request(options)
  effect(() => `${words} (before)`)
  const outgoing = request(options)
  outgoing.once('response', () => effect(() => `${words} (answered)`))
  return outgoing
})
syncBuiltinESMExports()
