import { bootMs, type JoinRecord } from '../../forecast/joinRecords.ts'
import type { Served } from '../admission.ts'

/** What was served and is not written yet: the requests of one boot are one record from the start. */
export class UnwrittenJoins {
  #joins = new Map<string, Join>()
  readonly #most: number

  /** Beyond `most`, the oldest are forgotten. */
  constructor(most: number) {
    this.#most = most
  }

  /** On the path of every request. */
  add({ pool, config, remoteAddress: address, identity, at }: Served): void {
    const join: Join = { pool, address, config, firstAt: at, lastAt: at, requests: 1 }
    if (identity?.kind === 'token') join.token = identity.name
    if (identity?.machine !== undefined) join.machine = identity.machine
    // With the token: a boot that shows another one is a use of both.
    this.#merge(`${pool} ${address} ${join.token}`, join)
  }

  /** All of them, the oldest first. They are no longer held here. */
  take(): ReadonlyMap<string, JoinRecord> {
    const taken = this.#joins
    this.#joins = new Map()
    return taken
  }

  /** What was taken and could not be written. It is older than everything that has come since. */
  putBack(taken: ReadonlyMap<string, JoinRecord>): void {
    const since = this.#joins
    this.#joins = new Map(taken)
    for (const [key, join] of since) this.#merge(key, join)
  }

  #merge(key: string, join: Join): void {
    const known = this.#joins.get(key)
    if (known && join.firstAt.getTime() - known.firstAt.getTime() < bootMs) {
      known.lastAt = join.lastAt
      known.config = join.config
      known.requests += join.requests
      return
    }
    if (known) {
      this.#joins.delete(key)
      this.#joins.set(`${key} ${known.firstAt.getTime()}`, known)
    }
    this.#joins.set(key, join)
    for (const oldest of this.#joins.keys()) {
      if (this.#joins.size <= this.#most) return
      this.#joins.delete(oldest)
    }
  }
}

type Join = { -readonly [member in keyof JoinRecord]: JoinRecord[member] }
