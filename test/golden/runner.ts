import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import type { Adapter, Input } from './adapter.ts'
import { differences } from './compare.ts'

/**
 * Feeds recorded cases of the original system to our rooms and compares: `npm run golden [-- --dir DIR] [--area NAME]`.
 * Exit code 1 on any difference that `deviations.json` does not excuse, and on an excuse that no case needs.
 */
interface AreaResult {
  readonly area: string
  passed: number
  excused: number
  readonly failures: { readonly name: string; readonly lines: readonly string[] }[]
}

const here = join('test', 'golden')
const { values: flags } = parseArgs({
  options: {
    dir: { type: 'string', default: join(here, 'cases') },
    area: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** `area/topic: case name` -> one sentence why ours is deliberately better. */
const deviations: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(here, 'deviations.json'), 'utf8'))
const needed = new Set<string>()

const known = readdirSync(join(here, 'adapters')).map((file) => file.replace(/\.ts$/, ''))
const wanted =
  flags.area ??
  readdirSync(flags.dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
const unknown = wanted.filter((area) => !existsSync(join(flags.dir, area)))
if (unknown.length > 0) throw new Error(`no golden area ${unknown.join(', ')} in ${flags.dir}`)

const results: AreaResult[] = []
/** Areas of somebody else's directory that no room of ours answers yet: told, not failed. */
const uncovered: string[] = []
for (const area of [...wanted].sort()) {
  const lines = known.includes(area) ? undefined : [`no adapter test/golden/adapters/${area}.ts`]
  if (lines && flags.area === undefined && dirname(flags.dir) !== here) {
    uncovered.push(area)
    continue
  }
  results.push(
    lines
      ? { area, passed: 0, excused: 0, failures: [{ name: area, lines }] }
      : await runArea(area).catch((error) => brokenArea(area, error)),
  )
}
report(results)

async function runArea(area: string): Promise<AreaResult> {
  const adapter = await loadAdapter(area)
  const rules = { refusalOnly: adapter.refusalOnly ?? [], ignorePositions: adapter.ignorePositions ?? [] }
  const result: AreaResult = { area, passed: 0, excused: 0, failures: [] }
  for (const { topic, name, input, expected, raw } of casesOf(area)) {
    const id = `${area}/${topic}: ${name}`
    const meant = adapter.recorded ? adapter.recorded(topic, input, expected) : expected
    const lines = await outcome(() => adapter.run(topic, input, raw), meant, rules)
    if (lines.length === 0) result.passed += 1
    else if (deviations[id] !== undefined) {
      needed.add(id)
      result.excused += 1
    } else result.failures.push({ name: id, lines })
  }
  return result
}

function brokenArea(area: string, error: unknown): AreaResult {
  return {
    area,
    passed: 0,
    excused: 0,
    failures: [
      { name: area, lines: [`the adapter cannot run: ${error instanceof Error ? error.message : String(error)}`] },
    ],
  }
}

/** Bundles one area by itself: a room that does not build fails its own area only. */
async function loadAdapter(area: string): Promise<Adapter> {
  const outfile = resolve('node_modules', '.cache', 'mco', `golden-${area}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(here, 'adapters', `${area}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  try {
    const { adapter } = (await import(pathToFileURL(outfile).href)) as { adapter: Adapter }
    return adapter
  } finally {
    rmSync(outfile, { force: true })
  }
}

async function outcome(
  run: () => unknown,
  expected: unknown,
  rules: Parameters<typeof differences>[2],
): Promise<string[]> {
  try {
    return differences(expected, await run(), rules)
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack : String(error)}`]
  }
}

function casesOf(area: string): { topic: string; name: string; input: Input; expected: unknown; raw: string }[] {
  const folder = join(flags.dir, area)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      // One case per line keeps the exact text of a case at hand; any other layout is read as plain JSON.
      const lines = text.split('\n').filter((line) => line.startsWith('{"name"'))
      const parsed: { name: string; input: Input; expected: unknown }[] = JSON.parse(text)
      return parsed.map((entry, index) => ({
        topic: file.replace(/\.json$/, ''),
        ...entry,
        raw: lines.length === parsed.length ? (lines[index] ?? '').replace(/,$/, '') : JSON.stringify(entry),
      }))
    })
}

function report(areas: readonly AreaResult[]): void {
  const unused =
    flags.area || dirname(flags.dir) !== here ? [] : Object.keys(deviations).filter((id) => !needed.has(id))
  const failed = areas.reduce((sum, area) => sum + area.failures.length, 0)
  if (flags.json) console.log(JSON.stringify({ areas, uncovered, unusedDeviations: unused }))
  else {
    console.log('area              passed  excused  failed')
    for (const { area, passed, excused, failures } of areas) {
      console.log(
        `${area.padEnd(17)} ${String(passed).padStart(6)} ${String(excused).padStart(8)} ${String(failures.length).padStart(7)}`,
      )
    }
    const shown = areas.flatMap((area) => area.failures).slice(0, flags.verbose ? undefined : 8)
    for (const { name, lines } of shown)
      console.log(`\n${name}\n    ${lines.slice(0, flags.verbose ? 20 : 4).join('\n    ')}`)
    if (failed > shown.length) console.log(`\n… and ${failed - shown.length} more (--verbose shows all)`)
    for (const id of unused) console.log(`\ndeviations.json excuses "${id}", which needs no excuse: remove the entry`)
    if (uncovered.length > 0) console.log(`\nnot covered yet: ${uncovered.join(', ')}`)
    const passed = areas.reduce((sum, area) => sum + area.passed, 0)
    const excused = areas.reduce((sum, area) => sum + area.excused, 0)
    console.log(`\n${excused} excused by deviations.json: deliberately different`)
    console.log(`\n${passed} passed, ${failed} failed`)
  }
  if (failed > 0 || unused.length > 0) process.exitCode = 1
}
