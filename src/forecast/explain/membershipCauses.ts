import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { poolName } from '../../api/names.ts'
import { isInFlight, isWindows } from '../../rollout/nodePredicates.ts'
import { ownershipOf } from '../../rollout/primaryPool.ts'
import type { Evidence, Finding } from '../finding.ts'
import { fieldFact, labelFact } from './evidence.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** Nodes that no pool, or more than one, claims. */
export function membershipCauses(situation: Situation): readonly Finding[] {
  return situation.nodes.filter(({ view }) => !isWindows(view)).flatMap((node) => membershipOf(situation, node))
}

function membershipOf({ snapshot }: Situation, node: NodeSituation): readonly Finding[] {
  const { ownership } = node
  switch (ownership.kind) {
    case 'owned':
      return ownership.customIgnored ? [ignoredPool(node, ownership.primary, snapshot.pools)] : []
    case 'conflict':
      return [conflict(node, ownership.message, ownership.pools.filter(isCustom))]
    case 'unmanaged':
      return [
        {
          code: 'NodeWithoutPool',
          // Its pool was renamed, or its label taken away, in the middle of an update that nobody follows any more.
          severity: isInFlight(node.view) ? 'warning' : 'info',
          subject: nodeSubject(node),
          what: 'no pool selects this node, so nothing updates it',
          why: 'the nodeSelector of no MachineConfigPool matches its labels',
          remedy: `give it the role of a pool: kubectl label node ${node.name} node-role.kubernetes.io/worker=`,
          command: `kubectl label node ${node.name} node-role.kubernetes.io/worker=`,
          evidence: [fieldFact(`node/${node.name}`, node.node, 'metadata.labels')],
        },
      ]
    case 'invalid':
      return []
    default:
      return ownership satisfies never
  }
}

const isCustom = ({ metadata }: MachineConfigPool): boolean =>
  metadata.name !== poolName.master && metadata.name !== poolName.worker

function conflict(node: NodeSituation, message: string, pools: readonly MachineConfigPool[]): Finding {
  const names = pools.map(({ metadata }) => metadata.name ?? '').sort()
  const leave = pools.flatMap((pool) => {
    const command = removalOf(node, pool, pools)
    return command === undefined ? [] : [{ name: pool.metadata.name ?? '', command }]
  })
  const last = leave.at(-1)
  const commands = leave.map(({ name, command }) => `${name}: ${command}`).join('; ')
  return {
    code: 'CustomRoleConflict',
    severity: 'warning',
    subject: nodeSubject(node),
    what: message,
    why: `the custom pools ${names.join(' and ')} both select it, and a node has one config: no pool counts it or updates it`,
    remedy: last ? `keep one of the roles. To give up ${commands}` : 'change the nodeSelector of one of the pools',
    ...(last && { command: last.command }),
    evidence: pools.flatMap((pool) => selectionFacts(node, pool)),
  }
}

function ignoredPool(node: NodeSituation, primary: MachineConfigPool, pools: readonly MachineConfigPool[]): Finding {
  const rest = ownershipOf(
    node.view,
    pools.filter((pool) => pool !== primary),
  )
  const ignored = rest.kind === 'owned' ? rest.primary : undefined
  const command = ignored && removalOf(node, ignored, [primary])
  return {
    code: 'ControlPlaneCustomRole',
    severity: 'warning',
    subject: nodeSubject(node),
    what: 'it is a control-plane node: the custom pool that selects it is ignored',
    why: `pool ${primary.metadata.name} comes before ${ignored?.metadata.name ?? 'every custom pool'}: the MachineConfigs of that role do not reach it`,
    remedy: command
      ? `take the custom role away: ${command}`
      : `take the custom role's label away; see the labels: kubectl get node ${node.name} --show-labels`,
    ...(command !== undefined && { command }),
    evidence: [primary, ...(ignored ? [ignored] : [])].flatMap((pool) => selectionFacts(node, pool)),
  }
}

const rolesOf = (pool: MachineConfigPool): readonly string[] => Object.keys(pool.spec.nodeSelector?.matchLabels ?? {})

const selectionFacts = (node: NodeSituation, pool: MachineConfigPool): readonly Evidence[] => [
  ...rolesOf(pool).map((key) => labelFact(`node/${node.name}`, node.node, key)),
  fieldFact(`machineconfigpool/${pool.metadata.name}`, pool, 'spec.nodeSelector'),
]

/** Only a label that no other pool asks for; a pool that selects by expressions alone has none that is sure to leave it. */
function removalOf(
  node: NodeSituation,
  pool: MachineConfigPool,
  others: readonly MachineConfigPool[],
): string | undefined {
  const shared = new Set(others.filter((other) => other !== pool).flatMap(rolesOf))
  const key = rolesOf(pool).find((role) => !shared.has(role))
  return key === undefined ? undefined : `kubectl label node ${node.name} ${key}-`
}
