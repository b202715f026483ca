import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { UnusableDataError } from './unusableData.ts'

/**
 * Keeps a second process off a data directory: each keeps the objects in memory and would not see the other's writes.
 * A lock whose process is gone (kill -9, power cut) is taken over. Returns the release.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  const own = `${process.pid} ${startTimeOf(process.pid) ?? ''}`
  try {
    writeFileSync(path, own, { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    const holder = readFileSync(path, 'utf8')
    const [pid] = holder.split(' ')
    if (isAlive(holder)) {
      throw new UnusableDataError(
        `the data in ${directory} is in use by process ${pid}; stop it or choose another directory`,
      )
    }
    writeFileSync(path, own)
  }
  return () => unlinkSync(path)
}

/** The process and its start: a number alone may belong to another process by now. */
function isAlive(holder: string): boolean {
  const [pid = '', started = ''] = holder.split(' ')
  const present = startTimeOf(Number(pid))
  if (present !== undefined && started !== '') return present === started
  return answersSignals(Number(pid))
}

/** Clock ticks since boot (proc(5), field 22 of stat); undefined without such a process or without /proc. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: count from behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined
    throw error
  }
}

function answersSignals(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return hasCode(error, 'EPERM')
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
