import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMarkAlive, ownMark } from '../../host/processMark.ts'
import { UnusableDataError } from './unusableData.ts'

/**
 * Keeps a second process off a data directory: each keeps the objects in memory and would not see the other's writes.
 * A lock whose process is gone (kill -9, power cut) is taken over. Returns the release.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  const own = ownMark()
  try {
    writeFileSync(path, own, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const holder = readFileSync(path, 'utf8')
    const [pid] = holder.split(' ')
    if (isMarkAlive(holder)) {
      throw new UnusableDataError(
        `the data in ${directory} is in use by process ${pid}; stop it or choose another directory`,
      )
    }
    writeFileSync(path, own)
  }
  return () => unlinkSync(path)
}
