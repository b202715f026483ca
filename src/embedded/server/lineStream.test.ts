import { describe, expect, test } from 'vitest'
import { LineStream } from './lineStream.ts'

const line = (text: string) => Buffer.from(`${text}\n`)

async function textOf(stream: LineStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += Buffer.from(chunk).toString('utf8')
  return text
}

describe('LineStream', () => {
  test('delivers what was pushed before the end, then ends', async () => {
    const stream = new LineStream(() => undefined)
    stream.push(line('a'))
    stream.push(line('b'))
    stream.end()
    stream.push(line('late'))
    expect(await textOf(stream)).toBe('a\nb\n')
  })

  test('wakes a reader that waits', async () => {
    const stream = new LineStream(() => undefined)
    const text = textOf(stream)
    await new Promise(setImmediate)
    stream.push(line('a'))
    await new Promise(setImmediate)
    stream.push(line('b'))
    stream.end()
    expect(await text).toBe('a\nb\n')
  })

  test('ends, without what waits, when its reader falls too far behind', async () => {
    let ended = 0
    const stream = new LineStream(() => (ended += 1), { maxPendingBytes: 5 })
    stream.push(line('abc'))
    stream.push(line('def'))
    expect([stream.ended, ended]).toEqual([true, 1])
    expect(await textOf(stream)).toBe('')
  })

  test('opens with lines that are made as the reader takes them, then gives what was pushed meanwhile', async () => {
    let made = 0
    function* opening() {
      for (const text of ['a', 'b', 'c', 'd']) {
        made += 1
        yield line(text)
      }
    }
    const stream = new LineStream(() => undefined, { opening: opening(), maxPendingBytes: 4, chunkBytes: 3 })
    stream.push(line('e'))
    const chunks = stream[Symbol.asyncIterator]()
    expect([String((await chunks.next()).value), made]).toEqual(['a\nb\n', 2])
    stream.push(line('f'))
    stream.end()
    const rest: string[] = []
    for await (const chunk of chunks) rest.push(String(chunk))
    expect(rest).toEqual(['c\nd\n', 'e\nf\n'])
  })

  test('counts only what still waits', async () => {
    const stream = new LineStream(() => undefined, { maxPendingBytes: 4 })
    const chunks = stream[Symbol.asyncIterator]()
    for (let index = 0; index < 10; index += 1) {
      stream.push(line('abc'))
      expect(String((await chunks.next()).value)).toBe('abc\n')
    }
    expect(stream.ended).toBe(false)
  })

  test('ends when its reader leaves', async () => {
    let ended = 0
    const stream = new LineStream(() => (ended += 1))
    stream.push(line('a'))
    for await (const _chunk of stream) break
    expect([stream.ended, ended]).toEqual([true, 1])
  })
})
