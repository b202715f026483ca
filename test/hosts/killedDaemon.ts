import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { journalDirectory } from '../../src/daemon/hostPaths.ts'
import { foldRecords, type JournalHeader, type JournalRecord } from '../../src/daemon/journal.ts'
import { describeStep } from '../../src/daemon/step.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import { until } from '../e2e/harness.ts'
import { clusterNode, reader, readerNote } from './clusterNode.ts'
import { type DiskState, differingPaths, leftoversOf, readDiskState } from './diskState.ts'
import { killFiles } from './killFiles.ts'
import type { TestHost } from './testHost.ts'

/** The names of the two rendered configs between which the machine goes, and what each looks like on disk. */
interface Side {
  readonly config: string
  disk: DiskState
  points: readonly string[]
}

interface Verdict {
  readonly where: string
  readonly phase: string
  readonly nextStart: string
  readonly point: string
  readonly problems: readonly string[]
}

/**
 * The daemon as it is shipped, on a machine of a cluster, ended by SIGKILL before its n-th effect of an update that its
 * Node's annotations ask for, with drain, service restart and uncordon. `MCO_KILL_POINTS=all` visits every n, in both
 * directions; otherwise a sample of them.
 */
export function killedDaemon(cluster: SingleProcessCluster, host: TestHost): Record<string, () => Promise<void>> {
  const node = clusterNode(cluster, host)
  const sides: { old?: Side; next?: Side } = {}
  const outside = (path: string): string => join(host.root, path)

  /** Brings the machine to a config without harm, and notes its disk and the effects on the way. */
  const visit = async (side: Side): Promise<void> => {
    await rm(outside(killFiles.points), { force: true })
    await writeFile(outside(killFiles.killAt), '0')
    await node.desire(side.config)
    await node.settled(side.config)
    side.points = readFileSync(outside(killFiles.points), 'utf8').trim().split('\n')
    side.disk = readDiskState(host.root)
  }

  const die = async (to: Side, point: number): Promise<Verdict> => {
    await rm(outside(killFiles.killed), { force: true })
    await writeFile(outside(killFiles.killAt), String(point))
    await node.desire(to.config)
    await until(
      async () => existsSync(outside(killFiles.killed)) || (await node.isSettled(to.config)),
      'the kill',
      60_000,
    )
    if (!existsSync(outside(killFiles.killed))) {
      // A few effects differ from run to run: what is told to the API together, for one.
      await rm(outside(killFiles.killAt), { force: true })
      return { where: 'not reached', phase: '', nextStart: '', point: '', problems: [] }
    }
    const label = readFileSync(outside(killFiles.killed), 'utf8')
    await until(async () => !(await node.isRunning()), 'the daemon to be gone', 10_000)
    const open = readJournal(host.root)
    const problems = await node.problemsWhileDead(open !== undefined)
    await node.start()
    await node.settled(to.config).catch(async (error: unknown) => {
      problems.push(`${error instanceof Error ? error.message : String(error)}; ${await node.explain()}`)
    })
    const found = readDiskState(host.root)
    const differing = differingPaths(to.disk, found)
    if (differing.length > 0) problems.push(`differs from ${to.config} in ${differing.join(', ')}`)
    problems.push(...leftoversOf(found, host.root).map((path) => `left ${path}`))
    if (node.text(readerNote) !== node.text(reader.reads))
      problems.push('the service runs with what is not on the disk')
    return {
      where: place(label, open),
      phase: phaseOf(open),
      nextStart: await node.whatItDid(),
      point: label,
      problems,
    }
  }

  return {
    'an update by the annotations of the Node, there and back, has the same effects each time': async () => {
      await mkdir(outside(killFiles.directory), { recursive: true })
      const [old, next] = await node.twoConfigs()
      const there: Side = { config: next, disk: {}, points: [] }
      const back: Side = { config: old, disk: {}, points: [] }
      // Twice: the directories that a config made stay when it goes.
      for (const side of [there, back, there, back]) await visit(side)
      ok(there.points.length > 60, `only ${there.points.length} effects`)
      Object.assign(sides, { old: back, next: there })
    },
    'killed at any of them, it is at its config after the next start: Done, uncordoned, nothing left': async () => {
      const { old, next } = sides
      if (!old || !next) throw new Error('there was no update')
      const all = Math.max(old.points.length, next.points.length)
      const chosen = process.env.MCO_KILL_POINTS === 'all' ? all : Math.min(samples, all)
      const verdicts: Verdict[] = []
      let [from, to] = [old, next]
      for (let sample = 0; sample < chosen; sample += 1) {
        const point = chosen === all ? sample + 1 : Math.round(1 + (sample * (all - 1)) / (chosen - 1))
        // All of them in both directions; samples take turns.
        for (let way = 0; way < (chosen === all ? 2 : 1); way += 1) {
          verdicts.push(await die(to, point))
          ;[from, to] = [to, from]
        }
      }
      const effects = `${next.points.length} effects there, ${old.points.length} back`
      report(
        `SIGKILL of mco daemon: ${chosen === all ? 'every point' : `sampled, ${chosen} points`} of ${effects}`,
        verdicts,
      )
      deepEqual(
        verdicts.filter(({ problems }) => problems.length > 0),
        [],
      )
      ok(
        verdicts.filter(({ where }) => where === 'not reached').length <= chosen / 5,
        'too many points were not reached',
      )
      equal(await node.isCordoned(), false)
    },
    'killed around the reboot that completes an update, the machine has booted once more and is Done': async () => {
      await node.keepRunning()
      let number = 0
      const toReboot = async (killAt: number): Promise<void> => {
        number += 1
        // No policy names this path, so the machine reboots.
        const config = await node.render('80-worker-reboot', { files: { '/etc/mco-reboot/a': `${number}` } })
        const bootId = await host.bootId()
        await rm(outside(killFiles.points), { force: true })
        await rm(outside(killFiles.killed), { force: true })
        await writeFile(outside(killFiles.killAt), String(killAt))
        await node.desire(config)
        await node.settled(config)
        notEqual(await host.bootId(), bootId)
        equal(node.text('/etc/mco-reboot/a'), `${number}`)
        deepEqual(leftoversOf(readDiskState(host.root), host.root), [])
      }
      // Twice: the first one has more to do than those that follow.
      for (const killAt of [0, 0]) await toReboot(killAt)
      const points = readFileSync(outside(killFiles.points), 'utf8').trim().split('\n')
      const request = points.findIndex((label) => label.startsWith('command systemd-run')) + 1
      ok(request > 20, `the reboot was asked for at effect ${request} of ${points.length}`)
      const killedAt: string[] = []
      for (const point of [request - 8, request - 3, request - 1, request, request + 1]) {
        await toReboot(point)
        if (existsSync(outside(killFiles.killed))) killedAt.push(readFileSync(outside(killFiles.killed), 'utf8'))
      }
      console.log(`killed around the reboot, and booted once more:\n  ${killedAt.join('\n  ')}`)
      ok(killedAt.length >= 3, `only ${killedAt.length} points were reached`)
      equal(await node.isCordoned(), false)
    },
  }
}

