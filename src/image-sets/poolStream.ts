import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { osImageStreamAnnotation, poolName } from '../api/names.ts'
import type { OSImageStream, OSImageStreamEntry } from '../api/osImageStream.ts'
import { findStreamSet } from './streamSet.ts'

type StreamNameView = Pick<MachineConfigPool, 'metadata' | 'spec'>

const standardPools: ReadonlySet<string> = new Set(Object.values(poolName))

/**
 * The stream that a pool asks for: its own, else for a custom pool the worker pool's, else "" (the default stream).
 * master, worker and arbiter never inherit (spec: render 6.2).
 */
export function streamNameOf(pool: StreamNameView, worker: StreamNameView | undefined): string {
  const own = pool.spec.osImageStream?.name ?? ''
  if (own !== '' || standardPools.has(pool.metadata.name ?? '')) return own
  return worker?.spec.osImageStream?.name ?? ''
}

export interface PoolStreamInput {
  readonly pool: StreamNameView
  readonly worker: StreamNameView | undefined
  readonly stream: OSImageStream | undefined
  /** Build hash of the running controller: an object stamped by another build is not used, to not mix versions. */
  readonly hash: string
}

export type PoolStream =
  | { readonly kind: 'found'; readonly set: OSImageStreamEntry }
  | { readonly kind: 'refused'; readonly message: string }

/** The images that a pool's stream stands for, in a cluster that uses OS image streams. */
export function poolStream({ pool, worker, stream, hash }: PoolStreamInput): PoolStream {
  const name = pool.metadata.name ?? ''
  if (!stream) {
    return refused(
      `could not get OSImageStream for pool ${name}: osimagestreams.machineconfiguration.openshift.io "cluster" not found`,
    )
  }
  const stamped = stream.metadata.annotations?.[osImageStreamAnnotation.releaseImageVersion]
  if (stamped === undefined) {
    return refused(
      `ignoring OSImageStream without ${osImageStreamAnnotation.releaseImageVersion} annotation (my version: ${hash})`,
    )
  }
  if (stamped !== hash) return refused(`ignoring OSImageStream with version ${stamped} (my version: ${hash})`)
  const found = findStreamSet(stream, streamNameOf(pool, worker))
  if (found.kind === 'found') return found
  return refused(`could not get OSImageStreamSet for pool ${name}: ${found.message}`)
}

const refused = (message: string): PoolStream => ({ kind: 'refused', message })
