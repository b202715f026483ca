import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { machineConfigAnnotation } from '../api/names.ts'
import type { PoolRollout } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import { renderOf } from '../forecast/renderOf.ts'
import type { RenderTools } from '../render/decideRender.ts'
import { configNamed } from '../render/publishRendered.ts'
import { selectMachineConfigs } from '../render/selectMachineConfigs.ts'
import { digestOf, type FragmentRecord, recordToFragment } from './fragmentRecord.ts'
import { poolsOfFragment } from './poolsOfFragment.ts'

/** One write that a way back needs. `live` is what the write is made on, and must still be there. */
export type RollbackStep =
  | { readonly kind: 'restore'; readonly name: string; readonly object: MachineConfig }
  | { readonly kind: 'modify'; readonly name: string; readonly object: MachineConfig; readonly live: MachineConfig }
  | { readonly kind: 'delete'; readonly name: string; readonly live: MachineConfig }

export type RollbackProposal =
  /** The fragments are as they were then. */
  | { readonly kind: 'nothing'; readonly message: string }
  | { readonly kind: 'impossible'; readonly problems: readonly string[] }
  | {
      readonly kind: 'proposal'
      readonly rollout: PoolRollout
      /** Restored and modified ones first, so that nothing is missing in between. */
      readonly steps: readonly RollbackStep[]
      /** What a person should know before agreeing. */
      readonly warnings: readonly string[]
      readonly from: MachineConfig | undefined
      readonly rendered: MachineConfig
    }

export interface RollbackInput {
  readonly snapshot: ClusterSnapshot
  readonly pool: MachineConfigPool
  readonly rollout: PoolRollout
  readonly rollouts: readonly PoolRollout[]
  /** The copies of the rollout's fragments that were found, by digest. */
  readonly records: ReadonlyMap<string, FragmentRecord>
}

/**
 * The change of fragments that takes a pool back to what one of its rollouts had: exactly those that differ. Fragments that a
 * controller generates are left alone, since it would write them again. Writes nothing.
 */
export function proposeRollback(input: RollbackInput, tools: RenderTools, now: Date): RollbackProposal {
  const { snapshot, pool, rollout, rollouts, records } = input
  const selection = selectMachineConfigs(pool, snapshot.machineConfigs)
  const selected = selection.kind === 'selected' ? selection.configs : []
  const left: string[] = []
  const problems: string[] = []
  const steps: RollbackStep[] = []
  const wanted = new Map((rollout.spec.fragments ?? []).map((fragment) => [fragment.name, fragment.digest] as const))
  for (const [name, digest] of wanted) {
    // Also one that exists and that the pool does not select any more.
    const live = configNamed(snapshot.machineConfigs, name)
    if (live && digestOf(live) === digest) continue
    if (live && isGenerated(live)) {
      left.push(name)
      continue
    }
    const record = records.get(digest)
    if (!record) {
      problems.push(`of mc/${name} as it was then no copy is kept`)
      continue
    }
    const object = recordToFragment(record)
    steps.push(live ? { kind: 'modify', name, object, live } : { kind: 'restore', name, object })
  }
  for (const live of selected) {
    const { name = '' } = live.metadata
    if (wanted.has(name)) continue
    if (isGenerated(live)) left.push(name)
    else steps.push({ kind: 'delete', name, live })
  }
  if (problems.length > 0) return { kind: 'impossible', problems }
  if (steps.length === 0) return { kind: 'nothing', message: nothingToDo(pool, rollout, left) }
  const after = { ...snapshot, machineConfigs: applied(snapshot.machineConfigs, steps) }
  const render = renderOf(after, pool, tools, now)
  if (render.kind !== 'rendered') {
    const why = render.kind === 'failed' ? render.message : 'rendering waits for something else first'
    return {
      kind: 'impossible',
      problems: [`the fragments of poolrollout/${rollout.metadata.name} do not render: ${why}`],
    }
  }
  return {
    kind: 'proposal',
    rollout,
    steps,
    warnings: warningsOf(input, steps, left, render.rendered.metadata.name ?? ''),
    from: configNamed(snapshot.machineConfigs, pool.spec.configuration?.name ?? ''),
    rendered: render.rendered,
  }

  function warningsOf(
    { snapshot: before }: RollbackInput,
    all: readonly RollbackStep[],
    untouched: readonly string[],
    result: string,
  ): readonly string[] {
    const others = new Map<string, readonly string[]>()
    for (const { name } of all) {
      for (const other of poolsOfFragment(name, before, rollouts)) {
        if (other !== pool.metadata.name) others.set(other, [...(others.get(other) ?? []), name])
      }
    }
    return [
      ...(result === rollout.spec.to ? [] : [`this renders ${result}, not ${rollout.spec.to}: ${whyOther(untouched)}`]),
      ...[...others].map(([other, names]) => `pool ${other} has it too and will change: ${names.join(', ')}`),
      ...all.flatMap((step) => (step.kind === 'restore' ? [] : managerWarning(step.live))),
      ...(pool.spec.paused === true ? ['the pool is paused: nodes follow when spec.paused is false'] : []),
    ]
  }
}

/** The rollout to go back to: the newest complete one before the present that has another target. */
export function previousRollout(rollouts: readonly PoolRollout[], pool: string): PoolRollout | undefined {
  const [present, ...earlier] = rollouts
    .filter(({ spec }) => spec.pool === pool)
    .toSorted((a, b) => b.spec.revision - a.spec.revision)
  const others = earlier.filter(({ spec }) => spec.to !== present?.spec.to)
  return others.find(({ status }) => status?.phase === 'Complete') ?? others[0]
}

const isGenerated = ({ metadata }: MachineConfig): boolean =>
  (metadata.ownerReferences ?? []).length > 0 ||
  metadata.annotations?.[machineConfigAnnotation.generatedByControllerVersion] !== undefined

const whyOther = (untouched: readonly string[]): string =>
  untouched.length > 0
    ? `controllers generate ${untouched.join(', ')}, which stay as they are`
    : 'the OS image or another setting of the cluster is not what it was'

function nothingToDo(pool: MachineConfigPool, { metadata, spec }: PoolRollout, left: readonly string[]): string {
  const where = `mcp/${pool.metadata.name} has the fragments of poolrollout/${metadata.name} (${spec.to}) already`
  return left.length === 0 ? where : `${where}, except ${left.join(', ')}, which controllers generate`
}

const gitOps = /argocd|argo-cd|flux|kustomize-controller|helm-controller|fleet/i

/** Somebody keeps the object as a repository says: it will write its own version again. */
function managerWarning({ metadata }: MachineConfig): readonly string[] {
  const manager = metadata.managedFields?.find((entry) => gitOps.test(entry.manager ?? ''))?.manager
  return manager === undefined
    ? []
    : [`mc/${metadata.name} is kept by ${manager}, which will write it again: take the change back in its source too`]
}

function applied(configs: readonly MachineConfig[], steps: readonly RollbackStep[]): readonly MachineConfig[] {
  const changed = new Map(steps.map((step) => [step.name, step] as const))
  const kept = configs.flatMap((config) => {
    const step = changed.get(config.metadata.name ?? '')
    if (!step) return [config]
    return step.kind === 'delete' ? [] : [step.object]
  })
  return [...kept, ...steps.flatMap((step) => (step.kind === 'restore' ? [step.object] : []))]
}
