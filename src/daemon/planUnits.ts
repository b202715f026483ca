import { equalValue } from '../ignition/equalValue.ts'
import type { Unit } from '../ignition/types.ts'
import type { Change } from './change.ts'
import { type HostFacts, sha256, type UnitFact } from './hostFacts.ts'
import { dropinPath, unitPath } from './hostPaths.ts'
import { writtenPaths } from './managedPaths.ts'
import { keepOriginal, releasePath } from './originals.ts'
import type { PlanBuilder } from './planBuilder.ts'
import { isFileAsWanted } from './planFiles.ts'

const unitAttributes = { mode: 0o644, uid: 0, gid: 0 }
const unknownUnit: UnitFact = { state: 'not-found', preset: 'none', vendorUnit: false }

/**
 * Units that were added or changed (all of them when forced), then those that the new config gave up; enablement is
 * collected and done in two batches at the end. Nothing is started or stopped: that is a matter of the actions.
 */
export function planUnits(plan: PlanBuilder, change: Change): void {
  const { old, next, force } = change
  const before = new Map((old.ignition.systemd?.units ?? []).map((unit) => [unit.name, unit]))
  const after = new Map((next.ignition.systemd?.units ?? []).map((unit) => [unit.name, unit]))
  const enablement: Enablement = { enable: new Set(), disable: new Set() }
  const scope: Scope = { ...change, enablement, managedBefore: writtenPaths(old), stays: writtenPaths(next) }
  for (const unit of after.values()) {
    const known = before.get(unit.name)
    if (force || !known || !equalValue(known, unit)) planUnit(plan, scope, unit, known)
  }
  for (const unit of before.values()) if (!after.has(unit.name)) planRemovedUnit(plan, scope, unit)
  if (enablement.enable.size > 0) plan.add({ kind: 'enableUnits', units: [...enablement.enable] })
  if (enablement.disable.size > 0) plan.add({ kind: 'disableUnits', units: [...enablement.disable] })
}

interface Enablement {
  readonly enable: Set<string>
  readonly disable: Set<string>
}

interface Scope extends Change {
  readonly enablement: Enablement
  readonly managedBefore: ReadonlySet<string>
  readonly stays: ReadonlySet<string>
}

function planUnit(plan: PlanBuilder, scope: Scope, unit: Unit, known: Unit | undefined): void {
  planDropins(plan, scope, unit, known)
  const fact = scope.facts.units.get(unit.name) ?? unknownUnit
  const path = unitPath(unit.name)
  if (unit.mask) {
    planMask(plan, scope, unit, fact)
    return
  }
  let enabledNow = fact.state === 'enabled'
  if (unit.contents) {
    const content = Buffer.from(unit.contents)
    if (!isFileAsWanted(scope.facts.paths.get(path), sha256(content), unitAttributes)) {
      // Its [Install] section may change: the links of the old one would stay behind.
      if (enabledNow) plan.add({ kind: 'disableUnits', units: [unit.name] })
      keepUnitOriginal(plan, scope, path)
      plan.writeFile(path, content, unitAttributes)
      if (enabledNow && unit.enabled === undefined && fact.preset === 'none') scope.enablement.enable.add(unit.name)
      enabledNow = false
    }
  } else if (known?.contents || known?.mask || unit.mask === false) {
    if (enabledNow && known?.contents) {
      plan.add({ kind: 'disableUnits', units: [unit.name] })
      enabledNow = false
    }
    releaseIfFree(plan, scope, path)
  }
  planEnablement(plan, scope, unit, fact, enabledNow)
}

function planMask(plan: PlanBuilder, { facts, ...scope }: Scope, unit: Unit, fact: UnitFact): void {
  const path = unitPath(unit.name)
  // A fragment that masks a unit which another fragment enables means the mask; systemd would refuse to enable it.
  if (unit.enabled) plan.note(`unit "${unit.name}" is masked, so it is not enabled`)
  const present = facts.paths.get(path)
  if (present?.kind === 'symlink' && present.target === '/dev/null') return
  if (fact.state === 'enabled') plan.add({ kind: 'disableUnits', units: [unit.name] })
  keepUnitOriginal(plan, { facts, ...scope }, path)
  plan.add({ kind: 'writeSymlink', path, target: '/dev/null' })
}

