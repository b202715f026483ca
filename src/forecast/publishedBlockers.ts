import { drainBlockersAnnotation } from '../drain/drainAnnotations.ts'
import type { Blocker, DrainBlockers } from '../drain/drainBlockers.ts'
import { readJson } from './readJson.ts'

/**
 * Who holds up the drain of a node, as the drain controller published it. An annotation can be edited by hand: what is
 * not of its shape is left out, and a text that is nothing of the kind is as good as absent.
 */
export function publishedBlockers(
  annotations: Readonly<Record<string, string>> | undefined,
): Pick<DrainBlockers, 'total' | 'blockers'> | undefined {
  const found: unknown = readJson<object>(annotations?.[drainBlockersAnnotation])
  if (!isRecord(found) || !Array.isArray(found.blockers)) return undefined
  const blockers = found.blockers.filter(isBlocker)
  return { total: typeof found.total === 'number' ? found.total : blockers.length, blockers }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isBlocker = (value: unknown): value is Blocker =>
  isRecord(value) &&
  ['namespace', 'pod', 'reason', 'message'].every((key) => typeof value[key] === 'string') &&
  (value.error === undefined || typeof value.error === 'string') &&
  (value.budget === undefined || (isRecord(value.budget) && typeof value.budget.name === 'string'))
