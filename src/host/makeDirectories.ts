import type { FileAttributes, HostFiles } from './host.ts'

/** Makes a directory with all its missing parents; answers the ones that were made, outermost first. */
export async function makeDirectories(
  files: HostFiles,
  path: string,
  attributes: FileAttributes,
): Promise<readonly string[]> {
  const missing = await missingDirectories(files, path)
  for (const directory of missing) await files.createDirectory(directory, attributes)
  return missing
}

/** The directories that `makeDirectories` would make, outermost first. */
export async function missingDirectories(files: HostFiles, path: string): Promise<readonly string[]> {
  const missing: string[] = []
  for (
    let directory = path;
    directory !== '' && directory !== '/';
    directory = directory.slice(0, directory.lastIndexOf('/'))
  ) {
    const status = await files.status(directory)
    // A link to a directory serves; the next operation resolves it inside the root, or fails with the path.
    if (status) break
    missing.unshift(directory)
  }
  return missing
}
