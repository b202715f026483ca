import type { IncomingHttpHeaders } from 'node:http'

/**
 * Who may have a pool's config. The server asks its gate once per request for `/config/POOL`, after method and Accept have been
 * found to be servable and before anything is looked up, so that a refusal tells nothing about which pools exist.
 *
 * A gate answers from memory: it is on the path of every request of a boot storm. What it needs from the API, it keeps in a cache.
 */
export interface Gate {
  judge(request: ServeRequest): ServeDecision | Promise<ServeDecision>
}

/** What a gate may look at. Headers and URL carry credentials: they must not reach a log, an event or an error. */
export interface ServeRequest {
  readonly pool: string
  /** The peer's IP address; an IPv4 address is never in its IPv6-mapped form. */
  readonly remoteAddress: string
  readonly headers: IncomingHttpHeaders
  /** Path and query, as the client sent them. */
  readonly url: string
  readonly now: Date
}

/**
 * Ignition ends at a 401 or 403 (somebody must look at the machine) and tries again after a 503, so what may still change by itself,
 * a token that has not been synchronised yet for instance, is a 503. The reason is a stable word: it is the value of the answer's
 * `X-Machine-Config-Error` header, a metric label and a field of the request log, and must not carry a credential.
 */
export type ServeDecision =
  | { readonly kind: 'serve'; readonly identity?: ServeIdentity }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 503; readonly reason: string }

/** Whom the gate recognised, for the audit log and the event: never the credential itself. */
export interface ServeIdentity {
  /** For instance `token`. */
  readonly kind: string
  /** The name of the token's record, not the token. */
  readonly name: string
  /** The machine that the credential was made for, when it was made for one. */
  readonly machine?: string
}

/** One config that has been sent completely. */
export interface Served {
  readonly pool: string
  /** Name of the rendered config. */
  readonly config: string
  /** Ignition version of the document. */
  readonly version: string
  readonly remoteAddress: string
  readonly userAgent: string
  readonly identity?: ServeIdentity
  readonly at: Date
}

/** Called after a GET's body has been handed to the network; must not throw and must not wait. */
export type OnServed = (served: Served) => void

/** Serves whoever asks, as the original does. Configs with files marked secret are held back by the server itself. */
export const openGate: Gate = { judge: () => ({ kind: 'serve' }) }
