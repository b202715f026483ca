import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { CliError, exitCodes } from './exitCodes.ts'
import type { Terminal } from './terminal.ts'

/** Asks a person; anything but yes is no. Without a person to ask the command line must have said yes. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CliError('standard input is not a terminal; add --yes to apply without asking', exitCodes.usage)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await reader.question(terminal.paint('bold', `${question} [y/N] `))).trim())
  } finally {
    reader.close()
  }
}
