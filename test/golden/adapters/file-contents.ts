import { decodeContents } from '../../../src/ignition/contents.ts'
import { encodeBase64DataUrl, percentEncode } from '../../../src/ignition/dataUrl.ts'
import { fileEntry } from '../../../src/ignition/fileEntry.ts'
import { ignitionToJson } from '../../../src/ignition/serialize.ts'
import type { File } from '../../../src/ignition/types.ts'
import type { Adapter } from '../adapter.ts'

interface DecodeInput {
  readonly source: string | null
  readonly compression: string | null
}

export const adapter: Adapter = {
  run(topic, input: DecodeInput & { readonly base64: string }) {
    return topic === 'decode' ? decode(input) : encode(Buffer.from(input.base64, 'base64'))
  },
}

function decode({ source, compression }: DecodeInput): unknown {
  const { value, wireError } = decodeContents({
    ...(source !== null && { source }),
    ...(compression !== null && { compression }),
  })
  return value === undefined ? { error: wireError } : { base64: Buffer.from(value).toString('base64') }
}

const encode = (bytes: Uint8Array): unknown => ({
  base64DataURL: encodeBase64DataUrl(bytes),
  escaped: percentEncode(bytes),
  file: fileText(fileEntry('/p', bytes)),
  fileOverwriting: fileText(fileEntry('/p', bytes, { overwrite: true })),
})

/** A file entry alone, cut out of a config that holds only it. */
function fileText(file: File): string {
  const text = ignitionToJson({ ignition: { version: '3.5.0' }, storage: { files: [file] } })
  return text.slice(text.indexOf('"files":[') + '"files":['.length, -']}}'.length)
}
