import type { LooseCondition } from '../api/meta.ts'
import { poolCondition } from '../api/names.ts'

/**
 * The pool's conditions with RenderDegraded set, or `undefined` when nothing changes (spec: render 3.1). A changed
 * condition moves to the end of the list; its transition time changes with its status only.
 */
export function setRenderDegraded(
  conditions: readonly LooseCondition[],
  failure: string | undefined,
  now: Date,
): LooseCondition[] | undefined {
  const type = poolCondition.renderDegraded
  const present = conditions.findLast((condition) => condition.type === type)
  const wanted = { type, status: failure === undefined ? 'False' : 'True', reason: '', message: failure ?? '' }
  const first = conditions.find((condition) => condition.type === type)
  if (failure === undefined && first?.status === 'False') return undefined
  const same =
    present?.status === wanted.status && present.reason === wanted.reason && present.message === wanted.message
  if (same) return undefined
  const lastTransitionTime =
    present?.status === wanted.status ? present.lastTransitionTime : now.toISOString().replace(/\.\d+Z$/, 'Z')
  return [...conditions.filter((condition) => condition.type !== type), { ...wanted, lastTransitionTime }]
}

export const renderFailure = (pool: string, error: string): string =>
  `Failed to render configuration for pool ${pool}: ${error}`
