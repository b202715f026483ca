import process from 'node:process'
import type { Terminal } from './terminal.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A machine is not left between two configs because somebody presses Ctrl-C or closes the terminal: the work ends first. */
export async function uninterrupted<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => terminal.err(`${signal}: the change is finished first`)
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
