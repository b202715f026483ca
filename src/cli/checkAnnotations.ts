import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { historyLimitAnnotation } from '../api/poolRollout.ts'
import { driftModeAnnotation, driftModes } from '../daemon/driftMode.ts'
import {
  drainForceAfterAnnotation,
  drainGracePeriodAnnotation,
  drainSkipSelectorAnnotation,
  drainTimeoutAnnotation,
} from '../drain/drainAnnotations.ts'
import { drainPolicyOf } from '../drain/drainPolicy.ts'
import { policyGlobsAnnotation, poolPoliciesAnnotation } from '../forecast/effectivePolicies.ts'
import {
  isTime,
  pausedAtAnnotation,
  pausedByAnnotation,
  pauseReasonAnnotation,
  pauseThenAnnotation,
  pauseThenResume,
  pauseUntilAnnotation,
} from '../forecast/pauseRecord.ts'
import { parsePoolPolicies } from '../forecast/poolPolicies.ts'
import type { Issue } from '../ignition/issues.ts'
import { readDuration } from '../rollout/durationAnnotation.ts'
import { rebootLimitAnnotation } from '../rollout/overdueReboot.ts'
import { waitingNodesAnnotation } from '../rollout/waitingSummary.ts'

/** What is wrong with a value, with what was found and what is expected; undefined when nothing is. */
type Check = (value: string) => string | undefined

const duration =
  (key: string): Check =>
  (value) =>
    readDuration({ [key]: value }, key).problem === undefined
      ? undefined
      : `found "${value}", expected a number above 0 and one of s, m, h, such as "30m"`

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value) ? undefined : `found "${value}", expected ${words.map((word) => `"${word}"`).join(' or ')}`

const policies: Check = (value) => {
  const parsed = parsePoolPolicies(value)
  if (parsed.kind === 'parsed') return undefined
  return `${parsed.problem}; expected JSON shaped as spec.nodeDisruptionPolicy of MachineConfiguration`
}

const time: Check = (value) =>
  isTime(value) ? undefined : `found "${value}", expected a time of RFC 3339, such as "2026-01-31T08:00:00Z"`

const skipSelector: Check = (value) => drainPolicyOf({ [drainSkipSelectorAnnotation]: value }).hold

const historyCount: Check = (value) =>
  /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 100
    ? undefined
    : `found "${value}", expected a number from 1 to 100, such as "10"`

const anything: Check = () => undefined

const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  [MachineConfigPool.kind]: {
    [driftModeAnnotation]: oneOf(...driftModes),
    [poolPoliciesAnnotation]: policies,
    [drainTimeoutAnnotation]: duration(drainTimeoutAnnotation),
    [drainForceAfterAnnotation]: duration(drainForceAfterAnnotation),
    [rebootLimitAnnotation]: duration(rebootLimitAnnotation),
    [drainGracePeriodAnnotation]: duration(drainGracePeriodAnnotation),
    [drainSkipSelectorAnnotation]: skipSelector,
    [historyLimitAnnotation]: historyCount,
    [waitingNodesAnnotation]: anything,
    [pausedByAnnotation]: anything,
    [pausedAtAnnotation]: time,
    [pauseReasonAnnotation]: anything,
    [pauseUntilAnnotation]: time,
    [pauseThenAnnotation]: oneOf(pauseThenResume),
  },
  [MachineConfiguration.kind]: { [policyGlobsAnnotation]: oneOf('true', 'false') },
}

const group = 'machineconfig.io/'

/** The annotations by which our kinds are told more than their fields can say: no API server checks them. */
export function annotationIssues(kind: string, annotations: unknown): readonly Issue[] {
  const known = checks[kind]
  if (!known || typeof annotations !== 'object' || annotations === null) return []
  return Object.entries(annotations)
    .filter(([key]) => key.startsWith(group))
    .flatMap(([key, value]: [string, unknown]): readonly Issue[] => {
      const path = `$.metadata.annotations[${key}]`
      const check = known[key]
      if (!check) {
        const expected = Object.keys(known).join(', ')
        return [{ severity: 'warning', path, message: `nothing reads ${key} on a ${kind}; known are ${expected}` }]
      }
      const problem =
        typeof value === 'string'
          ? check(value)
          : `found ${JSON.stringify(value)} (${typeof value}), expected a text: put it in quotes`
      return problem === undefined ? [] : [{ severity: 'error', path, message: problem }]
    })
}
