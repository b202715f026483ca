import { isEmptyLabelSelector, labelSelectorToQuery } from '../../api/selectors.ts'
import {
  drainForceAfterAnnotation,
  drainGracePeriodAnnotation,
  drainSkipSelectorAnnotation,
  drainTimeoutAnnotation,
} from '../../drain/drainAnnotations.ts'
import { drainPolicyOf } from '../../drain/drainPolicy.ts'
import { readDuration } from '../../rollout/durationAnnotation.ts'
import { findLayering, judgeImage } from '../../rollout/layering.ts'
import { maxUnavailableOf } from '../../rollout/maxUnavailable.ts'
import { rebootLimitAnnotation } from '../../rollout/overdueReboot.ts'
import type { Finding } from '../finding.ts'
import { annotationFact, fieldFact } from './evidence.ts'
import { type PoolSituation, poolSubject, type Situation } from './situation.ts'

/** Pools that say something that cannot be followed, or that wait for an image. */
export function settingCauses({ snapshot, pools }: Situation): readonly Finding[] {
  return pools.flatMap((pool) => [
    ...badBudget(pool),
    ...badSelectors(pool),
    ...badAnnotations(pool),
    ...imageNotReady(pool, snapshot),
  ])
}

function badBudget(pool: PoolSituation): readonly Finding[] {
  const { name } = pool
  const value = pool.pool.spec.maxUnavailable
  const budget = maxUnavailableOf(value, pool.members.length)
  const problem =
    budget.kind === 'invalid' ? budget.message : budget.nodes < 0 ? `maxUnavailable: ${value} is negative` : undefined
  if (problem === undefined) return []
  const command = `kubectl patch mcp ${name} --type=merge -p '{"spec":{"maxUnavailable":1}}'`
  return [
    {
      code: 'InvalidMaxUnavailable',
      severity: 'critical',
      subject: poolSubject(pool),
      what: problem,
      why: `no node of pool ${name} moves: how many may be unavailable at once is not known`,
      remedy: `write a number such as 1, or a percentage such as "10%": ${command}`,
      command,
      evidence: [fieldFact(`machineconfigpool/${name}`, pool.pool, 'spec.maxUnavailable')],
    },
  ]
}

function badSelectors(pool: PoolSituation): readonly Finding[] {
  const found = (['nodeSelector', 'machineConfigSelector'] as const).flatMap((field) => {
    const selector = pool.pool.spec[field]
    if (selector && isEmptyLabelSelector(selector))
      return [{ field, problem: `spec.${field} is empty and would select everything: the pool is left alone` }]
    const query = selector && labelSelectorToQuery(selector)
    return query && 'error' in query ? [{ field, problem: `spec.${field} cannot be read: ${query.error}` }] : []
  })
  return found.map(({ field, problem }) => ({
    code: 'InvalidSelector',
    severity: 'critical',
    subject: poolSubject(pool),
    what: `pool ${pool.name}: ${problem}`,
    why: 'while a selector cannot be read, nobody knows which nodes or which MachineConfigs are meant',
    remedy: `correct it: kubectl edit mcp ${pool.name}`,
    evidence: [fieldFact(`machineconfigpool/${pool.name}`, pool.pool, `spec.${field}`)],
  }))
}

/** Annotations whose owner falls back to a default, or holds still, because it cannot read them. */
function badAnnotations(pool: PoolSituation): readonly Finding[] {
  const { annotations } = pool.pool.metadata
  const { hold } = drainPolicyOf(annotations)
  const durations = [
    drainTimeoutAnnotation,
    drainForceAfterAnnotation,
    drainGracePeriodAnnotation,
    rebootLimitAnnotation,
  ]
  const problems = [
    ...durations.map((key) => ({ key, problem: readDuration(annotations, key).problem, isHeld: false })),
    { key: drainSkipSelectorAnnotation, problem: hold, isHeld: true },
  ]
  return problems.flatMap(({ key, problem, isHeld }) =>
    problem === undefined
      ? []
      : [
          {
            code: 'InvalidAnnotation',
            severity: 'warning',
            subject: poolSubject(pool),
            what: problem,
            why: isHeld
              ? 'whom a drain must spare is not known: nobody is evicted'
              : 'the default holds until it can be read',
            remedy: `correct it, or take it away: kubectl annotate mcp ${pool.name} ${key}-`,
            command: `kubectl annotate mcp ${pool.name} ${key}-`,
            evidence: [annotationFact(`machineconfigpool/${pool.name}`, pool.pool, key)],
          } satisfies Finding,
        ],
  )
}

function imageNotReady(
  pool: PoolSituation,
  { machineOSConfigs, machineOSBuilds }: Situation['snapshot'],
): readonly Finding[] {
  const config = pool.pool.spec.configuration?.name ?? ''
  const layering = findLayering({ name: pool.name, config }, machineOSConfigs, machineOSBuilds)
  const verdict = judgeImage(layering)
  if (verdict.kind === 'go' || layering.kind === 'plain') return []
  const build = layering.build?.metadata.name
  return [
    {
      code: 'ImageNotReady',
      severity: verdict.kind === 'failed' ? 'critical' : 'info',
      subject: poolSubject(pool),
      what: `pool ${pool.name} waits for its OS image: ${verdict.reason}`,
      why: 'a pool with an image of its own rolls nothing out, not even plain files, before the image is ready',
      remedy: build
        ? `see the build: kubectl describe machineosbuild ${build}`
        : 'see what asks for the image: kubectl get machineosconfig -o yaml',
      evidence: layering.build
        ? [fieldFact(`machineosbuild/${build}`, layering.build, 'status.conditions')]
        : layering.config
          ? [
              fieldFact(
                `machineosconfig/${layering.config.metadata.name}`,
                layering.config,
                'spec.machineConfigPool.name',
              ),
            ]
          : [],
    },
  ]
}
