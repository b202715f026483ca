import { Lease } from '../api/coordination.ts'
import type { Random } from './backOff.ts'
import type { Clock } from './clock.ts'
import { decideLease, heldLease, type LeaseCandidate, releasedLease, type Sighting } from './decideLease.ts'
import { messageOf } from './errors.ts'
import { isAlreadyExists, isConflict, isNotFound, type KubeApi, type ObjectKey } from './kubeApi.ts'
import { type LinkedAbort, linkedAbort } from './linkedAbort.ts'
import { type Log, silentLog } from './log.ts'
import { type KubeMetrics, noMetrics } from './metrics.ts'

export interface LeaderElectionOptions {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  readonly lease: Required<ObjectKey>
  /** Different for every process, also on one host: `<hostname>_<uuid>`. */
  readonly identity: string
  /** Others may take over when they have seen no renewal for this long. */
  readonly leaseDurationMs?: number
  /** The holder stops its work when it could not renew for this long. */
  readonly renewDeadlineMs?: number
  readonly retryPeriodMs?: number
  readonly log?: Log
  readonly metrics?: KubeMetrics
}

/** `finished`: the work ended by itself. `stopped`: by the caller's signal. `lost`: the lease, and so the work. */
export type Leadership = 'finished' | 'stopped' | 'lost'

/**
 * Runs `work` while we hold the lease, and at no other time: its signal aborts when the lease is lost, a good while
 * before anybody else may take over, and the lease is given back only after the work has ended.
 */
