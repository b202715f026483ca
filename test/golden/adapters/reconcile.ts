import { classifyChange, classifyFirstBoot } from '../../../src/forecast/classifyChange.ts'
import { describeOsChanges, diffConfigs, isEmptyDiff } from '../../../src/forecast/configDiff.ts'
import { mergePolicies } from '../../../src/forecast/disruptionPolicies.ts'
import { machineConfigView } from '../../../src/forecast/machineConfigView.ts'
import { whyFipsRefused } from '../../../src/forecast/runningFips.ts'
import { fragmentParser } from '../../../src/render/parseFragment.ts'
import { reconcilable } from '../../../src/render/reconcilable.ts'
import type { Adapter, Input } from '../adapter.ts'

/** Texts of TOML faults are a library's own: only that the change is refused counts. */
export const adapter: Adapter = {
  refusalOnly: ['drainError', 'policyDrainError'],
  ignorePositions: ['reconcileError', 'compareError'],
  run(_topic, input) {
    const parser = fragmentParser()
    const [oldFragment, nextFragment] = [parser.parse(input.old), parser.parse(input.new)]
    const old = machineConfigView(input.old, oldFragment)
    const next = machineConfigView(input.new, nextFragment)
    const forceFile: boolean = input.forceFile ?? false
    const compared = old.kind === 'view' && next.kind === 'view' ? diffConfigs(old.view, next.view) : undefined
    const failed =
      old.kind === 'unreadable' ? ['old', old.error] : next.kind === 'unreadable' ? ['new', next.error] : undefined
    const compare = {
      compareDiff: compared ?? null,
      compareError: failed ? `parsing ${failed[0]} Ignition config failed with error: ${failed[1]}` : null,
      compareEmpty: compared ? isEmptyDiff(compared) : undefined,
    }
    const verdict = reconcilable(oldFragment, nextFragment, input.overrides)
    const names = `configs ${oldFragment.name}, ${nextFragment.name} are not reconcilable`
    if (verdict.kind === 'irreconcilable')
      return { ...compare, diff: null, reconcileError: `${names}: ${verdict.message}` }
    const fips = whyFipsRefused(input.fipsFile, nextFragment.fips)
    if (fips !== undefined) return { ...compare, diff: null, reconcileError: fips }
    if (old.kind !== 'view' || next.kind !== 'view') throw new Error('a reconcilable config must be readable')
    return { ...compare, reconcileError: null, ...consequences(old.view, next.view, input, forceFile) }
  },
}

type View = Parameters<typeof classifyChange>[0]

function consequences(old: View, next: View, input: Input, forceFile: boolean): Record<string, unknown> {
  const first = classifyFirstBoot(old, next, { forceFile })
  const running = classifyChange(old, next, { forceFile, policies: mergePolicies(input.policies ?? {}) })
  return {
    diff: running.diff,
    osChanges: describeOsChanges(running.diff),
    changedFiles: running.changedFiles,
    changedUnits: running.changedUnits,
    actions: [first.action],
    drain: first.drainError === undefined ? first.drain : false,
    drainError: first.drainError ?? null,
    policyActions: running.actions,
    policyDrain: running.drainError === undefined ? running.drain : false,
    policyDrainError: running.drainError ?? null,
  }
}
