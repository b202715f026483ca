import type { ServedVersion } from './acceptHeader.ts'
import type { Bodies, ReadyBody } from './answerRequest.ts'
import { readyBody } from './readyBody.ts'
import { type ServeSnapshot, type ServeStyle, serveDocument } from './servedConfig.ts'
import type { ServeFailure } from './serveFailure.ts'

/** What each pool's documents are made of, at this moment. */
export interface SnapshotSource {
  /** Another number whenever a snapshot may be another one: comparing it is all that most requests cost. */
  generation(): number
  snapshotOf(pool: string): PoolSnapshot | ServeFailure
}

export interface PoolSnapshot {
  readonly kind: 'chosen'
  readonly snapshot: ServeSnapshot
  readonly source: 'spec' | 'status'
  /** Equal keys mean equal documents: names and resource versions of everything in the snapshot. */
  readonly key: string
}

/** Answers at once. */
interface PreparedBodies extends Bodies {
  find(pool: string, version: ServedVersion): ReadyBody | ServeFailure
}

export interface PreparedBodiesOptions {
  readonly source: SnapshotSource
  readonly style: ServeStyle
  /** The oldest bodies are made anew beyond this. */
  readonly maxBytes?: number
  readonly onPrepared?: (prepared: PreparedBody) => void
}

interface PreparedBody {
  readonly pool: string
  readonly version: ServedVersion
  readonly config: string
  readonly bytes: number
}

/** Makes each document once, and again only when what it is made of has changed. */
export function preparedBodies({
  source,
  style,
  maxBytes = 256 << 20,
  onPrepared,
}: PreparedBodiesOptions): PreparedBodies {
  const entries = new Map<string, Entry>()
  let heldBytes = 0

  function prepare(pool: string, version: ServedVersion, generation: number): ReadyBody | ServeFailure {
    const name = `${pool}/${version}`
    const known = entries.get(name)
    const chosen = source.snapshotOf(pool)
    if (chosen.kind === 'failed') {
      // Also what was good once: a pool that is gone must not be served.
      if (known) forget(name, known)
      return chosen
    }
    if (known?.key === chosen.key) {
      known.generation = generation
      return known.result
    }
    if (known) forget(name, known)
    const result = make(chosen.snapshot, version)
    const bytes = result.kind === 'ready' ? result.body.length : 0
    for (const [oldest, entry] of entries) {
      if (heldBytes + bytes <= maxBytes) break
      forget(oldest, entry)
    }
    entries.set(name, { generation, key: chosen.key, result, bytes })
    heldBytes += bytes
    onPrepared?.({ pool, version, config: chosen.snapshot.config, bytes })
    return result
  }

  function make(snapshot: ServeSnapshot, version: ServedVersion): ReadyBody | ServeFailure {
    const document = serveDocument(snapshot, version, style)
    return document.kind === 'failed' ? document : readyBody(snapshot.config, document.text, document.secretPaths)
  }

  function forget(name: string, { bytes }: Entry): void {
    entries.delete(name)
    heldBytes -= bytes
  }

  return {
    find(pool, version) {
      const generation = source.generation()
      const known = entries.get(`${pool}/${version}`)
      return known?.generation === generation ? known.result : prepare(pool, version, generation)
    },
  }
}

interface Entry {
  generation: number
  readonly key: string
  /** A failure too: a config that a version cannot express is not tried anew for every request. */
  readonly result: ReadyBody | ServeFailure
  readonly bytes: number
}