export async function runAsLeader(
  options: LeaderElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Leadership> {
  const election = new Election(options)
  try {
    await election.acquire(signal)
  } catch (error) {
    if (signal.aborted) return 'stopped'
    throw error
  }
  return await election.lead(work, signal)
}

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

class Election {
  readonly #options: LeaderElectionOptions
  readonly #me: LeaseCandidate
  readonly #renewDeadlineMs: number
  readonly #retryPeriodMs: number
  readonly #log: Log
  readonly #metrics: KubeMetrics
  readonly #name: string
  /** As we last read or wrote it. */
  #lease: Lease | undefined
  #sighting: Sighting | undefined
  #renewedMs = 0
  #holder = ''

  constructor(options: LeaderElectionOptions) {
    const { leaseDurationMs = 137_000, renewDeadlineMs = 107_000, retryPeriodMs = 26_000, identity, lease } = options
    if (!(leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs * jitter && retryPeriodMs > 0)) {
      throw new Error(
        `leader election: lease ${leaseDurationMs} ms, renew deadline ${renewDeadlineMs} ms, retry ${retryPeriodMs} ms; ` +
          `expected lease > deadline > ${jitter} x retry > 0`,
      )
    }
    this.#options = options
    this.#me = { identity, durationMs: leaseDurationMs }
    this.#renewDeadlineMs = renewDeadlineMs
    this.#retryPeriodMs = retryPeriodMs
    this.#log = options.log ?? silentLog
    this.#metrics = options.metrics ?? noMetrics
    this.#name = lease.name
  }

  async acquire(signal: AbortSignal): Promise<void> {
    this.#metrics.leader(this.#name, false)
    for (;;) {
      const call = linkedAbort(signal)
      try {
        if (await this.#tryToHold(call.signal)) return
      } catch (error) {
        if (signal.aborted) throw error
        this.#log.warn('taking the leader lease failed', { lease: this.#name, error: messageOf(error) })
      } finally {
        call.release()
      }
      await this.#pause(signal)
    }
  }

  async lead(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<Leadership> {
    this.#log.info('leading', { lease: this.#name, identity: this.#me.identity })
    this.#metrics.leader(this.#name, true)
    const working = linkedAbort(signal)
    const renewing = linkedAbort(signal)
    const renewal = this.#keep(renewing.signal).catch((error: unknown) => {
      if (!renewing.signal.aborted) working.abort(error)
    })
    try {
      await endOfWork(work, working)
    } finally {
      renewing.abort(new Error('the work has ended'))
      await renewal
      renewing.release()
      working.release()
      this.#metrics.leader(this.#name, false)
      if (working.signal.reason instanceof LeaseLost) this.#logLoss(working.signal.reason)
      else await this.#release()
    }
    if (working.signal.reason instanceof LeaseLost) return 'lost'
    return signal.aborted ? 'stopped' : 'finished'
  }

  /** Renews until the signal aborts; throws when the lease is lost. */
  async #keep(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#pause(signal, this.#leftMs())
      if (this.#leftMs() <= 0) throw this.#deadlinePassed()
      await this.#renewWithin(this.#leftMs(), signal)
    }
  }

  #leftMs(): number {
    return this.#renewedMs + this.#renewDeadlineMs - this.#nowMs()
  }

  #deadlinePassed(): LeaseLost {
    return new LeaseLost(`no renewal for ${this.#renewDeadlineMs} ms`)
  }

  /** A renewal that hangs must not keep the work alive beyond the deadline. */
  async #renewWithin(leftMs: number, signal: AbortSignal): Promise<void> {
    const attempt = linkedAbort(signal)
    const timer = linkedAbort(signal)
    const lost = this.#deadlinePassed()
    const deadline = this.#options.clock.sleep(leftMs, timer.signal).then(
      () => attempt.abort(lost),
      () => undefined, // the attempt ended first
    )
    try {
      if (!(await this.#tryToHold(attempt.signal))) throw new LeaseLost(`now held by ${this.#holder}`)
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) throw error
      if (attempt.signal.aborted) throw lost
      this.#log.warn('renewing the leader lease failed', { lease: this.#name, error: messageOf(error) })
    } finally {
      timer.abort(new Error('the attempt has ended'))
      await deadline
      timer.release()
      attempt.release()
    }
  }

  /** One read, one decision, at most one write. True when the lease is ours until the next renewal is due. */
  async #tryToHold(signal: AbortSignal): Promise<boolean> {
    const { kube, lease: key, clock } = this.#options
    this.#see(await getOrAbsent(kube, key, signal))
    const now = clock.now()
    const decision = decideLease(this.#lease, this.#sighting, this.#me, now.getTime())
    if (decision.kind === 'wait') {
      this.#noteHolder(decision.holder)
      return false
    }
    const held = heldLease(this.#lease ?? { metadata: key }, this.#me, decision, now)
    try {
      this.#see(this.#lease ? await kube.update(Lease, held, { signal }) : await kube.create(Lease, held, { signal }))
    } catch (error) {
      // Somebody else wrote between our read and our write; the next attempt finds out who.
      if (!isConflict(error) && !isAlreadyExists(error)) throw error
      return this.#renewedMs > 0 && (await this.#isStillOurs(signal))
    }
    // From before the write: the others count from when they see it, which is later.
    this.#renewedMs = now.getTime()
    this.#noteHolder(this.#me.identity)
    return true
  }

  async #isStillOurs(signal: AbortSignal): Promise<boolean> {
    const { kube, lease: key } = this.#options
    this.#see(await getOrAbsent(kube, key, signal))
    this.#noteHolder(this.#lease?.spec?.holderIdentity ?? '')
    return this.#holder === this.#me.identity
  }

  #see(lease: Lease | undefined): void {
    this.#lease = lease
    const resourceVersion = lease?.metadata.resourceVersion
    if (resourceVersion !== undefined && resourceVersion !== this.#sighting?.resourceVersion) {
      this.#sighting = { resourceVersion, atMs: this.#nowMs() }
    }
  }

  async #release(): Promise<void> {
    if (!this.#lease) return
    const { kube, clock } = this.#options
    const limit = new AbortController()
    const timer = new AbortController()
    const timeout = clock.sleep(releaseMs, timer.signal).then(
      () => limit.abort(new Error(`no answer within ${releaseMs} ms`)),
      () => undefined, // released in time
    )
    try {
      await kube.update(Lease, releasedLease(this.#lease, clock.now()), { signal: limit.signal })
    } catch (error) {
      this.#log.warn('the leader lease was not released; others wait until it expires', {
        lease: this.#name,
        error: messageOf(error),
      })
    } finally {
      timer.abort()
      await timeout
    }
  }

  #noteHolder(holder: string): void {
    if (holder === this.#holder) return
    this.#holder = holder
    this.#log.info('the leader lease changed hands', { lease: this.#name, holder })
  }

  #logLoss(loss: LeaseLost): void {
    this.#log.error('the leader lease is lost', { lease: this.#name, error: loss.message })
  }

  async #pause(signal: AbortSignal, atMostMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { clock, random } = this.#options
    const pauseMs = Math.round(this.#retryPeriodMs * (1 + (jitter - 1) * random()))
    await clock.sleep(Math.min(pauseMs, atMostMs), signal)
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime()
  }
}

/** Retries are spread over this factor, so that candidates do not collide for ever. */
const jitter = 1.2
const releaseMs = 5_000

async function endOfWork(work: (signal: AbortSignal) => Promise<void>, working: LinkedAbort): Promise<void> {
  try {
    await work(working.signal)
  } catch (error) {
    if (!working.signal.aborted) throw error
  }
}

async function getOrAbsent(kube: KubeApi, key: ObjectKey, signal: AbortSignal): Promise<Lease | undefined> {
  try {
    return await kube.get(Lease, key, { signal })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
