import type { Fragment } from './parseFragment.ts'
import {
  type IrreconcilableOverrides,
  type Reconcilability,
  type ReconcilableConfig,
  reconcilable,
} from './reconcilable.ts'

type Irreconcilable = Extract<Reconcilability, { kind: 'irreconcilable' }>

export interface Blame {
  /** The fragment that brings the refused change; absent when none of them does so alone. */
  readonly fragment?: string
  readonly message: string
}

/**
 * Which of a pool's MachineConfigs makes the merged config irreconcilable: the first that, alone against the current
 * config, is refused for a reason that the whole refusal contains (spec: render 9, blame).
 */
export function blameFragment(
  refusal: Irreconcilable,
  current: ReconcilableConfig,
  ordered: readonly Fragment[],
  overrides: IrreconcilableOverrides,
): Blame {
  let firstError: string | undefined
  for (const fragment of ordered) {
    const alone = reconcilable(current, fragment, overrides)
    if (alone.kind === 'reconcilable') continue
    firstError ??= alone.message
    const reason = alone.message.slice(alone.message.indexOf(': ') + 2)
    if (!refusal.message.includes(reason)) continue
    const message = `reconciliation failed between current config "${current.name}" and base config "${fragment.name}": ${reason}`
    return { fragment: fragment.name, message }
  }
  return { message: `render reconciliation error: ${refusal.message}; component errors: ${firstError ?? 'none'}` }
}
