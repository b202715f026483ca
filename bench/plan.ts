import type { MachineConfig } from '../src/api/machineConfig.ts'
import type { KubernetesObject } from '../src/api/meta.ts'
import type { ClusterSnapshot } from '../src/forecast/clusterSnapshot.ts'
import { planChange } from '../src/forecast/plan/planOf.ts'
import { fragment, withFile } from '../test/kube/renderObjects.ts'
import { now, present, rolePool, settledCluster } from '../test/unit/forecastBuilders.ts'
import { aBudget, aNode, aPod } from '../test/unit/rolloutBuilders.ts'
import { flags, percentile, ratioText, report } from './figures.ts'

/**
 * A plan for 1,000 nodes with 20 pods each, 40 fragments and 50 budgets, from the snapshot to the last forecast node: nodes
 * one at a time, which are a thousand rounds of the controllers' decisions, and a tenth at a time.
 */
const nodeCount = flags.quick ? 100 : 1000
const runCount = flags.quick ? 1 : 5
const targetMs = 2000

interface Figures {
  readonly maxUnavailable: number | string
  readonly batches: number
  readonly runsMs: readonly number[]
  readonly medianMs: number
  readonly ratioToTarget: number
}

const results = [1, '10%'].map(measure)
report({ nodes: nodeCount, targetMs, results }, () =>
  results
    .map(
      ({ maxUnavailable, batches, medianMs }) =>
        `plan, ${nodeCount} nodes, maxUnavailable ${maxUnavailable}: ${batches} batches, median ${medianMs} ms of ${runCount} (${ratioText(medianMs, targetMs, 'ms')})`,
    )
    .join('\n'),
)

function measure(maxUnavailable: number | string): Figures {
  const cluster = clusterOf(maxUnavailable)
  const put: KubernetesObject[] = [
    { kind: 'MachineConfig', ...fragment('99-change', { config: withFile('/etc/change') }) },
  ]
  const runsMs: number[] = []
  let batches = 0
  for (let run = 0; run < runCount; run++) {
    const started = performance.now()
    const plan = planChange(cluster, { put, remove: [] }, now)
    runsMs.push(Math.round(performance.now() - started))
    batches = plan.pools.find(({ pool }) => pool === 'worker')?.batches.length ?? 0
  }
  const medianMs = percentile(runsMs, 0.5)
  return { maxUnavailable, batches, runsMs, medianMs, ratioToTarget: medianMs / targetMs }
}

function clusterOf(maxUnavailable: number | string): ClusterSnapshot {
  const workers = Array.from({ length: nodeCount }, (_, index) =>
    aNode(`worker-${index}`, {
      current: present,
      labels: { 'node-role.kubernetes.io/worker': '', 'topology.kubernetes.io/zone': `zone-${index % 3}` },
    }),
  )
  const masters = [0, 1, 2].map((index) =>
    aNode(`master-${index}`, { current: present, labels: { 'node-role.kubernetes.io/master': '' } }),
  )
  const fragments: MachineConfig[] = Array.from({ length: 40 }, (_, index) =>
    fragment(`${10 + index}-worker`, { config: withFile(`/etc/file-${index % 30}`, `content-${index}`) }),
  )
  const pods = workers.flatMap(({ metadata }, node) =>
    Array.from({ length: 20 }, (_, index) =>
      aPod(`pod-${node}-${index}`, {
        node: metadata.name ?? '',
        owner: { kind: 'ReplicaSet', name: `app-${index}` },
        labels: { app: `app-${(node + index) % 100}` },
      }),
    ),
  )
  const budgets = Array.from({ length: 50 }, (_, index) => ({
    ...aBudget(`budget-${index}`, index % 10 === 0 ? 0 : 1, 1, 2),
    spec: { selector: { matchLabels: { app: `app-${index}` } } },
  }))
  const pools = [rolePool('worker', { maxUnavailable }), rolePool('master')]
  const settled = settledCluster(
    pools,
    [...fragments, fragment('00-master', {}, { role: 'master' })],
    [...workers, ...masters],
  )
  return { ...settled, pods, budgets }
}