function planEnablement(
  plan: PlanBuilder,
  { enablement, ...scope }: Scope,
  unit: Unit,
  fact: UnitFact,
  enabledNow: boolean,
): void {
  const willExist =
    Boolean(unit.contents) ||
    fact.vendorUnit ||
    (!scope.managedBefore.has(unitPath(unit.name)) && fact.state !== 'not-found')
  if (unit.enabled === undefined) {
    if (!willExist) return
    if (fact.preset === 'enable' && !enabledNow) enablement.enable.add(unit.name)
    if (fact.preset === 'disable' && enabledNow) enablement.disable.add(unit.name)
    return
  }
  if (!willExist) {
    plan.note(
      `Could not ${unit.enabled ? 'enable' : 'disable'} unit "${unit.name}", because it has no contents, skipping`,
    )
    return
  }
  if (unit.enabled && !enabledNow) enablement.enable.add(unit.name)
  if (!unit.enabled && enabledNow) enablement.disable.add(unit.name)
}

function planDropins(plan: PlanBuilder, scope: Scope, unit: Unit, known: Unit | undefined): void {
  for (const dropin of unit.dropins ?? []) {
    const path = dropinPath(unit.name, dropin.name)
    if (!dropin.contents) {
      if (scope.facts.paths.get(path)?.kind !== 'absent') releaseIfFree(plan, scope, path)
      continue
    }
    const content = Buffer.from(dropin.contents)
    if (isFileAsWanted(scope.facts.paths.get(path), sha256(content), unitAttributes)) continue
    keepUnitOriginal(plan, scope, path)
    plan.writeFile(path, content, unitAttributes)
  }
  const stays = new Set((unit.dropins ?? []).map((dropin) => dropin.name))
  for (const dropin of known?.dropins ?? [])
    if (!stays.has(dropin.name)) releaseIfFree(plan, scope, dropinPath(unit.name, dropin.name))
}

function planRemovedUnit(plan: PlanBuilder, scope: Scope, unit: Unit): void {
  for (const dropin of unit.dropins ?? []) releaseIfFree(plan, scope, dropinPath(unit.name, dropin.name))
  const fact = scope.facts.units.get(unit.name) ?? unknownUnit
  const path = unitPath(unit.name)
  const enabledNow = fact.state === 'enabled'
  if (unit.contents || unit.mask) {
    if (enabledNow && !scope.stays.has(path)) plan.add({ kind: 'disableUnits', units: [unit.name] })
    releaseIfFree(plan, scope, path)
    if (fact.vendorUnit && fact.preset === 'enable') scope.enablement.enable.add(unit.name)
    return
  }
  if (fact.state === 'not-found') return
  if (fact.preset === 'enable' && !enabledNow) scope.enablement.enable.add(unit.name)
  // Where no preset rule names the unit, what we switched on is switched off again (Debian's silence means "enable").
  const off = fact.preset === 'disable' || (fact.preset === 'none' && unit.enabled === true)
  if (off && enabledNow) scope.enablement.disable.add(unit.name)
}

/** A path that the config still puts something at, as a file, stays. */
function releaseIfFree(plan: PlanBuilder, scope: Scope, path: string): void {
  if (!scope.stays.has(path)) releasePath(plan, scope.facts, path)
}

/** Unit directories belong to the administrator: only what came with the image or was there before us is kept. */
function keepUnitOriginal(
  plan: PlanBuilder,
  { facts, managedBefore }: { facts: HostFacts; managedBefore: ReadonlySet<string> },
  path: string,
): void {
  const original = facts.originals.get(path)
  if (!original) return
  const stranger =
    original.ownership === 'unknown' && !managedBefore.has(path) && facts.paths.get(path)?.kind !== 'absent'
  if (original.usrCopy || original.ownership === 'vendor' || stranger)
    keepOriginal(plan, facts, path, managedBefore.has(path))
}
