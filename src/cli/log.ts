import pino from 'pino'
import type { Log } from '../kube/log.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** One JSON object per line (time, level, msg and fields), to a file or to standard error. */
export function openLog({ level = 'info', file }: { readonly level?: LogLevel; readonly file?: string } = {}): Log {
  const destination =
    file === undefined ? pino.destination(2) : pino.destination({ dest: file, sync: false, mkdir: true })
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  }
}
