import { Node, Pod } from '../../src/api/core.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { MachineConfigNode } from '../../src/api/machineConfigNode.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { PodDisruptionBudget } from '../../src/api/policy.ts'
import { type ClusterSnapshot, emptySnapshot } from '../../src/forecast/clusterSnapshot.ts'
import { explain } from '../../src/forecast/explain/explain.ts'
import type { Finding } from '../../src/forecast/finding.ts'
import { wrongEvidence } from './checkEvidence.ts'
import type { World } from './rolloutWorld.ts'

function snapshotOf({ cluster }: World): ClusterSnapshot {
  return {
    ...emptySnapshot,
    pools: cluster.all(MachineConfigPool),
    nodes: cluster.all(Node),
    machineConfigs: cluster.all(MachineConfig),
    machineConfigNodes: cluster.all(MachineConfigNode),
    pods: cluster.all(Pod),
    budgets: cluster.all(PodDisruptionBudget),
    unreadable: { controllerconfigs: 'this world is not rendered' },
  }
}

export function findingsOf(world: World): readonly Finding[] {
  const now = new Date(world.cluster.nowMs)
  const findings = explain(snapshotOf(world), now, { movingSince: (node) => world.toldAt.get(node) })
  // Fragments play no part in this world.
  return findings.filter(({ code }) => code !== 'FragmentNotSelected')
}

/** Judges every finding by the state, not by the code that made it. */
export function falseOnes(world: World): readonly string[] {
  const snapshot = snapshotOf(world)
  return findingsOf(world).flatMap((finding) => {
    const { code, subject, what, why, remedy, evidence } = finding
    const name = `${code} of ${subject.kind}/${subject.name}`
    const holds = truths[code]
    return [
      ...(holds === undefined ? [`${name}: the test knows no such code`] : []),
      ...(holds?.(factsOf(world, snapshot, finding)) === false ? [`${name} is not true: ${what}`] : []),
      ...(evidence.length === 0 || [what, why, remedy].includes('') ? [`${name} is not complete`] : []),
      ...evidence.flatMap((fact) => wrongEvidence(snapshot, fact) ?? []),
    ]
  })
}

interface Facts {
  readonly world: World
  readonly snapshot: ClusterSnapshot
  readonly finding: Finding
  readonly annotations: Readonly<Record<string, string>>
  readonly ready: boolean
  readonly cordoned: boolean
  readonly pool: MachineConfigPool
  readonly pods: readonly Pod[]
}

function factsOf(world: World, snapshot: ClusterSnapshot, finding: Finding): Facts {
  const { kind, name } = finding.subject
  const node = kind === 'node' ? world.cluster.read(Node, { name }) : undefined
  return {
    world,
    snapshot,
    finding,
    annotations: node?.metadata.annotations ?? {},
    ready: node?.status?.conditions?.every(({ status }) => status === 'True') ?? false,
    cordoned: node?.spec?.unschedulable ?? false,
    pool: world.cluster.read(MachineConfigPool, { name: kind === 'mcp' ? name : 'worker' }),
    pods: snapshot.pods.filter(({ spec }) => spec?.nodeName === name),
  }
}

const isDraining = ({ annotations }: Facts): boolean =>
  (annotations[nodeAnnotation.desiredDrain] ?? '').startsWith('drain-') &&
  annotations[nodeAnnotation.desiredDrain] !== annotations[nodeAnnotation.lastAppliedDrain]

const allowed = ({ snapshot }: Facts): number => snapshot.budgets[0]?.status?.disruptionsAllowed ?? 0

const isGivenUp = ({ annotations }: Facts): boolean => annotations[nodeAnnotation.state] === 'Degraded'

const minutesSince = (world: World, time: number): number => (world.cluster.nowMs - time) / 60_000

/** What must be so in this world for a finding to be true. */
export const truths: Readonly<Record<string, (facts: Facts) => boolean>> = {
  DrainBlockedByBudget: (facts) =>
    isDraining(facts) && allowed(facts) === 0 && facts.pods.some(({ metadata }) => !metadata.deletionTimestamp),
  PodStuckTerminating: (facts) =>
    isDraining(facts) &&
    facts.pods.some(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? '') < facts.world.cluster.nowMs),
  UpdateFailed: (facts) =>
    isGivenUp(facts) &&
    facts.annotations[nodeAnnotation.currentConfig] !== facts.annotations[nodeAnnotation.desiredConfig],
  NodeDegraded: (facts) =>
    isGivenUp(facts) &&
    facts.annotations[nodeAnnotation.currentConfig] === facts.annotations[nodeAnnotation.desiredConfig],
  NodeCordoned: ({ world, cordoned, finding }) => cordoned && world.cordonedByHand.has(finding.subject.name),
  NodeNotReady: ({ ready }) => !ready,
  MissingRenderedConfig: ({ annotations, pool, finding, snapshot }) => {
    const names =
      finding.subject.kind === 'node'
        ? [annotations[nodeAnnotation.currentConfig], annotations[nodeAnnotation.desiredConfig]]
        : [pool.spec.configuration?.name]
    return names.some((name) => !snapshot.machineConfigs.some(({ metadata }) => metadata.name === name))
  },
  PausedWithBacklog: ({ pool, snapshot }) =>
    pool.spec.paused === true &&
    snapshot.nodes.some(
      ({ metadata }) => metadata.annotations?.[nodeAnnotation.desiredConfig] !== pool.spec.configuration?.name,
    ),
  InvalidMaxUnavailable: ({ pool }) => pool.spec.maxUnavailable === 'many' || pool.spec.maxUnavailable === -1,
  CustomRoleConflict: ({ world, finding }) => {
    const { labels } = world.cluster.read(Node, { name: finding.subject.name }).metadata
    return labels !== undefined && 'node-role.kubernetes.io/edge' in labels && 'node-role.kubernetes.io/infra' in labels
  },
  CapacityUsedUp: ({ pool, snapshot }) =>
    snapshot.nodes.some(
      ({ metadata }) => metadata.annotations?.[nodeAnnotation.desiredConfig] !== pool.spec.configuration?.name,
    ) &&
    snapshot.nodes.some(({ metadata, spec, status }) => {
      const { annotations = {} } = metadata
      const isDone =
        annotations[nodeAnnotation.state] === 'Done' &&
        annotations[nodeAnnotation.currentConfig] === annotations[nodeAnnotation.desiredConfig]
      return !isDone || spec?.unschedulable === true || status?.conditions?.some((each) => each.status !== 'True')
    }),
  DaemonSilent: ({ world, annotations, finding }) =>
    minutesSince(world, world.toldAt.get(finding.subject.name)?.getTime() ?? Number.NaN) >= 5 &&
    annotations[nodeAnnotation.currentConfig] !== annotations[nodeAnnotation.desiredConfig] &&
    annotations[nodeAnnotation.state] === 'Done',
  NodeSlow: ({ world, annotations, finding, snapshot }) => {
    const report = snapshot.machineConfigNodes.find(({ metadata }) => metadata.name === finding.subject.name)
    const times = (report?.status?.conditions ?? []).map(({ lastTransitionTime }) => Date.parse(lastTransitionTime))
    return annotations[nodeAnnotation.state] === 'Working' && times.every((time) => minutesSince(world, time) >= 15)
  },
}
