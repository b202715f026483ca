import type { MachineConfig } from '../../api/machineConfig.ts'
import { nodeAnnotation } from '../../api/names.ts'
import { maxRenderedBytes, renderedSize } from '../../render/renderedSize.ts'
import type { Finding } from '../finding.ts'
import { annotationFact, fieldFact, missingFact } from './evidence.ts'
import { type NodeSituation, nodeSubject, type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Rendered configs that a node or a pool names and that are not there, or that hardly fit. */
export function configCauses(situation: Situation): readonly Finding[] {
  if (situation.snapshot.unreadable.machineconfigs !== undefined) return []
  return [
    ...situation.nodes.flatMap((node) => missingOfNode(situation, node)),
    ...situation.pools.flatMap((pool) => [...missingOfPool(situation, pool), ...nearLimit(situation, pool)]),
  ]
}

function missingOfNode({ config }: Situation, node: NodeSituation): readonly Finding[] {
  const { annotations } = node.view
  const current = annotations[nodeAnnotation.currentConfig] ?? ''
  const desired = annotations[nodeAnnotation.desiredConfig] ?? ''
  if (node.pool === undefined) return []
  const missing = [
    { ...wanted, name: desired },
    ...(current === desired ? [] : [{ ...running, name: current }]),
  ].filter(({ name }) => name !== '' && config(name) === undefined)
  return missing.map(({ name, key, severity, word, why, remedy }) => ({
    code: 'MissingRenderedConfig',
    severity,
    subject: nodeSubject(node),
    what: `MachineConfig ${name}, which node ${node.name} ${word}, does not exist`,
    why,
    remedy,
    evidence: [annotationFact(`node/${node.name}`, node.node, key), missingFact(`machineconfig/${name}`)],
  }))
}

const copyOnNode =
  'put it back, from a backup or from the copy on a node that runs it: /etc/machine-config-daemon/currentconfig (kubectl create -f FILE)'

const wanted = {
  key: nodeAnnotation.desiredConfig,
  severity: 'critical',
  word: 'is to get',
  why: 'its daemon cannot read what it shall apply, and waits or gives up; somebody deleted the rendered config',
  remedy: `the controllers make a config again that they still know; otherwise ${copyOnNode}, or move the pool on with another change`,
} as const

/** The daemon compares with the copy on its disk: nothing stands still, as after the deletion of a pool in mid-rollout. */
const running = {
  key: nodeAnnotation.currentConfig,
  severity: 'warning',
  word: 'runs',
  why: 'its daemon goes on from the copy on its disk, but what its next config changes cannot be told from the API; somebody deleted the rendered config, or the pool that it belonged to',
  remedy: `nothing, once the node has its next config; to see before what that changes, ${copyOnNode}`,
} as const

function missingOfPool({ config }: Situation, pool: PoolSituation): readonly Finding[] {
  const target = pool.pool.spec.configuration?.name ?? ''
  if (target === '' || config(target) !== undefined) return []
  return [
    {
      code: 'MissingRenderedConfig',
      severity: 'critical',
      subject: poolSubject(pool),
      what: `MachineConfig ${target}, the target of pool ${pool.name}, does not exist`,
      why: 'nodes that are sent there cannot read it, and new machines cannot be served; somebody deleted it',
      remedy:
        'the render controller makes it again from the fragments; if it does not, see whether the controllers run: kubectl -n openshift-machine-config-operator get pods,leases',
      evidence: [
        fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.configuration.name'),
        missingFact(`machineconfig/${target}`),
      ],
    },
  ]
}

/** A rendered config never changes: it is measured once. */
const sizes = new WeakMap<MachineConfig, ReturnType<typeof renderedSize>>()

function nearLimit({ config }: Situation, pool: PoolSituation): readonly Finding[] {
  const target = config(pool.pool.spec.configuration?.name ?? '')
  if (!target) return []
  const size = sizes.get(target) ?? renderedSize(target)
  sizes.set(target, size)
  if (size.kind === 'fits' && !size.nearLimit) return []
  return [
    {
      code: 'RenderedConfigNearLimit',
      severity: 'warning',
      subject: poolSubject(pool),
      what: `rendered config ${target.metadata.name} has ${size.bytes} of at most ${maxRenderedBytes} bytes`,
      why: 'etcd stores no larger object: the next fragments may be refused, and the pool then stays at this config',
      remedy:
        'make the largest fragments smaller: compress contents (compression: gzip), let nodes fetch large files from a URL, shorten registry mirror lists',
      evidence: [fieldFact(`machineconfigpool/${pool.name}`, pool.pool, 'spec.configuration.name')],
    },
  ]
}
