import type { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { eventReason } from '../api/names.ts'
import type { OSImageStream, OSImageStreamEntry } from '../api/osImageStream.ts'
import { formatLabelQuery, labelSelectorToQuery } from '../api/selectors.ts'
import { poolStream } from '../image-sets/poolStream.ts'
import { blameFragment } from './blameFragment.ts'
import { type GenerateInput, type Generation, generate } from './generate.ts'
import type { Fragment } from './parseFragment.ts'
import { configNamed, publishRendered } from './publishRendered.ts'
import { type IrreconcilableOverrides, reconcilable } from './reconcilable.ts'
import type { RenderAction } from './renderAction.ts'
import { renderFailure, setRenderDegraded } from './renderCondition.ts'
import { whyWaiting } from './renderGates.ts'
import { type InspectedStream, runcGuard } from './runcGuard.ts'
import { selectMachineConfigs } from './selectMachineConfigs.ts'

export interface RenderSnapshot {
  readonly pool: MachineConfigPool
  /** Every MachineConfig of the cluster. */
  readonly configs: readonly MachineConfig[]
  readonly controllerConfig: ControllerConfig | undefined
  readonly kubeletConfigs: readonly KubeletConfig[]
  readonly containerRuntimeConfigs: readonly ContainerRuntimeConfig[]
  readonly overrides: IrreconcilableOverrides
  /** Absent in a cluster that does not use OS image streams. */
  readonly streams?: { readonly object: OSImageStream | undefined; readonly worker: MachineConfigPool | undefined }
  /** What an earlier `inspect` decision asked for. */
  readonly inspected?: InspectedStream
  readonly version: string
  readonly hash: string
  readonly now: Date
}

type RenderFailureReason =
  | 'InvalidSelector'
  | 'NoMachineConfigs'
  | 'StreamUnavailable'
  | 'GenerationFailed'
  | 'Irreconcilable'
  | 'TooLarge'
  | 'RuncUnavailable'
  | 'RuntimeUnreadable'
  /** The registry did not answer: the only failure that goes away by trying again. */
  | 'InspectionFailed'

export type RenderDecision =
  /** An empty selector: the pool is left alone. */
  | { readonly kind: 'ignored'; readonly actions: readonly RenderAction[] }
  /** Something must settle first; the present rendered config stays in force. */
  | { readonly kind: 'waiting'; readonly reasons: readonly string[]; readonly actions: readonly RenderAction[] }
  /** The labels of an image are needed; decide again with `inspected`. */
  | { readonly kind: 'inspect'; readonly image: string }
  /** The present rendered config stays in force. */
  | {
      readonly kind: 'failed'
      readonly reason: RenderFailureReason
      readonly message: string
      readonly actions: readonly RenderAction[]
    }
  | {
      readonly kind: 'rendered'
      readonly rendered: MachineConfig
      readonly overridden: boolean
      readonly sizeBytes: number
      readonly nearSizeLimit: boolean
      /** Empty when nothing differs: then nothing is written. */
      readonly actions: readonly RenderAction[]
    }

/** The expensive steps as functions, so that a caller can hand in ones that remember. */
export interface RenderTools {
  readonly parse: (config: MachineConfig) => Fragment
  readonly generate?: (input: GenerateInput) => Generation
}

/** What must be done so that a pool targets the merge of its MachineConfigs (spec: render 3, 4). */
export function decideRender(snapshot: RenderSnapshot, tools: RenderTools): RenderDecision {
  const { pool } = snapshot
  const { parse, generate: generateOnce = generate } = tools
  const selection = selectMachineConfigs(pool, snapshot.configs)
  if (selection.kind === 'selectingAll') return { kind: 'ignored', actions: [selectingAll] }
  if (selection.kind === 'invalid') return failed(snapshot, 'InvalidSelector', selection.message)
  const waiting = whyWaiting(snapshot)
  const { controllerConfig } = snapshot
  if (waiting.length > 0 || !controllerConfig) {
    return { kind: 'waiting', reasons: waiting, actions: [waitEvent(waiting)] }
  }
  if (selection.kind === 'none') return failed(snapshot, 'NoMachineConfigs', nothingSelected(pool))
  const stream = streamSetOf(snapshot)
  if ('refusal' in stream) return failed(snapshot, 'StreamUnavailable', stream.refusal)
  const { version, hash } = snapshot
  const fragments = selection.configs.map(parse)
  const generation = generateOnce({ pool, fragments, controllerConfig, streamSet: stream.set, version, hash })
  if (generation.kind === 'refused') {
    return failed(snapshot, 'GenerationFailed', `could not generate rendered MachineConfig: ${generation.message}`)
  }
  return checked(snapshot, generation, stream.set, parse)
}

type Generated = Extract<Generation, { kind: 'generated' }>

const selectingAll: RenderAction = {
  kind: 'event',
  on: 'pool',
  type: 'Warning',
  reason: eventReason.selectingAll,
  message: 'This machineconfigpool is selecting all machineconfigs. A non-empty selector is required.',
}

const waitEvent = (reasons: readonly string[]): RenderAction => ({
  kind: 'event',
  on: 'pool',
  type: 'Normal',
  reason: eventReason.renderWaiting,
  message: `Rendering waits, the present rendered config stays in force: ${reasons.join('; ')}`,
})

function nothingSelected(pool: MachineConfigPool): string {
  const query = labelSelectorToQuery(pool.spec.machineConfigSelector)
  const selector = 'value' in query ? formatLabelQuery(query.value) : undefined
  return `no MachineConfigs found matching selector ${selector ?? '<none>'}`
}

function failed(snapshot: RenderSnapshot, reason: RenderFailureReason, error: string): RenderDecision {
  const message = renderFailure(snapshot.pool.metadata.name ?? '', error)
  return { kind: 'failed', reason, message, actions: conditionAction(snapshot, message) }
}

/** No action when the pool's condition says so already. */
function conditionAction({ pool, now }: RenderSnapshot, failure: string | undefined): RenderAction[] {
  const conditions = setRenderDegraded(pool.status?.conditions ?? [], failure, now)
  return conditions ? [{ kind: 'setRenderDegraded', failure }] : []
}

function streamSetOf({ pool, streams, hash }: RenderSnapshot): { set?: OSImageStreamEntry } | { refusal: string } {
  if (!streams) return {}
  const found = poolStream({ pool, worker: streams.worker, stream: streams.object, hash })
  return found.kind === 'found' ? { set: found.set } : { refusal: found.message }
}

/** A result that a node could not take is never published: the checks stand before every action. */
function checked(
  snapshot: RenderSnapshot,
  generation: Generated,
  streamSet: OSImageStreamEntry | undefined,
  parse: (config: MachineConfig) => Fragment,
): RenderDecision {
  const { pool, overrides, inspected } = snapshot
  const { rendered, ordered, overridden, merged, size } = generation
  const current = configNamed(snapshot.configs, pool.spec.configuration?.name ?? '')
  // The same name is the same content: an edited target is put back, not compared.
  if (current && current.metadata.name !== rendered.metadata.name) {
    const present = parse(current)
    const next = parse(rendered)
    const verdict = reconcilable(present, next, overrides)
    if (verdict.kind === 'irreconcilable') {
      const { message } = blameFragment(verdict, present, ordered, overrides)
      return failed(snapshot, 'Irreconcilable', `could not generate rendered MachineConfig: ${message}`)
    }
  }
  if (size.kind === 'tooLarge') return failed(snapshot, 'TooLarge', `size validation failed: ${size.message}`)
  const guard = runcGuard({
    pool: pool.metadata.name ?? '',
    rendered: { name: rendered.metadata.name ?? '', config: merged.config },
    overriddenImage: overridden ? merged.osImageURL : undefined,
    streamSet,
    inspected,
  })
  if (guard.kind === 'inspect') return guard
  if (guard.kind === 'refused') return failed(snapshot, guard.reason, guard.message)
  const actions = [...publishRendered(snapshot, generation, streamSet), ...conditionAction(snapshot, undefined)]
  return { kind: 'rendered', rendered, overridden, sizeBytes: size.bytes, nearSizeLimit: size.nearLimit, actions }
}
