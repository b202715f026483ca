import { readFile } from 'node:fs/promises'
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

/** CPU of another process. User and system time, from its own record; the kernel counts in hundredths of a second. */
export async function cpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** `target 5000 ms, ratio 0.32, met`: a ratio up to 1 meets the target. */
export function ratioText(value: number, target: number, unit: string): string {
  const ratio = value / target
  return `target ${target} ${unit}, ratio ${ratio.toFixed(2)}, ${ratio <= 1 ? 'met' : 'missed'}`
}
