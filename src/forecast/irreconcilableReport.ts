import type { Luks, Storage } from '../ignition/types.ts'
import { diffJson, type Json } from './jsonListDiff.ts'

/** One entry of MachineConfigNode status.irreconcilableChanges. */
export interface IrreconcilableDifference {
  readonly fieldPath: string
  readonly diff: string
}

/** Limits of the MachineConfigNode schema: a report beyond them would be refused as a whole. */
const maxEntries = 32
const maxPathLength = 70
const maxDiffLength = 4096

/**
 * Where a machine's disks, RAID, file systems and LUKS volumes, made once at installation, differ from what its present
 * config says. Other sections are reconciled on a running machine and are not reported.
 */
export function irreconcilableReport(
  installed: Storage | undefined,
  target: Storage | undefined,
): IrreconcilableDifference[] {
  const differences = diffJson(installTime(installed), installTime(target)).map(({ path, lines }) => ({
    fieldPath: `spec.config.storage${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`,
    diff: lines.map((line) => `${line}\n`).join(''),
  }))
  return withinLimits(differences)
}

function installTime(storage: Storage | undefined): Json {
  const { disks, filesystems, luks, raid } = storage ?? {}
  // A round trip through JSON turns typed values into plain data and drops absent members.
  return JSON.parse(JSON.stringify({ disks, filesystems, luks: luks?.map(withEmptyMembers), raid }))
}

/** The report writes nested objects of a LUKS volume also when they are empty. */
function withEmptyMembers(luks: Luks): object {
  return {
    ...luks,
    cex: luks.cex ?? {},
    clevis: { ...luks.clevis, custom: luks.clevis?.custom ?? {} },
    keyFile: { ...luks.keyFile, verification: luks.keyFile?.verification ?? {} },
  }
}

/** Entries with an over-long path are told once, at the deepest path above that fits; long texts are cut visibly. */
function withinLimits(differences: readonly IrreconcilableDifference[]): IrreconcilableDifference[] {
  const fitting = new Map<string, string>()
  for (const { fieldPath, diff } of differences) {
    const path = shortened(fieldPath)
    fitting.set(path, cut((fitting.get(path) ?? '') + diff))
  }
  const entries = [...fitting].map(([fieldPath, diff]) => ({ fieldPath, diff }))
  if (entries.length <= maxEntries) return entries
  const rest = entries.length - (maxEntries - 1)
  const kept = entries.slice(0, maxEntries - 1).filter(({ fieldPath }) => fieldPath !== 'spec.config.storage')
  return [...kept, { fieldPath: 'spec.config.storage', diff: `  ${rest} more differences are not listed\n` }]
}

function shortened(path: string): string {
  let short = path
  while (short.length > maxPathLength) short = short.slice(0, Math.max(short.lastIndexOf('.'), short.lastIndexOf('[')))
  return short
}

const cut = (diff: string): string =>
  diff.length <= maxDiffLength ? diff : `${diff.slice(0, maxDiffLength - 40)}\n  (cut, ${diff.length} characters)\n`
