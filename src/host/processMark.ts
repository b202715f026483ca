import { readFileSync } from 'node:fs'
import process from 'node:process'

/** A process and its start, as one text for lock files: a number alone may belong to another process by now. */
export const ownMark = (): string => `${process.pid} ${startTimeOf(process.pid) ?? ''}`

/** False for a process that ended (kill -9, power cut), and for a text that was cut off. */
export function isMarkAlive(mark: string): boolean {
  const [pid = '', started = ''] = mark.split(' ')
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
