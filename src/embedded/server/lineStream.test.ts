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

  test('ends when its reader leaves', async () => {
    let ended = 0
    const stream = new LineStream(() => (ended += 1))
    stream.push(line('a'))
    for await (const _chunk of stream) break
    expect([stream.ended, ended]).toEqual([true, 1])
  })
})