const samples = 16

function report(title: string, verdicts: readonly Verdict[]): void {
  const counts = new Map<string, number>()
  for (const { where, phase, nextStart } of verdicts) {
    const line = `${phase.padEnd(10)}${nextStart.padEnd(12)}${where}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  console.log(`${title}\n  points  journal   next start  killed at`)
  for (const [line, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${String(count).padStart(6)}  ${line}`)
}

interface OpenJournal {
  readonly header: JournalHeader
  readonly records: readonly JournalRecord[]
}

function readJournal(root: string): OpenJournal | undefined {
  const file = `${root}${journalDirectory}/current/records`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // The last line may be half there. With none it has not begun.
  const [header, ...records] = text.split('\n').slice(0, -1)
  return header === undefined
    ? undefined
    : { header: JSON.parse(header), records: records.map((line) => JSON.parse(line)) }
}

function phaseOf(open: OpenJournal | undefined): string {
  if (!open) return 'none'
  const { ended, undoing, applied } = foldRecords(open.header, open.records)
  return ended ?? (undoing ? 'undoing' : applied ? 'applied' : 'steps')
}

/** The step that an effect belongs to, or what else it is for. */
function place(label: string, open: OpenJournal | undefined): string {
  const [verb = '', path = ''] = label.split(' ')
  if (verb === 'command') return label
  if (/^[A-Z]+$/.test(verb))
    return `report to the cluster: ${/(events|machineconfignodes|nodes)/.exec(path)?.[1] ?? path}`
  if (path.startsWith(journalDirectory)) return 'journal'
  const steps = open?.header.steps ?? []
  const index = /\/\.mco-[^/]+-(\d+)$/.exec(path)?.[1]
  const step = index === undefined ? steps.find((one) => 'path' in one && one.path === path) : steps[Number(index)]
  return step ? describeStep(step) : 'directories and records'
}
