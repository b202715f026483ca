import type { Host } from '../host/host.ts'
import { checkDisk } from './checkDisk.ts'
import { readDiskRecord } from './diskRecord.ts'
import type { Drift, DriftOptions } from './drift.ts'

/** Where a host is not what its own record says that it should be. */
export type DriftReport =
  | { readonly kind: 'noConfig' }
  | { readonly kind: 'checked'; readonly config: string; readonly drift: readonly Drift[] }

export async function driftReport(host: Host, options: DriftOptions): Promise<DriftReport> {
  const { config } = await readDiskRecord(host)
  if (!config) return { kind: 'noConfig' }
  return { kind: 'checked', config: config.view.name, drift: await checkDisk(host, config.view, options) }
}
