import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { nodeAnnotation } from '../../api/names.ts'
import { blameFragment } from '../../render/blameFragment.ts'
import { type Fragment, fragmentParser } from '../../render/parseFragment.ts'
import { reconcilable } from '../../render/reconcilable.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import type { NodeSituation, Situation } from './situation.ts'

const parser = fragmentParser()

export interface Origin {
  readonly names: readonly string[]
  /** The one that a person wrote and can take back, when it is only one. */
  readonly removable?: string
}

/**
 * The fragments that a failure speaks of: the one that is blamed for an irreconcilable change, or those that manage a path or
 * a unit, or set a field, that the reason names.
 */
export function fragmentsBehind({ snapshot, config }: Situation, node: NodeSituation, reason: string): Origin {
  if (!node.pool || reason === '') return { names: [] }
  const fragments = fragmentsOf(snapshot, node.pool).map((selected) => parser.parse(selected))
  const current = config(node.view.annotations[nodeAnnotation.currentConfig] ?? '')
  const desired = config(node.view.annotations[nodeAnnotation.desiredConfig] ?? '')
  const isIrreconcilable = /reconcil/i.test(reason)
  const blamed = isIrreconcilable && current && desired ? blamedFor(snapshot, current, desired, fragments) : undefined
  const involved = fragments.filter((fragment) =>
    blamed === undefined ? isNamed(fragment, reason) : fragment.name === blamed,
  )
  const [own, ...others] = involved.filter(({ generatedBy, name }) => generatedBy === '' && !isTemplate(name))
  return {
    names: involved.map(({ name }) => name),
    ...(own && others.length === 0 && { removable: own.name }),
  }
}

/** In the order of the merge. */
export function fragmentsOf(snapshot: ClusterSnapshot, pool: MachineConfigPool): readonly MachineConfig[] {
  const selection = selectMachineConfigs(pool, snapshot.machineConfigs)
  if (selection.kind !== 'selected') return []
  return selection.configs.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
}

/** `00-worker`, `01-worker-kubelet`: what the product itself brings. */
const isTemplate = (name: string): boolean => /^0[01]-/.test(name)

function blamedFor(
  snapshot: ClusterSnapshot,
  current: MachineConfig,
  desired: MachineConfig,
  fragments: readonly Fragment[],
): string | undefined {
  const overrides = snapshot.machineConfiguration?.spec.irreconcilableValidationOverrides ?? {}
  const present = parser.parse(current)
  const verdict = reconcilable(present, parser.parse(desired), overrides)
  return verdict.kind === 'reconcilable' ? undefined : blameFragment(verdict, present, fragments, overrides).fragment
}

function isNamed(fragment: Fragment, reason: string): boolean {
  const { ignition, kernelArguments, extensions, osImageURL, kernelType } = fragment
  const config = ignition.kind === 'parsed' ? ignition.config : undefined
  const places = [
    ...(config?.storage?.files ?? []).map(({ path }) => path),
    ...(config?.systemd?.units ?? []).map(({ name }) => name),
  ]
  if (places.some((place) => mentions(reason, place))) return true
  return (
    (kernelArguments.length > 0 && /kernel ?arguments|kargs/i.test(reason)) ||
    (extensions.length > 0 && /\bextensions?\b/i.test(reason)) ||
    (osImageURL !== '' && /osImageURL|OS image/i.test(reason)) ||
    (kernelType !== '' && /kernelType|kernel type/i.test(reason))
  )
}

/** The whole name, not one that it begins or ends. */
function mentions(text: string, place: string): boolean {
  const index = text.indexOf(place)
  if (index < 0) return false
  const isEdge = (character: string | undefined) => character === undefined || !/[\w@./-]/.test(character)
  const [before, after] = [text[index - 1], text[index + place.length]]
  return isEdge(before) && (isEdge(after) || (after === '.' && isEdge(text[index + place.length + 1])))
}
