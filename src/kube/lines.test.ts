import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from './lines.ts'

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  for (const [index, edge] of edges.entries()) yield bytes.subarray(edge, edges[index + 1] ?? bytes.length)
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('splitLines finds the same lines however the stream is cut, also within a character', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'))
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      expect(await collect(splitLines(chunksOf(bytes, cuts)))).toEqual(lines)
    }),
  )
})

test('splitLines drops empty lines and the unfinished rest', async () => {
  expect(await collect(splitLines(chunksOf(Buffer.from('a\n\nb\nhalf'), [1, 2])))).toEqual(['a', 'b'])
})

test('splitLines refuses a line above the limit', async () => {
  await expect(collect(splitLines(chunksOf(Buffer.from('x'.repeat(11)), []), 10))).rejects.toThrow('more than 10 bytes')
})
