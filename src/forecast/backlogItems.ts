import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolCondition } from '../api/names.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { selectMachineConfigs } from '../render/selectMachineConfigs.ts'
import { type CertificateDeadline, waitingCertificates } from './certificateDeadlines.ts'
import type { ChangeEffect, EffectRule } from './changeEffect.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'
import type { ChangeLine } from './describeChange.ts'
import { type FieldOwner, fieldOwner } from './fieldOwner.ts'
import { type Contribution, provenanceOf } from './provenance.ts'

/** The MachineConfig that a waiting change comes from. */
interface BacklogSource extends Contribution {
  /** Who changed it last; absent where the API server's record of that is not at hand. */
  readonly changedBy?: FieldOwner
}

/** One change that waits. */
export interface BacklogItem extends Omit<ChangeLine, 'patch'> {
  /** Fragments that set it; empty for what is removed. */
  readonly sources: readonly BacklogSource[]
  /** Fragments that also say something about it, in vain. */
  readonly overridden: readonly string[]
  /** MachineConfigs that the nodes' config was made from and that no longer take part: where a removal comes from. */
  readonly gone: readonly string[]
  /** RFC 3339. */
  readonly since?: string
  /** What it asks of a node by itself, and by which rule. */
  readonly impact: ChangeEffect['impact']
  readonly actions: readonly string[]
  readonly rule: string
  readonly nodes: readonly string[]
  /** Certificates that nodes hold, that end, and whose successor waits. */
  readonly deadlines: readonly CertificateDeadline[]
  /** Certificates that the change brings. */
  readonly brings: readonly { readonly subject: string; readonly expires: string }[]
}

/** Nodes that run the same and obey the same policies are judged once. */
export interface BacklogGroup {
  readonly from: MachineConfig | undefined
  readonly fromName: string
  readonly effect: ChangeEffect
  readonly nodes: readonly string[]
  /** The image of a layered pool, when the nodes run another one. */
  readonly image?: { readonly from: string; readonly to: string }
}

interface BacklogItemsInput {
  readonly snapshot: ClusterSnapshot
  readonly pool: MachineConfigPool
  /** The rendered config that waits. */
  readonly target: MachineConfig | undefined
  readonly groups: readonly BacklogGroup[]
  readonly now: Date
}

/** The changes of all groups of nodes; a change that several groups wait for is one item. */
export function backlogItems(input: BacklogItemsInput): readonly BacklogItem[] {
  const sources = sourcesOf(input)
  const items = new Map<string, BacklogItem>()
  for (const group of input.groups) {
    for (const item of itemsOf(group, sources)) {
      const key = JSON.stringify([item.subject, item.change, item.details, item.deadlines])
      const known = items.get(key)
      items.set(key, known ? { ...known, nodes: [...known.nodes, ...item.nodes] } : item)
    }
  }
  return [...items.values()]
}

interface Sources {
  readonly of: (subject: string) => Pick<BacklogItem, 'sources' | 'overridden'>
  readonly sinceOf: (sources: readonly BacklogSource[]) => string | undefined
  readonly gone: readonly string[]
}

/** The fragments of the target; only those that still exist can be asked who changed them. */
function sourcesOf({ snapshot, pool, target }: BacklogItemsInput): Sources {
  const selection = selectMachineConfigs(pool, snapshot.machineConfigs)
  const named = new Map(
    (selection.kind === 'selected' ? selection.configs : []).map((config) => [config.metadata.name ?? '', config]),
  )
  const wanted = (pool.spec.configuration?.source ?? []).map(({ name = '' }) => name)
  const before = (pool.status?.configuration?.source ?? []).map(({ name = '' }) => name)
  const parser = fragmentParser()
  const provenance = provenanceOf(wanted.flatMap((name) => named.get(name) ?? []).map((config) => parser.parse(config)))
  const unsettled = pool.status?.conditions?.find(
    ({ type, status }) => type === poolCondition.updated && status === 'False',
  )
  const [made, unsettledSince] = [target?.metadata.creationTimestamp, unsettled?.lastTransitionTime]
  return {
    gone: before.filter((name) => !wanted.includes(name)),
    of: (subject) => {
      const found = provenance.get(subject)
      const sources = (found?.setBy ?? []).map((share): BacklogSource => {
        const config = named.get(share.fragment)
        const changedBy = config && (fieldOwner(config, ['spec']) ?? fieldOwner(config, ['metadata', 'labels']))
        return { ...share, ...(changedBy && { changedBy }) }
      })
      return { sources, overridden: found?.overridden ?? [] }
    },
    sinceOf: (sources) => {
      const times = sources.flatMap(({ fragment, changedBy }) => {
        const isNew = !before.includes(fragment)
        return changedBy?.time ?? (isNew ? named.get(fragment)?.metadata.creationTimestamp : undefined) ?? []
      })
      // Without a record: not before the result was made, and, as an old one may be taken again, not while nothing waited.
      return (
        times.sort().at(-1) ??
        [made, unsettledSince]
          .flatMap((time) => time ?? [])
          .sort()
          .at(-1)
      )
    },
  }
}

function itemsOf(group: BacklogGroup, sources: Sources): BacklogItem[] {
  const { effect, nodes } = group
  const changes = effect.changes.map((line): BacklogItem => {
    const from = sources.of(line.subject)
    const rule = ruleFor(line.subject, effect)
    const since = sources.sinceOf(from.sources)
    const { patch: _contents, ...shown } = line
    return {
      ...shown,
      ...from,
      gone: from.sources.length === 0 ? sources.gone : [],
      ...(since !== undefined && { since }),
      impact: effect.refusal === undefined ? (rule?.impact ?? 'none') : effect.impact,
      actions: rule?.actions ?? [],
      rule: effect.refusal ?? rule?.rule ?? 'nothing on a running node depends on it',
      nodes,
      ...certificatesOf(line.subject, effect),
    }
  })
  return group.image ? [...changes, imageItem(group.image, nodes)] : changes
}

function certificatesOf(subject: string, { views }: ChangeEffect): Pick<BacklogItem, 'deadlines' | 'brings'> {
  if (!views || !subject.startsWith('/')) return { deadlines: [], brings: [] }
  const fileOf = ({ ignition }: typeof views.before) => ignition.storage?.files?.find(({ path }) => path === subject)
  const { deadlines, brings } = waitingCertificates(subject, fileOf(views.before), fileOf(views.after))
  return { deadlines, brings }
}

/** The rule that judged a subject: drop-ins are judged as their unit, users as their keys. */
function ruleFor(subject: string, { because }: ChangeEffect): EffectRule | undefined {
  const judged = subject.startsWith('user ') ? 'ssh keys' : subject.replace(/^(unit \S+) drop-in .*$/, '$1')
  return because.find((entry) => entry.subject === judged)
}

const imageItem = (image: { readonly from: string; readonly to: string }, nodes: readonly string[]): BacklogItem => ({
  subject: 'OS image of the pool',
  change: 'changed',
  details: [`${image.from || '(none)'} -> ${image.to}`],
  sources: [],
  overridden: [],
  gone: [],
  impact: 'reboot',
  actions: ['Reboot'],
  rule: 'a new OS image is used from the next boot',
  nodes,
  deadlines: [],
  brings: [],
})
