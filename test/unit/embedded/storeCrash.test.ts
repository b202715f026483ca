import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Database } from '../../../src/embedded/store/database.ts'
import { lmdbStore } from '../../../src/embedded/store/lmdbStore.ts'

const directory = mkdtempSync(join(tmpdir(), 'mco-crash-'))
// Beside node_modules, so that the bundle finds the packages that it leaves out.
const script = join('node_modules', '.cache', 'mco', `crashWriter-${process.pid}.mjs`)

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'crashWriter.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})

afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
  rmSync(script, { force: true })
})

test('kill -9 in the middle of writing loses no acknowledged write, three times in a row', async () => {
  const acknowledged = new Map<string, { revision: number; value: number }>()
  for (const writes of [50, 400, 150]) {
    for (const line of await writeUntilKilled(writes)) {
      const [name = '', revision, value] = line.split(' ')
      acknowledged.set(name, { revision: Number(revision), value: Number(value) })
    }
    const database = await Database.open(lmdbStore(directory))
    const highest = Math.max(...[...acknowledged.values()].map(({ revision }) => revision))
    expect(database.revision).toBeGreaterThanOrEqual(highest)
    for (const [name, { revision, value }] of acknowledged) {
      const entry = database.get({ collection: 'core/configmaps', namespace: 'default', name })
      // The one write per lane that was on its way may have arrived too.
      expect(entry?.revision, name).toBeGreaterThanOrEqual(revision)
      if (entry?.revision === revision) expect((entry.object.data as { value: string }).value).toBe(String(value))
    }
    await database.close()
  }
}, 30_000)

function writeUntilKilled(count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.on('error', reject)
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.split('\n').length > count) child.kill('SIGKILL')
    })
    // The last line may be cut: what was not printed whole was not acknowledged.
    child.on('close', (_code, signal) =>
      signal === 'SIGKILL' ? resolve(text.split('\n').slice(0, -1)) : reject(new Error('the writer ended by itself')),
    )
  })
}
