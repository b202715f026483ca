/**
 * Writes deploy/alerts (for a plain Prometheus, and for the Prometheus operator) and deploy/dashboards from
 * scripts/generate/monitoring. With --check it writes nothing and fails when the committed files differ.
 * Usage: node scripts/run.mjs scripts/generate-monitoring.ts [--check]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { monitoringFiles, staleMonitoringFiles } from './generate/monitoring/files.ts'

async function main(): Promise<void> {
  if (process.argv.includes('--check')) {
    const stale = await staleMonitoringFiles()
    if (stale.length === 0) return
    console.error(`out of date; run: node scripts/run.mjs scripts/generate-monitoring.ts\n  ${stale.join('\n  ')}`)
    process.exitCode = 1
    return
  }
  for (const [path, text] of monitoringFiles()) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    console.log(`wrote ${path}`)
  }
}

await main()
