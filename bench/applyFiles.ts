import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openJournal } from '../src/daemon/journal.ts'
import { emptyLoadedConfig, type LoadedConfig, loadConfig } from '../src/daemon/loadConfig.ts'
import { prepareUpdate } from '../src/daemon/prepareUpdate.ts'
import { applyPlan, commit } from '../src/daemon/transaction.ts'
import { defaultPolicies } from '../src/forecast/disruptionPolicies.ts'
import { type DirectoryHost, directoryHost } from '../src/host/directoryHost.ts'
import { flags, percentile, ratioText, report } from './figures.ts'
import { openOwnFilesystem } from './ownFilesystem.ts'

/**
 * An update that changes 1, 100 and 1,000 files, durable, from planning to commit; against `cp -a` of as many files of the
 * same content and one `sync`, which keeps nothing for undoing. Both in turn on the same disk.
 */
const targetRatio = 3
const fileBytes = 2048
const runs = flags.quick ? 3 : 7
const counts = flags.quick ? [1, 100] : [1, 100, 1000]

interface Sample {
  readonly prepareMs: number
  readonly applyMs: number
  readonly commitMs: number
  readonly copyMs: number
}

const filesystem = openOwnFilesystem()
const base = filesystem.path
try {
  const results: ReturnType<typeof summary>[] = []
  for (const files of counts) results.push(summary(files, await measure(files)))
  report(
    { filesystem: filesystem.description, fileBytes, targetRatio, results },
    () =>
      `on ${filesystem.description}\n${results
        .map(
          ({ files, applyMs, copyMs, phases }) =>
            `${files} changed files: ${applyMs.toFixed(1)} ms (${phases}), cp -a and sync ${copyMs.toFixed(1)} ms: ` +
            `${(applyMs / copyMs).toFixed(2)} times as long (${ratioText(applyMs / copyMs, targetRatio, 'times')})`,
        )
        .join('\n')}`,
  )
} finally {
  filesystem.dispose()
}

function summary(files: number, samples: readonly Sample[]) {
  const median = (of: (sample: Sample) => number) => percentile(samples.map(of), 0.5)
  const total = median(({ prepareMs, applyMs, commitMs }) => prepareMs + applyMs + commitMs)
  const copyMs = median((sample) => sample.copyMs)
  const phases =
    `plan ${median(({ prepareMs }) => prepareMs).toFixed(1)}, apply ${median(({ applyMs }) => applyMs).toFixed(1)}, ` +
    `commit ${median(({ commitMs }) => commitMs).toFixed(1)}`
  return { files, applyMs: total, copyMs, ratio: total / copyMs, ratioToTarget: total / copyMs / targetRatio, phases }
}

/** Each time on a new root: ext4 is slow to make files where thousands were deleted a moment ago. */
async function measure(files: number): Promise<readonly Sample[]> {
  const yardstick = join(base, `files-${files}`)
  writeTree(yardstick, Object.fromEntries(numbers(files).map((n) => [`file-${n}`, contentOf(n, 0)])))
  const [old, next] = [configOf(files, 0), configOf(files, 1)]
  const samples: Sample[] = []
  for (let run = 0; run < runs; run += 1) {
    const root = join(base, `root-${files}-${run}`)
    writeTree(root, { 'etc/passwd': 'core:x:1000:1000::/home/core:/bin/sh\n', 'etc/group': 'core:x:1000:\n' })
    const host = directoryHost(root, { durable: true })
    try {
      await update(host, emptyLoadedConfig, old, 'old')
      const times = await update(host, old, next, 'new')
      samples.push({ ...times, copyMs: copy(yardstick, join(base, `copy-${files}-${run}`)) })
    } finally {
      host.close()
    }
  }
  return samples
}

async function update(host: DirectoryHost, from: LoadedConfig, to: LoadedConfig, id: string) {
  const journal = openJournal(host.files)
  spawnSync('sync')
  const started = performance.now()
  const prepared = await prepareUpdate(host, from, to, { policies: defaultPolicies })
  if (prepared.kind !== 'ready') throw new Error(prepared.message)
  const planned = performance.now()
  const names = { id, from: from.view.name, to: to.view.name, actions: [] }
  await applyPlan({ host, journal, plan: prepared.plan, ...names })
  const applied = performance.now()
  await commit(host, journal, { keep: true })
  return { prepareMs: planned - started, applyMs: applied - planned, commitMs: performance.now() - applied }
}

function copy(from: string, to: string): number {
  spawnSync('sync')
  const started = performance.now()
  for (const command of [['cp', '-a', from, to], ['sync']] as const) {
    const { status } = spawnSync(command[0], command.slice(1))
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`)
  }
  return performance.now() - started
}

function configOf(files: number, version: number): LoadedConfig {
  const list = numbers(files).map((n) => ({
    path: `/etc/bench/file-${n}`,
    contents: { source: `data:;base64,${Buffer.from(contentOf(n, version)).toString('base64')}` },
  }))
  return loadConfig({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: `rendered-bench-${version}` },
    spec: { config: { ignition: { version: '3.5.0' }, storage: { files: list } } },
  })
}

function contentOf(file: number, version: number): string {
  return `file ${file} of version ${version}\n`.repeat(fileBytes / 16).slice(0, fileBytes)
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n)
}

function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
