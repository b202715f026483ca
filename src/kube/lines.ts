const newline = 0x0a

/**
 * Cuts a byte stream into lines without decoding what is incomplete: a chunk may end within a character. Empty lines
 * are dropped. The rest after the last newline is not a line: the peer was cut off within it.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes = 64 * 2 ** 20,
): AsyncGenerator<string> {
  let rest: Uint8Array[] = []
  let restBytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const tail = view(chunk, start, end)
      const line = rest.length === 0 ? tail : Buffer.concat([...rest, tail])
      rest = []
      restBytes = 0
      start = end + 1
      if (line.length > 0) yield line.toString('utf8')
    }
    if (start < chunk.length) {
      rest.push(view(chunk, start, chunk.length))
      restBytes += chunk.length - start
      if (restBytes > maxLineBytes) {
        throw new Error(`a line of more than ${maxLineBytes} bytes; expected one JSON document per line`)
      }
    }
  }
}

function view(chunk: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset + start, end - start)
}
