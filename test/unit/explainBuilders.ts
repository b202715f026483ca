import { expect } from 'vitest'
import type { Pod } from '../../src/api/core.ts'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import type { MachineConfigNode } from '../../src/api/machineConfigNode.ts'
import type { PodDisruptionBudget } from '../../src/api/policy.ts'
import { type ClusterSnapshot, emptySnapshot } from '../../src/forecast/clusterSnapshot.ts'
import { explain } from '../../src/forecast/explain/explain.ts'
import type { Finding } from '../../src/forecast/finding.ts'
import { wrongEvidence } from './checkEvidence.ts'
import { aNode, aPod, aPool, type NodeOptions, type PodOptions } from './rolloutBuilders.ts'

/** Small clusters, and what is explained of them: whatever is said is checked against them. */
const now = new Date('2026-03-01T12:00:00Z')
export const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString()
export const prefix = 'machineconfiguration.openshift.io/'
export const [old, next] = ['rendered-v0', 'rendered-v1']

export const config = (name: string, spec: MachineConfig['spec'] = {}): MachineConfig => ({
  metadata: { name, ...(!name.startsWith('rendered-') && { labels: { [`${prefix}role`]: 'worker' } }) },
  spec,
})
export const files = (...paths: string[]) => ({
  config: {
    ignition: { version: '3.5.0' },
    storage: { files: paths.map((path) => ({ path, contents: { source: 'data:,x' } })) },
  },
})
export const worker = (options: Parameters<typeof aPool>[1] = {}) => {
  const pool = aPool('worker', { config: next, ...options })
  return { ...pool, spec: { ...pool.spec, machineConfigSelector: { matchLabels: { [`${prefix}role`]: 'worker' } } } }
}

export function found(snapshot: Partial<ClusterSnapshot>): readonly Finding[] {
  const whole = {
    ...emptySnapshot,
    unreadable: { controllerconfigs: 'not of interest here' },
    pools: [worker()],
    machineConfigs: [config(old), config(next)],
    ...snapshot,
  }
  const findings = explain(whole, now)
  // Whatever is said rests on facts that are so.
  expect(findings.flatMap(({ evidence }) => evidence.flatMap((fact) => wrongEvidence(whole, fact) ?? []))).toEqual([])
  for (const finding of findings) {
    expect([finding.what, finding.why, finding.remedy]).not.toContain('')
    if (finding.command !== undefined) expect(finding.remedy).toContain(finding.command)
  }
  return findings
}
export const codes = (snapshot: Partial<ClusterSnapshot>) => found(snapshot).map(({ code }) => code)
export const ofNode = (options: NodeOptions, more: Partial<ClusterSnapshot> = {}) =>
  found({ nodes: [aNode('n1', options)], ...more })

export const drainOf = (minutes: number, more: Readonly<Record<string, string>> = {}): NodeOptions => ({
  current: old,
  desired: next,
  state: 'Working',
  unschedulable: true,
  annotations: {
    [`${prefix}desiredDrain`]: `drain-${next}`,
    'machineconfig.io/drain-started': ago(minutes),
    ...more,
  },
})
export const running = { phase: 'Running' as const, conditions: [{ type: 'Ready', status: 'True' as const }] }
export const aReadyPod = (name: string, options: PodOptions = {}): Pod => ({ ...aPod(name, options), status: running })
export const minAvailable = (budget: PodDisruptionBudget, count: number) => ({
  ...budget,
  spec: { ...budget.spec, minAvailable: count },
})

export const report = (
  ...conditions: readonly [type: string, status: 'True' | 'False' | 'Unknown', minutes: number][]
): MachineConfigNode => ({
  metadata: { name: 'n1' },
  spec: { node: { name: 'n1' }, pool: { name: 'worker' }, configVersion: { desired: next } },
  status: {
    conditions: conditions.map(([type, status, minutes]) => ({
      ...{ type, status, reason: type, message: `about ${type}` },
      lastTransitionTime: ago(minutes),
    })),
    configVersion: { current: old, desired: next },
  },
})
