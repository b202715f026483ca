import { MachineConfig } from '../api/machineConfig.ts'
import type { Fragment } from '../render/parseFragment.ts'
import { type IrreconcilableOverrides, reconcilable } from '../render/reconcilable.ts'
import { secretPathsOf } from '../render/secretPaths.ts'
import { classifyChange } from './classifyChange.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'
import type { MachineConfigView } from './configDiff.ts'
import { type ChangeLine, describeChange } from './describeChange.ts'
import type { EffectivePolicies } from './effectivePolicies.ts'
import { describeAction, type Impact, impactOf } from './impact.ts'
import { machineConfigView } from './machineConfigView.ts'

/** One changed subject, what it asks of a node, and which rule says so. */
export interface EffectRule {
  readonly subject: string
  readonly rule: string
  readonly actions: readonly string[]
  /** What these actions do to a node by themselves. */
  readonly impact: Impact
}

/** What happens to a node that goes from one config to another, for people and programs. */
export interface ChangeEffect {
  /** `refused`: no node can make this change in place. `unknown`: one of the configs cannot be read. */
  readonly impact: Impact | 'refused' | 'unknown'
  /** Why, when the impact is `refused` or `unknown`. */
  readonly refusal?: string
  readonly changes: readonly ChangeLine[]
  readonly actions: readonly string[]
  readonly because: readonly EffectRule[]
  readonly drain: boolean
  readonly drainReason: string
  /** Both sides as the comparison saw them; absent when one cannot be read. */
  readonly views?: { readonly before: MachineConfigView; readonly after: MachineConfigView }
}

export interface EffectOptions {
  readonly parse: (config: MachineConfig) => Fragment
  readonly policies: EffectivePolicies
  readonly overrides?: IrreconcilableOverrides | undefined
  readonly showSecrets?: boolean
  /** Compare texts line by line; see `describeChange`. */
  readonly patches?: boolean
}

/** The daemon's own judgement of a change: reconcilable at all, then actions and drain by the node's policies. */
export function changeEffect(before: MachineConfig, after: MachineConfig, options: EffectOptions): ChangeEffect {
  const { parse, policies, overrides = {}, showSecrets = false, patches = true } = options
  const [old, next] = [parse(before), parse(after)]
  const [oldView, nextView] = [machineConfigView(before, old), machineConfigView(after, next)]
  if (oldView.kind === 'unreadable') return nothingKnown(`MachineConfig ${old.name}: ${oldView.error.trimEnd()}`)
  if (nextView.kind === 'unreadable') return nothingKnown(`MachineConfig ${next.name}: ${nextView.error.trimEnd()}`)
  const change = classifyChange(oldView.view, nextView.view, { policies: policies.policies })
  const secretPaths = new Set(secretPathsOf([before, after]))
  const refusal = whyRefused(old, next, overrides, policies.problem ?? change.drainError)
  return {
    impact: refusal === undefined ? impactOf(change.actions, change.drain) : 'refused',
    ...(refusal !== undefined && { refusal }),
    changes: describeChange(oldView.view, nextView.view, { showSecrets, secretPaths, patches }),
    actions: change.actions.map(describeAction),
    because: change.because.map(({ subject, rule, actions }) => ({
      subject,
      rule,
      actions: actions.map(describeAction),
      impact: impactOf(actions, false),
    })),
    drain: change.drain,
    drainReason: change.drainReason,
    views: { before: oldView.view, after: nextView.view },
  }
}

function whyRefused(
  old: Fragment,
  next: Fragment,
  overrides: IrreconcilableOverrides,
  problem: string | undefined,
): string | undefined {
  const verdict = reconcilable(old, next, overrides)
  return verdict.kind === 'irreconcilable' ? verdict.reason : problem
}

/** A node whose present or wanted config is not at hand: it has none, it is gone, or MachineConfigs may not be read. */
export function unknownEffect(config: string, { unreadable }: Pick<ClusterSnapshot, 'unreadable'>): ChangeEffect {
  if (config === '') return nothingKnown('the node has no config yet: what would change is not known')
  return nothingKnown(
    unreadable[MachineConfig.plural] === undefined
      ? `MachineConfig ${config} is not in the cluster: what would change is not known`
      : `MachineConfig ${config} could not be read: what would change is not known`,
  )
}

const nothingKnown = (refusal: string): ChangeEffect => ({
  impact: 'unknown',
  refusal,
  changes: [],
  actions: [],
  because: [],
  drain: true,
  drainReason: 'the change cannot be judged',
})
