import type { TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { bytesWithRoom, writeAnswersWhole } from './wholeAnswers.ts'

/** What reaches the two writers of a socket. */
function aSocket(connecting = false) {
  const written: string[] = []
  const socket = {
    connecting,
    _write: (chunk: Buffer, encoding: string) => void written.push(`${encoding} ${chunk.toString()}`),
    _writev: (pieces: readonly { readonly chunk: string | Buffer }[]) =>
      void written.push(`pieces ${pieces.map(({ chunk }) => chunk.toString()).join('|')}`),
  } as unknown as TLSSocket
  writeAnswersWhole(socket)
  const write = (...chunks: readonly (string | Buffer)[]): readonly string[] => {
    socket._writev?.(
      chunks.map((chunk) => ({ chunk, encoding: 'latin1' as const })),
      () => undefined,
    )
    return written.splice(0)
  }
  return write
}

it('bytesWithRoom holds the text and nothing else', () => {
  expect(bytesWithRoom('a € config').toString()).toBe('a € config')
})

it('writeAnswersWhole puts a header before its body, and every other header before the same body again', () => {
  const write = aSocket()
  const body = bytesWithRoom('{"€":1}')
  expect(write('long header\r\n\r\n', body, '')).toEqual(['buffer long header\r\n\r\n{"€":1}'])
  expect(write('short\r\n', body)).toEqual(['buffer short\r\n{"€":1}'])
  expect(body.toString()).toBe('{"€":1}')
})

it('writeAnswersWhole writes everything else in the pieces that it came in', () => {
  const body = bytesWithRoom('body')
  const long = 'h'.repeat(1025)
  const write = aSocket()
  expect(write('header|', Buffer.from('other'))).toEqual(['pieces header||other'])
  expect(write('header', body, 'next')).toEqual(['pieces header|body|next'])
  expect(write('header', body, '', '')).toEqual(['pieces header|body||'])
  expect(write(long, body)).toEqual([`pieces ${long}|body`])
  expect(write(Buffer.from('header'), body)).toEqual(['pieces header|body'])
  expect(write(body)).toEqual(['pieces body'])
  // What waits for a connection is not written at once.
  expect(aSocket(true)('header', body)).toEqual(['pieces header|body'])
})
