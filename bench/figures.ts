import process from 'node:process'

/** Parsed flags that every benchmark takes: `--json` for machines, `--quick` for a run that only shows that it works. */
export const flags = { json: process.argv.includes('--json'), quick: process.argv.includes('--quick') }

/** Prints figures: for machines one JSON object, for people a line each. */
export function report(figures: Readonly<Record<string, unknown>>, text: () => string): void {
  console.log(flags.json ? JSON.stringify(figures) : text())
}

export const residentMb = (): number => Math.round(process.memoryUsage().rss / (1 << 20))

/** CPU of this process since `from`, in milliseconds. */
export function cpuMsSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}
