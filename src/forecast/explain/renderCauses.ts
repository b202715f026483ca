import { poolCondition, singletonName } from '../../api/names.ts'
import { whyWaiting } from '../../render/renderGates.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import { validateMachineConfig } from '../../render/validateMachineConfig.ts'
import type { Finding } from '../finding.ts'
import { conditionFact, fieldFact, missingFact } from './evidence.ts'
import { fragmentsOf } from './fragmentsBehind.ts'
import { namesOf } from './namesOf.ts'
import { type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools whose fragments do not become a config. */
export function renderCauses(situation: Situation): readonly Finding[] {
  return situation.pools.flatMap((pool) => {
    const failure = renderFailure(situation, pool)
    return failure ? [failure] : closedGate(situation, pool)
  })
}

function renderFailure({ snapshot }: Situation, pool: PoolSituation): Finding | undefined {
  const condition = pool.pool.status?.conditions?.find(({ type }) => type === poolCondition.renderDegraded)
  if (condition?.status !== 'True') return undefined
  const isSelected = selectMachineConfigs(pool.pool, snapshot.machineConfigs).kind === 'selected'
  const fragments = fragmentsOf(snapshot, pool.pool)
  const named = fragments.filter(({ metadata }) => isQuoted(condition.message, metadata.name ?? ''))
  const faults = fragments
    .map((fragment) => ({
      fragment,
      errors: validateMachineConfig(fragment).filter(({ severity }) => severity === 'error'),
    }))
    .filter(({ errors }) => errors.length > 0)
  const blamed = faults.length > 0 ? faults.map(({ fragment }) => fragment) : named
  const names = blamed.map(({ metadata }) => metadata.name ?? '')
  const [only, ...others] = names
  const command = only !== undefined && others.length === 0 ? `kubectl delete mc ${only}` : undefined
  const places = faults.flatMap(({ fragment, errors }) =>
    errors.map(({ path, message }) => `MachineConfig ${fragment.metadata.name}, ${path}: ${message}`),
  )
  const isLarge = condition.message.includes('too large')
  return {
    code: isLarge ? 'RenderedConfigTooLarge' : 'RenderFailed',
    severity: 'critical',
    subject: poolSubject(pool),
    ...(condition.lastTransitionTime && { since: condition.lastTransitionTime }),
    what: condition.message,
    why: `${places.length > 0 ? `${namesOf(places)}; ` : ''}${pool.pool.spec.configuration?.name ? `pool ${pool.name} stays at ${pool.pool.spec.configuration.name}` : `pool ${pool.name} has no config yet`} until its fragments can be merged`,
    remedy: remedyOf(pool, { isSelected, isLarge, names, ...(command && { command }) }),
    ...(command !== undefined && { command }),
    evidence: [
      conditionFact(`machineconfigpool/${pool.name}`, pool.pool, poolCondition.renderDegraded),
      conditionFact(`machineconfigpool/${pool.name}`, pool.pool, poolCondition.renderDegraded, 'message'),
      ...blamed
        .slice(0, 5)
        .map((fragment) => fieldFact(`machineconfig/${fragment.metadata.name}`, fragment, 'metadata.name')),
    ],
  }
}

interface RemedyFacts {
  readonly isSelected: boolean
  readonly isLarge: boolean
  readonly names: readonly string[]
  readonly command?: string
}

function remedyOf({ name }: PoolSituation, { isSelected, isLarge, names, command }: RemedyFacts): string {
  if (isLarge)
    return 'make the largest fragments smaller, or take some away: kubectl get mc; mco render shows the merge'
  if (command)
    return `correct MachineConfig ${names[0]} (mco validate FILE names line and column), or take it back: ${command}`
  if (names.length > 0) return `correct one of MachineConfig ${namesOf(names)}: mco validate FILE names line and column`
  return isSelected
    ? 'correct or delete the fragment that the message speaks of'
    : `correct the pool's machineConfigSelector, or label MachineConfigs for it: kubectl get mcp ${name} -o yaml; kubectl get mc --show-labels`
}

/** As a whole name: `50-a` is not meant by `50-a-b`. */
function isQuoted(text: string, name: string): boolean {
  return name !== '' && text.split(/[^\w.-]+/).some((word) => word.replace(/[.:]+$/, '') === name)
}

const gateLimitMs = 10 * 60_000

/** What a pool waits for before it is rendered again. A moment of it is ordinary after every change. */
function closedGate({ snapshot, now }: Situation, pool: PoolSituation): readonly Finding[] {
  const { controllerConfig, kubeletConfigs, containerRuntimeConfigs } = snapshot
  const { unreadable } = snapshot
  if (unreadable.controllerconfigs ?? unreadable.kubeletconfigs ?? unreadable.containerruntimeconfigs) return []
  const reasons = whyWaiting({ pool: pool.pool, controllerConfig, kubeletConfigs, containerRuntimeConfigs })
  if (reasons.length === 0) return []
  const since = sinceOf(controllerConfig?.status?.conditions ?? [])
  const isOld = since !== undefined && now.getTime() - Date.parse(since) > gateLimitMs
  return [
    {
      code: 'RenderWaiting',
      severity: isOld || !pool.pool.spec.configuration?.name ? 'warning' : 'info',
      subject: poolSubject(pool),
      ...(since !== undefined && { since }),
      what: `pool ${pool.name} is not rendered: ${reasons.join('; ')}`,
      why: 'a pool is rendered only when everything that its config is made from has settled, so that nodes move once',
      remedy:
        'correct the object that is named, or see why its controller has not finished: kubectl get controllerconfig,kubeletconfig,containerruntimeconfig -o yaml',
      evidence: controllerConfig
        ? [fieldFact(`controllerconfig/${controllerConfig.metadata.name}`, controllerConfig, 'metadata.generation')]
        : [missingFact(`controllerconfig/${singletonName.controllerConfig}`)],
    },
  ]
}

function sinceOf(conditions: readonly { readonly lastTransitionTime: string | null }[]): string | undefined {
  return conditions
    .map(({ lastTransitionTime }) => lastTransitionTime ?? '')
    .filter((time) => time !== '')
    .sort()
    .at(-1)
}
