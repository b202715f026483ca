import { type FSWatcher, lstatSync, watch } from 'node:fs'
import { type FileWatch, isMissing } from './host.ts'
import { asHostError, type RootDirectory, withPlace } from './rootPath.ts'

/**
 * Watches directories rather than files: a watch on a file goes deaf when the file is replaced by a rename. A watched
 * directory that is removed reports that once; whoever listens looks again and opens a new watch.
 */
export function watchDirectories(
  root: RootDirectory,
  directories: readonly string[],
  onChange: (directory: string) => void,
): FileWatch {
  const watchers = new Map<string, FSWatcher>()
  for (const directory of [...new Set(directories)].sort()) {
    const watcher = open(root, directory, () => onChange(directory))
    if (watcher) watchers.set(directory, watcher)
  }
  return {
    directories: [...watchers.keys()],
    close() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function open(root: RootDirectory, directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    return withPlace(root, directory, (place) => {
      try {
        if (!lstatSync(place.access).isDirectory()) return undefined
        const watcher = watch(place.access, { persistent: false }, onChange)
        // A watch that broke is a change that nobody saw.
        watcher.on('error', onChange)
        return watcher
      } catch (error) {
        throw asHostError(error, directory)
      }
    })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
