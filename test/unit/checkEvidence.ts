import type { KubernetesObject } from '../../src/api/meta.ts'
import type { ClusterSnapshot } from '../../src/forecast/clusterSnapshot.ts'
import type { Evidence } from '../../src/forecast/finding.ts'

/**
 * Looks a fact up in the snapshot by its path, as kubectl's jsonpath would, without any of the code that made it. Undefined
 * when it is true; else what is wrong.
 */
export function wrongEvidence(snapshot: ClusterSnapshot, { object, path, value }: Evidence): string | undefined {
  const [kind = '', ...names] = object.split('/')
  const [namespace, name] = names.length === 2 ? names : [undefined, names[0]]
  const objects = listOf(snapshot, kind)
  if (!objects) return `${object} is of no known kind`
  const found = objects.find(
    ({ metadata }) => metadata.name === name && (namespace === undefined || metadata.namespace === namespace),
  )
  const actual = found ? valueAt(found, path) : undefined
  const text =
    actual === undefined || actual === null
      ? '(absent)'
      : typeof actual === 'object'
        ? JSON.stringify(actual)
        : String(actual)
  return text === value ? undefined : `${object} ${path} is ${text}, not ${value}`
}

function listOf(snapshot: ClusterSnapshot, kind: string): readonly KubernetesObject[] | undefined {
  const one = (object: KubernetesObject | undefined) => (object ? [object] : [])
  const lists: Readonly<Record<string, readonly KubernetesObject[]>> = {
    node: snapshot.nodes,
    pod: snapshot.pods,
    pdb: snapshot.budgets,
    machineconfigpool: snapshot.pools,
    machineconfig: snapshot.machineConfigs,
    machineconfignode: snapshot.machineConfigNodes,
    machineosbuild: snapshot.machineOSBuilds,
    machineosconfig: snapshot.machineOSConfigs,
    controllerconfig: one(snapshot.controllerConfig),
    lease: one(snapshot.leaderLease),
  }
  return lists[kind]
}

function valueAt(object: KubernetesObject, path: string): unknown {
  let value: unknown = object
  // A member with escaped dots, or a member followed by a filter on `type`.
  for (const [, member = '', type] of path.matchAll(/((?:\\.|[^.[\\])+)(?:\[\?\(@\.type=="([^"]+)"\)\])?\.?/g)) {
    value = memberOf(value, member.replaceAll('\\.', '.'))
    if (type !== undefined && Array.isArray(value)) value = value.find((each) => memberOf(each, 'type') === type)
  }
  return value
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
