import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MachineConfig } from '../src/api/machineConfig.ts'
import { ignitionToJson } from '../src/ignition/serialize.ts'
import { specToValue } from '../src/render/generate.ts'
import {
  type DefaultImages,
  type MergedSpec,
  mergeMachineConfigs,
  mergeOrder,
} from '../src/render/mergeMachineConfigs.ts'
import { type FragmentParser, fragmentParser } from '../src/render/parseFragment.ts'
import { renderedName } from '../src/render/renderedName.ts'

/**
 * Times rendering of the recorded large pools: `node scripts/run.mjs bench/render.ts [--json]`. Every size runs in a
 * process of its own, so that its peak memory is its own. The original's times were measured on the same kind of machine.
 */
const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    size: { type: 'string' },
  },
})

interface Measurement {
  readonly size: string
  readonly fragments: number
  /** Parse, merge, write the merged Ignition text. */
  readonly mergeMs: number
  /** The same with validation, exact YAML and name. */
  readonly fullMs: number
  /** Full, the very first time in a process. */
  readonly firstMs: number
  /** Full again after one fragment changed, and how many fragments were parsed for it. */
  readonly changedMs: number
  readonly parsedAfterChange: number
  readonly startRssMb: number
  readonly peakRssMb: number
  readonly name: string
}

const original: Readonly<Record<string, { readonly mergeMs: number; readonly fullMs: number }>> = {
  n10: { mergeMs: 6, fullMs: 13 },
  n50: { mergeMs: 38, fullMs: 69 },
  n200: { mergeMs: 337, fullMs: 448 },
}
/** The target is one part in ten of the original's time. */
const targetShare = 10
const synthetic = flags.quick ? ['s100', 's200'] : ['s200', 's400', 's800', 's1600']

function measure(size: string): Measurement {
  const { pool, configs, images, expected } = inputOf(size)
  const startRssMb = process.memoryUsage.rss() / 2 ** 20
  let name = ''
  const merge = () => ignitionToJson(merged(configs, images, fragmentParser()).config)
  const full = (list: readonly MachineConfig[], parser: FragmentParser) => {
    const named = renderedName(pool, specToValue(merged(list, images, parser)))
    name = 'name' in named ? named.name : named.error
  }
  const fullTime = time(() => full(configs, fragmentParser()))
  if (expected !== undefined && name !== expected) throw new Error(`${size}: expected ${expected}, got ${name}`)
  const rendered = name
  const mergeTime = time(merge)
  const parser = fragmentParser()
  full(configs, parser)
  const before = parser.parsedCount
  const changed = time(() => full(withOneChanged(configs), parser))
  return {
    size,
    fragments: configs.length,
    mergeMs: mergeTime.medianMs,
    fullMs: fullTime.medianMs,
    firstMs: fullTime.firstMs,
    changedMs: changed.medianMs,
    parsedAfterChange: (parser.parsedCount - before) / changed.runs,
    startRssMb,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    name: rendered,
  }
}

function merged(configs: readonly MachineConfig[], images: DefaultImages, { parse }: FragmentParser): MergedSpec {
  const result = mergeMachineConfigs(mergeOrder(configs.map(parse)), images)
  if (result.kind !== 'merged') throw new Error(`cannot merge: ${JSON.stringify(result)}`)
  return result.spec
}

function withOneChanged(configs: readonly MachineConfig[]): MachineConfig[] {
  const middle = configs.length >> 1
  return configs.map((config, index) => (index === middle ? structuredClone(config) : config))
}

/** A controller lives long: what counts is compiled code. The first run, before that, is told as well. */
const warmUpMs = flags.quick ? 300 : 1500

interface Timing {
  readonly firstMs: number
  readonly medianMs: number
  readonly runs: number
}

function time(work: () => void): Timing {
  const once = () => {
    const started = performance.now()
    work()
    return performance.now() - started
  }
  const started = performance.now()
  const warmUp = [once()]
  while (performance.now() - started < warmUpMs) warmUp.push(once())
  const times = Array.from({ length: 21 }, once).sort((x, y) => x - y)
  return { firstMs: warmUp[0] ?? 0, medianMs: times[10] ?? 0, runs: warmUp.length + times.length }
}

interface BenchInput {
  readonly pool: string
  readonly configs: readonly MachineConfig[]
  readonly images: DefaultImages
  readonly expected?: string
}

