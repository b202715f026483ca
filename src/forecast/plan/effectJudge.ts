import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import type { Fragment } from '../../render/parseFragment.ts'
import { type ChangeEffect, changeEffect, unknownEffect } from '../changeEffect.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { effectivePolicies } from '../effectivePolicies.ts'
import { runtimeOf } from '../runtimePolicies.ts'

/** What happens to a node between two configs; the same object for nodes to which the same happens. */
export type EffectJudge = (node: string, pool: string, from: string, to: string) => ChangeEffect

/** Judges each pair of configs once for each pool and container runtime. */
export function effectJudge(snapshot: ClusterSnapshot, parse: (config: MachineConfig) => Fragment): EffectJudge {
  const { machineConfigs, machineConfiguration, nodes, pools, controllerConfig } = snapshot
  const configs = new Map(machineConfigs.map((config) => [config.metadata.name ?? '', config] as const))
  const nodesByName = new Map(nodes.map((node) => [node.metadata.name ?? '', node] as const))
  const poolsByName = new Map(pools.map((pool) => [pool.metadata.name ?? '', pool] as const))
  const overrides = machineConfiguration?.spec.irreconcilableValidationOverrides
  const isSingleNode = controllerConfig?.spec?.infra?.status?.controlPlaneTopology === 'SingleReplica'
  const judged = new Map<string, ChangeEffect>()
  return (name, poolName, current, wanted) => {
    const node = nodesByName.get(name)
    const runtime = runtimeOf(node?.status?.nodeInfo?.containerRuntimeVersion)
    const key = JSON.stringify([current, wanted, poolName, runtime])
    const known = judged.get(key)
    if (known) return known
    const [from, to] = [configs.get(current), configs.get(wanted)]
    const pool = poolsByName.get(poolName)
    const policies = effectivePolicies({
      settings: machineConfiguration,
      poolName,
      poolAnnotations: annotationsOf(pool),
      runtime,
    })
    const effect =
      from && to
        ? changeEffect(from, to, { parse, policies, overrides, patches: false })
        : unknownEffect(from ? wanted : current, snapshot)
    const final = isSingleNode && effect.drain ? { ...effect, drain: false, drainReason: singleNode } : effect
    judged.set(key, final)
    return final
  }
}

const singleNode = 'the control plane is a single node, whose pods have nowhere to go'

const annotationsOf = (pool: MachineConfigPool | undefined): Readonly<Record<string, string>> | undefined =>
  pool?.metadata.annotations
