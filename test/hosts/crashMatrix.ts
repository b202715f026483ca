import { deepEqual, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPolicies } from '../../src/forecast/disruptionPolicies.ts'
import { machineConfig } from '../daemon/builders.ts'
import { until } from '../e2e/harness.ts'
import type { TestHost } from './testHost.ts'

const unit = (seconds: number) => ({
  name: 'mco-crash.service',
  enabled: true,
  contents: `[Service]\nExecStart=/bin/sleep ${seconds}\n[Install]\nWantedBy=multi-user.target\n`,
})
const old = machineConfig({
  name: 'old',
  files: { '/etc/mco-crash/changes': 'old', '/etc/mco-crash/goes': 'old only', '/etc/motd': 'ours' },
  units: [unit(1000), { name: 'chrony.service', mask: true }],
  keys: ['ssh-ed25519 AAAAold'],
  kernelArguments: ['mco.test=old'],
})
const next = machineConfig({
  name: 'next',
  files: { '/etc/mco-crash/changes': { text: 'new', mode: 0o600 }, '/etc/mco-new/deep/file': 'new' },
  units: [unit(2000), { ...unit(3000), name: 'mco-second.service' }],
  keys: ['ssh-ed25519 AAAAnew'],
  kernelArguments: ['mco.test=new'],
})

/** Only a service has to be restarted; it notes what it read. */
const reader = (text: string) =>
  machineConfig({
    name: `reader-${text}`,
    files: { '/etc/mco-crash/changes': text },
    units: [
      {
        name: 'mco-reader.service',
        enabled: true,
        contents: [
          '[Unit]',
          'StartLimitIntervalSec=0',
          '[Service]',
          'ExecStartPre=/bin/cp /etc/mco-crash/changes /run/mco-crash-read',
          'ExecStart=/bin/sleep 1000',
          '[Install]',
          'WantedBy=multi-user.target',
          '',
        ].join('\n'),
      },
    ],
  })
const restart = [{ type: 'Restart', restart: { serviceName: 'mco-reader.service' } }]
const serviceUpdate = {
  old: reader('old'),
  next: reader('new'),
  policies: {
    ...defaultPolicies,
    files: [...defaultPolicies.files, { path: '/etc/mco-crash/changes', actions: restart }],
    units: [...defaultPolicies.units, { name: 'mco-reader.service', actions: restart }],
  },
}

interface Verdict {
  readonly point: string
  readonly step: string
  readonly recovered: string
  readonly disk: string
  readonly problems: readonly string[]
}

/** A real update, ended at every point where the disk would be another: the next start finds or makes one whole config. */
export function crashMatrix(host: TestHost): Record<string, () => Promise<void>> {
  const program = '/opt/mco-test/crash.mjs'
  const marker = join(host.root, 'root/crash-point.json')
  const state = { points: 0 }
  const every = async (first: number, last: number): Promise<readonly Verdict[]> => {
    const lines = await host.must('node', [program, 'every', String(first), String(last)], { timeoutMs: 600_000 })
    return lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  return {
    'an update is counted, and taken back to the very same disk': async () => {
      await writeFile(join(host.root, 'root/crash.json'), JSON.stringify({ old, next }))
      state.points = JSON.parse(await host.must('node', [program, 'prepare'], { timeoutMs: 60_000 })).points
      ok(state.points > 60, `only ${state.points} points`)
    },
    'killed at any point, the machine is at one whole config after the next start': async () => {
      report('SIGKILL of the process', await every(1, state.points))
    },
    'without power at any point, likewise': async () => {
      const verdicts: Verdict[] = []
      for (let sample = 0; sample < powerSamples; sample += 1) {
        const point = Math.round(1 + (sample * (state.points - 1)) / (powerSamples - 1))
        await rm(marker, { force: true })
        await host.must('systemd-run', ['--quiet', '--collect', '/usr/bin/node', program, 'hold', String(point)])
        await until(() => existsSync(marker), `point ${point}`, 30_000)
        await host.loosePower()
        await host.start()
        verdicts.push(JSON.parse(await host.must('node', [program, 'judge'], { timeoutMs: 60_000 })))
      }
      report('SIGKILL of the machine', verdicts)
    },
    'killed around the restart of a service, it runs with what is on the disk after the next start': async () => {
      await writeFile(join(host.root, 'root/crash.json'), JSON.stringify(serviceUpdate))
      const points: number = JSON.parse(await host.must('node', [program, 'prepare'])).points
      report('SIGKILL of the process around a restart', await every(Math.ceil(points / 2), points))
    },
  }
}

const powerSamples = 8

/** One line per step and outcome; a point that broke the rule has its own. */
function report(title: string, verdicts: readonly Verdict[]): void {
  const counts = new Map<string, number>()
  for (const { step, recovered, disk } of verdicts) {
    const line = `${disk.padEnd(8)}${recovered.padEnd(11)}${step}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  console.log(`${title}, ${verdicts.length} points\n  points  disk    next start step`)
  for (const [line, count] of counts) console.log(`  ${String(count).padStart(6)}  ${line}`)
  const broken = verdicts.filter(({ problems }) => problems.length > 0)
  deepEqual(broken, [])
}
