/**
 * The logger as a port: the message is a constant sentence, everything that varies is a field. `info` means a state
 * changed, `warn` that we recovered, `error` that a person should look. The real one (pino) is built in `main`.
 */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>

/** For code that runs without an audience, such as tests. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
