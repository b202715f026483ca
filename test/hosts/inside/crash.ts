import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { applyOnce } from '../../../src/daemon/applyOnce.ts'
import { loadConfig } from '../../../src/daemon/loadConfig.ts'
import { describeStep } from '../../../src/daemon/step.ts'
import { defaultPolicies } from '../../../src/forecast/disruptionPolicies.ts'
import { realHost } from '../../../src/host/realHost.ts'
import { execute } from '../../e2e/harness.ts'
import { checkpointedExec } from '../checkpointedExec.ts'
import { type DiskState, differingPaths, leftoversOf, readDiskState } from '../diskState.ts'

/**
 * Runs inside a test host; the work file holds the configs `old` and `next`, and policies when they are not the default.
 * `prepare` brings the machine to `old` and notes what both look like on disk; `die N` starts the update to `next` and
 * kills itself at point N, `hold N` stops there until the power goes; `judge` is the next start, and `every FROM TO` does all of it.
 */
const work = '/root/crash.json'
const trees = '/root/crash-trees.json'
const where = '/root/crash-point.json'

interface Point {
  readonly point: string
  readonly step: string
}
interface Verdict extends Point {
  readonly recovered: string
  readonly disk: 'old' | 'new' | 'neither'
  readonly problems: readonly string[]
}

const [verb, number = '0', last = '0'] = process.argv.slice(2)
switch (verb) {
  case 'prepare':
    console.log(JSON.stringify({ points: await prepare() }))
    break
  case 'die':
    await interrupted(Number(number), () => process.kill(process.pid, 'SIGKILL'))
    break
  case 'hold':
    await interrupted(Number(number), () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    break
  case 'judge':
    console.log(JSON.stringify(await judge()))
    break
  case 'every':
    await every(Number(number), Number(last))
    break
  default:
    throw new Error(`unknown: ${verb}`)
}

async function prepare(): Promise<number> {
  await bringTo('old')
  const old = readDiskState()
  await bringTo('next')
  writeFileSync(trees, JSON.stringify({ old, next: readDiskState() }))
  await goBack()
  const differing = differingPaths(old, readDiskState())
  if (differing.length > 0) throw new Error(`not the old config again: ${differing.join(', ')}`)
  // What is kept of the update before has its points too: counted as every later round finds it.
  let points = 0
  await bringTo('next', () => {
    points += 1
  })
  await goBack()
  return points
}

async function every(first: number, last: number): Promise<void> {
  for (let point = first; point <= last; point += 1) {
    rmSync(where, { force: true })
    // As a service: what the killed process started ends with it, as it does for the daemon.
    const unit = ['--quiet', '--wait', '--collect', '--property=RuntimeMaxSec=60']
    await execute('systemd-run', [...unit, process.execPath, process.argv[1] ?? '', 'die', String(point)])
    console.log(JSON.stringify(await judge()))
  }
}

/** The next start: what it does, and what the disk is then. Leaves the machine at `old`. */
async function judge(): Promise<Verdict> {
  const at: Point = existsSync(where)
    ? JSON.parse(readFileSync(where, 'utf8'))
    : { point: 'not reached', step: 'not reached' }
  const recovered = await bringTo(undefined)
  const expected: { readonly old: DiskState; readonly next: DiskState } = JSON.parse(readFileSync(trees, 'utf8'))
  const found = readDiskState()
  const fromOld = differingPaths(expected.old, found)
  const fromNext = differingPaths(expected.next, found)
  const disk = fromOld.length === 0 ? 'old' : fromNext.length === 0 ? 'new' : 'neither'
  const problems = [
    ...leftoversOf(found).map((path) => `left ${path}`),
    ...(disk === 'neither' ? [`differs from old in ${fromOld.join(', ')}; from new in ${fromNext.join(', ')}`] : []),
    ...(serviceReads() ? [] : ['the service runs with what is not on the disk']),
    ...(at.point === 'not reached' ? ['the point was not reached'] : []),
  ]
  if (disk !== 'old') await goBack()
  return { ...at, recovered, disk, problems }
}

/** A config that no longer wants a file leaves its directory: without them, so that every update starts from one disk. */
async function goBack(): Promise<void> {
  await bringTo('old')
  for (const directory of ['/etc/mco-new', '/etc/machine-config-daemon/noorig/etc/mco-new'])
    rmSync(directory, { recursive: true, force: true })
}

/** Where the service notes what it read when it was started, that has to be what is there. */
function serviceReads(): boolean {
  const noted = '/run/mco-crash-read'
  return !existsSync(noted) || readFileSync(noted, 'utf8') === readFileSync('/etc/mco-crash/changes', 'utf8')
}

async function interrupted(number: number, end: () => void): Promise<void> {
  let count = 0
  await bringTo('next', (point, step) => {
    count += 1
    if (count !== number) return
    writeFileSync(where, JSON.stringify({ point, step } satisfies Point))
    end()
  })
}

/** Recovers, then applies when there is something to apply; answers what the recovery did. */
async function bringTo(
  name: 'old' | 'next' | undefined,
  onPoint: (point: string, step: string) => void = () => undefined,
): Promise<string> {
  let step = 'begin'
  const checkpoint = (point: string): void => onPoint(point, step)
  const host = await realHost('/', { checkpoint, exec: checkpointedExec(checkpoint) })
  try {
    const { old, next, policies = defaultPolicies } = JSON.parse(readFileSync(work, 'utf8'))
    const engine = applyOnce(host, loadConfig(name === 'old' ? old : next), { policies })
    const recovered = await engine.recover()
    if (name === undefined) return recovered.kind
    const plan = await engine.plan()
    const steps = plan.prepared.kind === 'ready' ? plan.prepared.plan.steps : []
    const describe = (index: number): string => {
      const at = steps[index]
      return at ? describeStep(at) : 'commit'
    }
    step = describe(0)
    const outcome = await engine.run(plan, ({ position }) => {
      step = describe(position)
    })
    if (outcome.kind !== 'applied') throw new Error(`${name}: ${outcome.message}`)
    return recovered.kind
  } finally {
    host.close()
  }
}
