import type { IncomingHttpHeaders } from 'node:http'
import { negotiateVersion, type ServedVersion } from './acceptHeader.ts'
import type { Gate, ServeIdentity } from './admission.ts'
import { routeOf } from './route.ts'
import type { ServeFailure } from './serveFailure.ts'

export interface ConfigRequest {
  readonly method: string
  /** As it stands in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
}

/** A body that is sent as it is. */
export interface ReadyBody {
  readonly kind: 'ready'
  readonly body: Buffer
  /** Name of the rendered config. */
  readonly config: string
  /** Of a 200, made once. */
  readonly headers: ConfigHeaders
  /** Files in it whose contents somebody marked as secret. */
  readonly secretPaths: readonly string[]
}

type ConfigHeaders = {
  readonly 'Content-Type': 'application/json'
  readonly 'Content-Length': number
  readonly ETag: string
}

/** Where bodies come from: a cluster's cache, a directory. Answers from memory when it can. */
export interface Bodies {
  find(pool: string, version: ServedVersion): ReadyBody | ServeFailure | Promise<ReadyBody | ServeFailure>
}

export interface AnswerPorts {
  readonly bodies: Bodies
  readonly gate: Gate
  readonly now: () => Date
  readonly isReady: () => boolean
  /** Serve what is marked as secret also to clients that nobody recognised. */
  readonly allowsOpenSecrets: boolean
}

/** One answer, with what the log and the metrics say about it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  /** Left out on the wire for HEAD. */
  readonly body?: Buffer
  readonly subject: AnswerSubject
}

export interface AnswerSubject {
  readonly kind: 'config' | 'probe' | 'other'
  readonly pool?: string
  readonly version?: ServedVersion
  /** Set when it was served. */
  readonly config?: string
  readonly identity?: ServeIdentity
  /** Stable word; absent on success. */
  readonly reason?: string
  /** For the log of the server only. */
  readonly message?: string
}

/**
 * Answers one request. A failure's body is empty and a header holds the reason word, because a machine that waits for its config has
 * nobody to show a text to.
 */
export function answerRequest(request: ConfigRequest, ports: AnswerPorts): Answer | Promise<Answer> {
  const route = routeOf(request.method, request.target)
  switch (route.kind) {
    case 'config':
      return answerConfig(route.pool, request, ports)
    case 'health':
      return empty(200, { kind: 'probe' })
    case 'ready':
      return ports.isReady() ? empty(200, { kind: 'probe' }) : empty(503, { kind: 'probe', reason: 'NotSynchronised' })
    case 'redirect':
      return redirect(request.method, route.location)
    case 'nothing':
      return empty(404, { kind: 'other', reason: 'NoSuchPath' })
    case 'badMethod':
      return empty(405, { kind: 'other', reason: 'MethodNotAllowed' })
    case 'badRequest':
      return empty(400, { kind: 'other', reason: 'BadRequestTarget' })
    default:
      return route satisfies never
  }
}

function answerConfig(pool: string, request: ConfigRequest, ports: AnswerPorts): Answer | Promise<Answer> {
  const negotiation = negotiated(request.headers.accept)
  if (negotiation.kind === 'refused') {
    const { message } = negotiation
    return empty(400, { kind: 'config', pool, reason: 'IgnitionVersionNotSupported', message })
  }
  const { version } = negotiation
  const { remoteAddress, headers, target: url } = request
  const decision = ports.gate.judge({ pool, remoteAddress, headers, url, now: ports.now() })
  if (decision instanceof Promise) return decision.then((late) => afterGate(late))
  return afterGate(decision)

  function afterGate(judged: Awaited<typeof decision>): Answer | Promise<Answer> {
    if (judged.kind === 'refuse') {
      return empty(judged.status, { kind: 'config', pool, version, reason: judged.reason })
    }
    const found = ports.bodies.find(pool, version)
    const { identity } = judged
    const subject: ConfigSubject = identity
      ? { kind: 'config', pool, version, identity }
      : { kind: 'config', pool, version }
    const known = headers['if-none-match']
    const answer = (body: ReadyBody | ServeFailure) => answerFound(body, subject, known, ports.allowsOpenSecrets)
    return found instanceof Promise ? found.then(answer) : answer(found)
  }
}

type ConfigSubject = Required<Pick<AnswerSubject, 'kind' | 'pool' | 'version'>> & Pick<AnswerSubject, 'identity'>

function answerFound(
  found: ReadyBody | ServeFailure,
  subject: ConfigSubject,
  knownEtag: string | undefined,
  allowsOpenSecrets: boolean,
): Answer {
  if (found.kind === 'failed') {
    const { status, reason, message } = found
    return empty(status, { ...subject, reason, message })
  }
  const { body, config, headers, secretPaths } = found
  if (secretPaths.length > 0 && !subject.identity && !allowsOpenSecrets) {
    const message = `config ${config} holds files marked as secret (${secretPaths.join(', ')}), which are not served to clients without a token: give the pointers a token, or allow it with --serve-secrets-openly`
    return empty(503, { ...subject, reason: 'SecretsInOpenMode', message })
  }
  if (knownEtag === headers.ETag) return { status: 304, headers: { ETag: headers.ETag }, subject }
  const { kind, pool, version, identity } = subject
  const served = identity ? { kind, pool, version, config, identity } : { kind, pool, version, config }
  return { status: 200, headers, body, subject: served }
}

/** Clients of one kind send one header: what it means is worked out once. */
const known = new Map<string, ReturnType<typeof negotiateVersion>>()
const knownLimit = 64

function negotiated(accept = ''): ReturnType<typeof negotiateVersion> {
  const before = known.get(accept)
  if (before) return before
  const negotiation = negotiateVersion(accept)
  if (known.size < knownLimit && accept.length <= 256) known.set(accept, negotiation)
  return negotiation
}

function empty(status: number, subject: AnswerSubject): Answer {
  const reason = subject.reason === undefined ? {} : { 'X-Machine-Config-Error': subject.reason }
  return { status, headers: { 'Content-Length': 0, ...reason }, subject }
}

function redirect(method: string, location: string): Answer {
  const subject: AnswerSubject = { kind: 'other' }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 307, headers: { Location: location, 'Content-Length': 0 }, subject }
  const body = Buffer.from(`<a href="${escapeHtml(location)}">Temporary Redirect</a>.\n\n`)
  const headers = { 'Content-Length': body.length, 'Content-Type': 'text/html; charset=utf-8', Location: location }
  return { status: 307, headers, body, subject }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
