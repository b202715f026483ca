import type { HostFiles } from '../host/host.ts'

const secret = { mode: 0o600, uid: 0, gid: 0 }
/** Up to this size contents share a file: making a file costs more than filling it. */
const packedBytes = 512 << 10
/** A pack is read whole for each content in it, so it stays small. */
const maxPackBytes = 1 << 20

/** Where contents that steps replace are kept, for undoing. */
export interface SavedContents {
  /** Answers the name to find it by. Written once `finish` is done, at the latest. */
  keep(step: number, part: string, content: Uint8Array): Promise<string>
  finish(): Promise<void>
}

export function savedContents(files: HostFiles, directory: string): SavedContents {
  let pack = ''
  let size = 0
  let parts: Uint8Array[] = []
  const finish = async (): Promise<void> => {
    if (parts.length > 0) await files.create(`${directory}/${pack}`, Buffer.concat(parts), secret)
    parts = []
    size = 0
  }
  return {
    async keep(step, part, content) {
      const { byteLength } = content
      if (byteLength > packedBytes) {
        const name = `${step}-${part}`
        await files.create(`${directory}/${name}`, content, secret)
        return name
      }
      if (size + byteLength > maxPackBytes) await finish()
      if (parts.length === 0) pack = `pack-${step}`
      const name = [pack, size, byteLength].join(':')
      parts.push(content)
      size += byteLength
      return name
    },
    finish,
  }
}

export async function readSavedContent(files: HostFiles, directory: string, name: string): Promise<Buffer> {
  const [file, offset, length] = name.split(':')
  const saved = await files.read(`${directory}/${file}`)
  return length === undefined ? saved : saved.subarray(Number(offset), Number(offset) + Number(length))
}
