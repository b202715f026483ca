import { encodeBase64DataUrl } from './dataUrl.ts'
import type { File } from './types.ts'

/** A file entry as generated configs hold it: mode 0644 and an explicitly empty compression, which tells writers apart. */
export function fileEntry(path: string, bytes: Uint8Array, { mode = 0o644, overwrite }: FileEntryOptions = {}): File {
  return {
    ...(overwrite !== undefined && { overwrite }),
    path,
    contents: { compression: '', source: encodeBase64DataUrl(bytes) },
    mode,
  }
}

export interface FileEntryOptions {
  readonly mode?: number
  readonly overwrite?: boolean
}
