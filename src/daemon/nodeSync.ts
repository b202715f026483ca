import { drainRequest, nodeAnnotation, nodeState } from '../api/names.ts'
import { emptyConfigName } from './change.ts'

/** What one look at a node takes into account; everything else is executed, not decided. */
export interface NodeSyncView {
  readonly annotations: Readonly<Record<string, string>>
  readonly deleting: boolean
  /** The config that the host says is on its disk; undefined when it has no record. */
  readonly diskConfig: string | undefined
  readonly diskImage: string
  /** Left by the config server at the first boot; undefined when absent. */
  readonly initialAnnotations: Readonly<Record<string, string>> | undefined
  readonly forceFile: boolean
  /** The machine was booted from a disk between two configs, and not since. */
  readonly bootOwed: boolean
  /** After a failure: the target that failed, and when to try it again. */
  readonly failed: { readonly target: ConfigTarget; readonly retryAt: Date } | undefined
  readonly now: Date
}

export interface ConfigTarget {
  readonly config: string
  /** The image built in the cluster for the pool; empty for none. */
  readonly image: string
}

export type NodeSyncDecision =
  | { readonly kind: 'ignore'; readonly because: string }
  /** The first annotations of this node. */
  | { readonly kind: 'introduce'; readonly annotations: Readonly<Record<string, string>>; readonly because: string }
  /** Neither the node nor its disk knows a config. */
  | { readonly kind: 'firstContact' }
  | { readonly kind: 'awaitDrain'; readonly target: ConfigTarget }
  | { readonly kind: 'awaitRetry'; readonly until: Date; readonly target: ConfigTarget }
  | {
      readonly kind: 'update'
      readonly from: ConfigTarget
      readonly to: ConfigTarget
      readonly force: boolean
      readonly because: string
    }
  /** The disk says that it is there: verify, give the node back, report. */
  | { readonly kind: 'finish'; readonly target: ConfigTarget; readonly because: string }
  /** The disk is there, and what runs is not from it. */
  | { readonly kind: 'bootAgain'; readonly target: ConfigTarget }
  | { readonly kind: 'idle'; readonly target: ConfigTarget }

/**
 * What a daemon does next about its node; pure. The disk wins over the annotations (a restored etcd may be older than
 * the disk). Rules: spec daemon 2.1-2.4.
 */
export function decideNodeSync(view: NodeSyncView): NodeSyncDecision {
  const { annotations, forceFile, bootOwed, failed, now } = view
  if (view.deleting) return { kind: 'ignore', because: 'the Node is being deleted' }
  if (!annotations[nodeAnnotation.currentConfig]) return introduce(view)
  const work = prepareSync(view)
  if (work.kind === 'none' && !bootOwed) {
    return forceFile
      ? { kind: 'update', from: work.target, to: work.target, force: true, because: 'the force file exists' }
      : { kind: 'idle', target: work.target }
  }
  const { from, to, because } =
    work.kind === 'update' ? work : { from: work.target, to: work.target, because: 'a boot is owed' }
  if (isDrainPending(annotations, to)) return { kind: 'awaitDrain', target: to }
  const changes = !sameTarget(from, to)
  if (failed && sameTarget(failed.target, to) && !forceFile && isPaced(failed.retryAt, now)) {
    // Being where it should be again is not a retry of what failed, but another request to boot is.
    if (changes || bootOwed) return { kind: 'awaitRetry', until: failed.retryAt, target: to }
  }
  if (forceFile) return { kind: 'update', from, to, force: true, because: 'the force file exists' }
  if (changes) return { kind: 'update', from, to, force: false, because }
  return bootOwed ? { kind: 'bootAgain', target: to } : { kind: 'finish', target: to, because }
}

/** No pause is longer than this: when it seems to be, the clock was set back meanwhile. */
export const retryCapMs = 30 * 60_000

/** Whether the pause after a failure still lasts. */
export function isPaced(retryAt: Date, now: Date): boolean {
  const restMs = retryAt.getTime() - now.getTime()
  return restMs > 0 && restMs <= retryCapMs
}

export type SyncWork =
  | { readonly kind: 'none'; readonly target: ConfigTarget }
  | { readonly kind: 'update'; readonly from: ConfigTarget; readonly to: ConfigTarget; readonly because: string }

/**
 * The table of spec daemon 2.2: nothing to do only when disk and annotation agree on the config, the desired config and
 * image are the ones on disk, and the state is Done. Otherwise always from what is on the disk.
 */
export function prepareSync({
  annotations,
  diskConfig,
  diskImage,
}: Pick<NodeSyncView, 'annotations' | 'diskConfig' | 'diskImage'>): SyncWork {
  const current = annotations[nodeAnnotation.currentConfig] ?? ''
  const desired = annotations[nodeAnnotation.desiredConfig] || current
  const image = annotations[nodeAnnotation.desiredImage] ?? ''
  const from = {
    config: diskConfig ?? current,
    image: diskConfig === undefined ? (annotations[nodeAnnotation.currentImage] ?? '') : diskImage,
  }
  const to = { config: desired, image }
  const update = (because: string): SyncWork => ({ kind: 'update', from, to, because })
  if (diskConfig === undefined && current !== emptyConfigName)
    return update('the disk has no record of the applied config')
  if (diskConfig !== undefined && diskConfig !== current)
    return update(`the disk has ${diskConfig}, the annotation says ${current}`)
  if (desired !== current) return update(`desired config is ${desired}`)
  if (from.image !== to.image) return update(`desired image is ${to.image || 'none'}`)
  if (annotations[nodeAnnotation.state] !== nodeState.done)
    return update(`state is ${annotations[nodeAnnotation.state] || 'not set'}`)
  if ((annotations[nodeAnnotation.currentImage] ?? '') !== from.image)
    return update('the annotation does not name the image on disk')
  return { kind: 'none', target: to }
}

export const sameTarget = (a: ConfigTarget, b: ConfigTarget): boolean => a.config === b.config && a.image === b.image

export const drainRequestFor = (config: string): string => `${drainRequest.drainPrefix}${config}`
export const uncordonRequestFor = (config: string): string => `${drainRequest.uncordonPrefix}${config}`

function introduce({ initialAnnotations, diskConfig, diskImage }: NodeSyncView): NodeSyncDecision {
  if (initialAnnotations)
    return {
      kind: 'introduce',
      annotations: initialAnnotations,
      because: 'the config server left initial annotations on the disk',
    }
  if (diskConfig === undefined) return { kind: 'firstContact' }
  const image =
    diskImage === '' ? {} : { [nodeAnnotation.currentImage]: diskImage, [nodeAnnotation.desiredImage]: diskImage }
  const annotations = {
    [nodeAnnotation.currentConfig]: diskConfig,
    [nodeAnnotation.desiredConfig]: diskConfig,
    ...image,
  }
  return { kind: 'introduce', annotations, because: `the disk has ${diskConfig}` }
}

/** Only a request for this very target: one for a target that was withdrawn is replaced, not waited for. */
function isDrainPending(annotations: Readonly<Record<string, string>>, { config }: ConfigTarget): boolean {
  const wanted = annotations[nodeAnnotation.desiredDrain] ?? ''
  const applied = annotations[nodeAnnotation.lastAppliedDrain] ?? ''
  return wanted !== applied && (wanted === drainRequestFor(config) || wanted === uncordonRequestFor(config))
}
