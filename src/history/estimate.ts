import type { NodeProgress, PoolRollout, RolloutEstimate } from '../api/poolRollout.ts'

/**
 * How long the rest of a rollout will take: as long per node as the nodes that are through took, in this rollout or, before
 * the first one is through, in the newest earlier one that measured any. Undefined when nothing was ever measured.
 */
export function estimateRest(
  nodes: readonly NodeProgress[],
  remaining: number,
  maxUnavailable: number,
  earlier: readonly PoolRollout[],
): RolloutEstimate | undefined {
  const source = [
    { name: 'this rollout', seconds: measured(nodes) },
    // Machines that joined were no updates.
    ...earlier
      .filter(({ spec }) => spec.from !== undefined)
      .map(({ metadata, status }) => ({
        name: `poolrollout/${metadata.name}`,
        seconds: measured(status?.nodes ?? []),
      })),
  ].find(({ seconds }) => seconds.length > 0)
  if (!source || remaining === 0) return undefined
  const secondsPerNode = Math.round(source.seconds.reduce((sum, each) => sum + each, 0) / source.seconds.length)
  const rounds = Math.ceil(remaining / Math.max(1, maxUnavailable))
  const count = source.seconds.length
  return {
    secondsPerNode,
    remainingSeconds: rounds * secondsPerNode,
    basis: `${count} ${count === 1 ? 'node' : 'nodes'} of ${source.name}, ${Math.max(1, maxUnavailable)} at a time`,
  }
}

function measured(nodes: readonly NodeProgress[]): readonly number[] {
  return nodes
    .map(({ startedAt, finishedAt }) => (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000)
    .filter((seconds) => seconds >= 0)
}
