import { type HostFiles, isMissing } from './host.ts'

/** The names in a directory; none when it is not there. */
export async function listOrNone(files: HostFiles, path: string): Promise<readonly string[]> {
  try {
    return await files.list(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
