import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { examplesOf, firstDifference } from '../docs/consoleBlock.ts'
import { fencesOf, replaceSection } from '../docs/markdown.ts'
import { generatedTables } from '../docs/tables.ts'
import { execute, kubectlFor, mco, type RunningCluster, suite, until, up } from './harness.ts'

/**
 * The pages as a reader follows them: each `console` block is run, in order, and must print what the page shows; each
 * YAML and JSON block is accepted; every example is applied. `--write` puts what commands print into the pages (blocks
 * without a gap `…` only) and brings generated tables up to date. Names of pages as arguments: only these.
 */
const isWriting = process.argv.includes('--write')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const isPage = (path: string): boolean => path.endsWith('.md')
const all = [
  'README.md',
  'examples/README.md',
  ...(await readdir('docs')).filter(isPage).map((name) => join('docs', name)),
]
const pages = named.length > 0 ? named : all

if (isWriting) await writeTables()

const scratch = await mkdtemp(join(tmpdir(), 'mco-docs-'))
const programs = join(scratch, 'bin')
await mkdir(programs)
const kubectl = process.env.KUBECTL ?? 'kubectl'
if (kubectl.includes('/')) await symlink(resolve(kubectl), join(programs, 'kubectl'))

/** What one page has going on: the cluster that its last `npm start` or `mco up` started. */
interface Reader {
  cluster: RunningCluster | undefined
}

await suite('docs', {
  ...Object.fromEntries(pages.map((page) => [`${page}: commands print what it shows`, () => follow(page)])),
  'docs/cli.md shows the help of every verb': showsEveryVerb,
  'every YAML block and every example is accepted by validate and by the API server, and applies': applyEverything,
})
await rm(scratch, { recursive: true, force: true })

async function follow(page: string): Promise<void> {
  const reader: Reader = { cluster: undefined }
  const differences: string[] = []
  let text = await readFile(page, 'utf8')
  try {
    for (const fence of fencesOf(text)) {
      if (fence.language === 'json') JSON.parse(fence.text)
      if (fence.language === 'sh') assert.equal((await execute('sh', ['-n', '-c', fence.text])).stderr, '')
      if (fence.language !== 'console') continue
      for (const { command, output } of examplesOf(fence.text)) {
        const printed = await run(reader, command)
        const difference = firstDifference(output, printed)
        if (difference === undefined) continue
        if (isWriting && !output.includes('…')) {
          const shown = (body: string) => `$ ${command.replaceAll('\n', '\n> ')}${body === '' ? '' : `\n${body}`}`
          text = text.replace(shown(output), () => shown(printed.trimEnd()))
        } else
          differences.push(`${page}:${fence.line}: $ ${command}\n  expected: ${difference}\n--- it prints\n${printed}`)
      }
    }
  } finally {
    await reader.cluster?.stop()
  }
  if (isWriting) await writeFile(page, text)
  if (differences.length > 0) throw new Error(`\n${differences.join('\n\n')}`)
}

/** Runs one command as a reader would, below the checkout; a command that starts a cluster leaves it running. */
async function run(reader: Reader, command: string): Promise<string> {
  const [, flags] = /^(?!.*--help)(?:npm start(?: --)?|bin\/mco up)((?: .*)?)$/.exec(command) ?? []
  if (flags !== undefined) {
    await reader.cluster?.stop()
    // A slow boot: what a page waits for must not be over before kubectl has started.
    reader.cluster = await up({
      args: [
        ...flags
          .replace(/--(data|port) \S+/g, '')
          .split(' ')
          .filter(Boolean),
        '--reboot-seconds',
        '2',
      ],
    })
    return asShown(reader.cluster.output(), reader.cluster)
  }
  const elsewhere = command.replaceAll('/tmp/', `${scratch}/`)
  const here = reader.cluster ? elsewhere.replaceAll('.mco/', `${reader.cluster.dataDir}/`) : elsewhere
  const { stdout } = await execute('bash', ['-c', `{ ${here}\n} 2>&1`], {
    env: {
      PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
      KUBECONFIG: reader.cluster?.kubeconfig ?? join(scratch, 'none'),
      COLUMNS: '80',
    },
  })
  return asShown(stdout, reader.cluster)
}

/** The reader's own data directory and port are `.mco` and 6443. */
function asShown(text: string, cluster: RunningCluster | undefined): string {
  const shown = text.replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://127.0.0.1:6443').replaceAll(scratch, '/tmp')
  return cluster ? shown.replaceAll(cluster.dataDir, '/home/you/mco/.mco') : shown
}

async function showsEveryVerb(): Promise<void> {
  const { stdout } = await mco(['--help'])
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<)/gm)].map(([, verb = '']) => verb)
  assert.ok(verbs.length > 7, `mco --help lists verbs:\n${stdout}`)
  const page = await readFile('docs/cli.md', 'utf8')
  assert.deepEqual(
    verbs.filter((verb) => verb !== 'help' && !page.includes(`$ bin/mco ${verb} --help\nUsage: mco ${verb} `)),
    [],
  )
}

async function applyEverything(): Promise<void> {
  const cluster = await up({ args: ['--pools', 'master=1,worker=2', '--reboot-seconds', '0'] })
  const client = kubectlFor(cluster)
  try {
    for (const page of all) {
      for (const { language, text, line } of fencesOf(await readFile(page, 'utf8'))) {
        if (language !== 'yaml' || !/^kind:/m.test(text)) continue
        try {
          if (/^kind: Machine/m.test(text)) await mco(['validate', '-'], { input: text })
          await client.run(['apply', '--dry-run=server', '-f', '-'], { input: text })
        } catch (error) {
          throw new Error(`${page}:${line}: the YAML block is refused`, { cause: error })
        }
      }
    }
    await mco(['validate', 'examples'])
    await client.run(['apply', '--server-side', '--force-conflicts', '-f', 'examples'])
    const objects = await client.run(['get', 'mc,mcp,controllerconfig', '-o', 'yaml'])
    const { stdout } = await mco(['render', '--pool', 'worker', '-f', '-', '-o', 'name'], { input: objects })
    const reached = ['get', 'mcp', 'worker', '-o', 'jsonpath={.status.configuration.name}']
    await until(async () => (await client.run(reached)) === stdout.trim(), `pool worker to reach ${stdout.trim()}`)
  } finally {
    await cluster.stop()
  }
}

async function writeTables(): Promise<void> {
  const deviations = JSON.parse(await readFile('test/golden/deviations.json', 'utf8'))
  for (const { page, section, text } of generatedTables(deviations))
    await writeFile(page, replaceSection(await readFile(page, 'utf8'), section, text))
}
