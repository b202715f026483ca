import process from 'node:process'
import pino from 'pino'
import type { Log } from '../kube/log.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

interface LogOptions {
  readonly level?: LogLevel
  /** Standard error when absent. */
  readonly file?: string
  /** For many lines in a second: they are written together, a moment later. */
  readonly gathers?: boolean
}

/** One JSON object per line (time, level, msg and fields), to a file or to standard error. */
export function openLog({ level = 'info', file, gathers = false }: LogOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: timeMember(),
      formatters: { level: (label) => ({ level: label }) },
    },
    destination(file, gathers),
  )
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  }
}

/** As pino's own, but lines of one millisecond share the work. */
function timeMember(): () => string {
  let knownMs = 0
  let member = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== knownMs) {
      knownMs = nowMs
      member = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return member
  }
}

function destination(file: string | undefined, gathers: boolean): pino.DestinationStream {
  if (file !== undefined) return pino.destination({ dest: file, sync: false, mkdir: true })
  return gathers ? gathering() : pino.destination(2)
}

const gatherMs = 100
const gatherBytes = 8 << 10

/** A system call for every line would be a tenth of what a request costs. */
function gathering(): pino.DestinationStream {
  const target = pino.destination({ dest: 2, sync: true, minLength: gatherBytes })
  let isAwaited = false
  const flush = (): void => {
    isAwaited = false
    // Without the wait for a disk that flushSync has: requests would wait with it.
    target.flush()
  }
  process.once('exit', () => target.flushSync())
  return {
    write(line) {
      target.write(line)
      if (!isAwaited) setTimeout(flush, gatherMs).unref()
      isAwaited = true
    },
  }
}
