import type { Machine } from './machine.ts'

const milestones: readonly RegExp[] = [
  /Linux version \S+/,
  /ignition\[\d+\]: (?:Ignition Debian \S+|Stage: \S+|GET .*)/,
  /ignition\[\d+\]: .*\[(?:finished|failed)\].*/,
  /Reached target .*(?:Switch Root|Ignition Complete).*/,
  // `mco firstboot` by its unit, then the daemon.
  /(?:env|mco)\[\d+\]: .*/,
  /reboot: .*/,
]

/** Prints what a machine has come to, with the seconds since now, until the returned function is called. */
export function printProgress(name: string, machine: Pick<Machine, 'console'>): () => Promise<void> {
  const started = Date.now()
  let seen = 0
  const look = async (): Promise<void> => {
    const lines = (await machine.console()).split('\n')
    // The last one may not be complete.
    for (const line of lines.slice(seen, -1)) {
      const found = milestones.map((pattern) => pattern.exec(line)?.[0]).find((text) => text !== undefined)
      if (found !== undefined)
        console.log(`      ${name} ${((Date.now() - started) / 1000).toFixed(0).padStart(3)} s  ${found.slice(0, 160)}`)
    }
    seen = Math.max(seen, lines.length - 1)
  }
  const timer = setInterval(() => void look(), 2000)
  return async () => {
    clearInterval(timer)
    await look()
  }
}