function inputOf(size: string): BenchInput {
  if (size.startsWith('s')) {
    const images = { osImage: 'os', extensionsImage: 'ext' }
    return { pool: 'worker', configs: syntheticConfigs(Number(size.slice(1))), images }
  }
  const [recorded] = JSON.parse(readFileSync(join('test', 'golden', 'cases', 'bench-merge', `${size}.json`), 'utf8'))
  const { baseOSContainerImage: osImage = '', baseOSExtensionsContainerImage: extensionsImage = '' } =
    recorded.input.controllerConfig.spec
  const images = { osImage, extensionsImage }
  return { pool: recorded.input.pool, configs: recorded.input.configs, images, expected: recorded.expected.name }
}

/** Fragments that each write files of their own, one shared file and one unit. */
function syntheticConfigs(count: number): MachineConfig[] {
  const text = encodeURIComponent('key = value\n'.repeat(40))
  const file = (path: string) => ({ path, mode: 420, contents: { source: `data:,${text}` } })
  return Array.from({ length: count }, (_, index) => ({
    metadata: { name: `${index}`, labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: { files: [file('/etc/shared'), file(`/etc/a/${index}`), file(`/etc/b/${index}`)] },
        systemd: { units: [{ name: `u${index}.service`, contents: '[Service]\nExecStart=/bin/true\n' }] },
      },
    },
  }))
}

async function report(): Promise<void> {
  const results: Measurement[] = []
  for (const size of [...Object.keys(original), ...synthetic]) results.push(await inOwnProcess(size))
  if (flags.json) {
    const withOriginal = results.map((result) => {
      const theirs = original[result.size]
      return theirs ? { ...result, original: theirs, ratioToTarget: ratios(result, theirs) } : result
    })
    console.log(JSON.stringify({ benchmark: 'render', node: process.version, results: withOriginal }))
    return
  }
  console.log(
    'pool     fragments   merge ms (original)   full ms (original)   first ms   one changed ms / parsed   peak MB (at start)',
  )
  for (const result of results) console.log(row(result))
  console.log(
    '\nratio to the target, a tenth of the original (up to 1 meets it); warm is what a controller that runs is',
  )
  console.log('pool     merge warm   full warm   full cold')
  for (const result of results) {
    const theirs = original[result.size]
    if (theirs) console.log(ratioRow(result.size, ratios(result, theirs)))
  }
  const perFragment = results
    .filter(({ size }) => synthetic.includes(size))
    .map(({ fullMs, fragments }) => (fullMs * 1000) / fragments)
  console.log(
    `\nmicroseconds per fragment, full, ${synthetic.join(' ')}: ${perFragment.map((us) => us.toFixed(0)).join(' ')}`,
  )
}

type Ratios = Readonly<Record<'merge' | 'full' | 'fullCold', number>>

function ratios({ mergeMs, fullMs, firstMs }: Measurement, theirs: { mergeMs: number; fullMs: number }): Ratios {
  const [merge, full] = [theirs.mergeMs / targetShare, theirs.fullMs / targetShare]
  return { merge: mergeMs / merge, full: fullMs / full, fullCold: firstMs / full }
}

const ratioRow = (size: string, { merge, full, fullCold }: Ratios): string =>
  [size.padEnd(8), merge.toFixed(2).padStart(10), full.toFixed(2).padStart(11), fullCold.toFixed(2).padStart(11)].join(
    ' ',
  )

function row({
  size,
  fragments,
  mergeMs,
  fullMs,
  firstMs,
  changedMs,
  parsedAfterChange,
  startRssMb,
  peakRssMb,
}: Measurement): string {
  const against = (ms: number, theirs: number | undefined) =>
    `${ms.toFixed(2)}${theirs === undefined ? '' : ` (${theirs}, 1/${(theirs / ms).toFixed(0)})`}`
  const known = original[size]
  return [
    size.padEnd(8),
    String(fragments).padStart(9),
    against(mergeMs, known?.mergeMs).padStart(21),
    against(fullMs, known?.fullMs).padStart(20),
    firstMs.toFixed(1).padStart(10),
    `${changedMs.toFixed(2)} / ${parsedAfterChange}`.padStart(25),
    `${peakRssMb.toFixed(0)} (${startRssMb.toFixed(0)})`.padStart(20),
  ].join(' ')
}

function inOwnProcess(size: string): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const child = fork(process.argv[1] ?? '', ['--size', size])
    child.once('message', (result) => resolve(result as Measurement))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`measuring ${size} ended with code ${code}`)))
  })
}

// Last, so that everything above is initialised.
if (flags.size) process.send?.(measure(flags.size))
else await report()
