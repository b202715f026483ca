import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CliError, exitCodes } from './exitCodes.ts'
import { leavingLastWords } from './terminationLog.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mco-last-words-'))
  file = join(directory, 'termination-log')
})
afterEach(() => rm(directory, { recursive: true }))

const fail = async (error: unknown, to = file): Promise<readonly string[]> => {
  const warnings: string[] = []
  const work = () => Promise.reject(error)
  await expect(leavingLastWords(to, (warning) => warnings.push(warning), work)).rejects.toBe(error)
  return warnings
}

it('leavingLastWords replaces what the file holds by the sentence of the error, and throws it on', async () => {
  await writeFile(file, 'the much longer last words of the container before')
  expect(await fail(new CliError('port 22623 is in use', exitCodes.unavailable))).toEqual([])
  expect(await readFile(file, 'utf8')).toBe('port 22623 is in use\n')
})

it('leavingLastWords leaves of a bug its message, not its stack, and no more than the kubelet takes', async () => {
  await writeFile(file, '')
  await fail(new Error('cannot read properties of undefined'))
  expect(await readFile(file, 'utf8')).toBe('internal error: cannot read properties of undefined\n')
  await fail(new CliError('ä'.repeat(5000)))
  expect((await stat(file)).size).toBeLessThanOrEqual(4097)
  expect(await readFile(file, 'utf8')).toMatch(/^ä+\n$/)
})

it('leavingLastWords leaves nothing where there is no such file, nowhere to leave it, or nothing to say', async () => {
  expect(await fail(new CliError('x'))).toEqual([])
  expect(await fail(new CliError('x'), join(directory, 'no', 'such'))).toEqual([])
  expect(await fail(new CliError('x'), '')).toEqual([])
  await expect(stat(file)).rejects.toThrow('ENOENT')
  await writeFile(file, 'before')
  expect(
    await leavingLastWords(
      file,
      () => undefined,
      async () => 'done',
    ),
  ).toBe('done')
  expect(await readFile(file, 'utf8')).toBe('before')
})

it('leavingLastWords says why it cannot', async () => {
  expect(await fail(new CliError('x'), directory)).toEqual([
    `the error could not be left in ${directory} (EISDIR); it follows`,
  ])
})
