import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../../kube/log.ts'
import type { Gate, ServeDecision, ServeRequest } from '../admission.ts'
import type { BootLedger } from './bootLedger.ts'
import { judgeToken, type TokenRefusal, type TokenVerdict } from './judgeToken.ts'
import type { TokenSource } from './tokenSource.ts'
import { parseTokenText } from './tokenText.ts'

/**
 * What a config costs: `token` a valid token; `warn` nothing, but whoever has no valid token is told of and gets no identity,
 * for the time in which pointers without a token are still about; `open` nothing at all, as with the original.
 */
export const accessModes = ['token', 'warn', 'open'] as const
export type AccessMode = (typeof accessModes)[number]

/** What the gate counts, as a port; the process that exposes metrics builds the series. */
export interface AccessMetrics {
  /** The mode in force: `open` and `warn` are worth an alert. */
  mode(mode: AccessMode): void
  /** A request without a valid token; `served` when the mode let it pass. */
  withoutToken(reason: TokenRefusal, served: boolean): void
}

const noAccessMetrics: AccessMetrics = { mode: () => undefined, withoutToken: () => undefined }

export interface TokenGateOptions {
  readonly mode: AccessMode
  readonly tokens: TokenSource
  readonly ledger: BootLedger
  readonly log: Log
  readonly metrics?: AccessMetrics
}

/** The server's gate for join tokens. Neither token nor URL ever leave it. */
export function tokenGate({ mode, tokens, ledger, log, metrics = noAccessMetrics }: TokenGateOptions): Gate {
  metrics.mode(mode)
  if (mode !== 'token')
    log.warn('machine configs are served to whoever asks: everybody who reaches this port can read what is in them', {
      mode,
      remedy: 'give the pointers a token (mco token create), then start with mode token',
    })
  return {
    judge(request) {
      if (mode === 'open') return { kind: 'serve' }
      const verdict = judgeRequest(request, tokens, ledger)
      if (verdict.kind === 'valid') {
        ledger.admit(verdict.record.id, request.remoteAddress, request.now)
        return servedTo(verdict.record)
      }
      const { status, reason } = verdict
      metrics.withoutToken(reason, mode === 'warn')
      if (mode === 'token') return { kind: 'refuse', status, reason }
      log.warn('a config is served without a valid token', {
        pool: request.pool,
        remoteAddress: request.remoteAddress,
        reason,
      })
      return { kind: 'serve' }
    },
  }
}

function servedTo({ id, machine }: { readonly id: string; readonly machine?: string }): ServeDecision {
  const identity = machine === undefined ? { kind: 'token', name: id } : { kind: 'token', name: id, machine }
  return { kind: 'serve', identity }
}

function judgeRequest(request: ServeRequest, tokens: TokenSource, ledger: BootLedger): TokenVerdict {
  const text = shownToken(request.headers, request.url)
  if (text === undefined) return { kind: 'refused', status: 401, reason: 'TokenMissing' }
  const shown = parseTokenText(text)
  if (!shown) return { kind: 'refused', status: 401, reason: 'TokenMalformed' }
  const knowledge = {
    found: tokens.find(shown.id),
    isSynced: tokens.isSynced(),
    admitted: ledger.of(shown.id, request.now),
  }
  return judgeToken(shown, request, knowledge, request.now)
}

/** The header, or for clients that cannot send one (specification 2 and 3.0) the parameter `token` of the URL. */
export function shownToken({ authorization }: IncomingHttpHeaders, url: string): string | undefined {
  const fromHeader = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1]
  if (fromHeader !== undefined) return fromHeader
  const query = url.indexOf('?')
  return (query < 0 ? undefined : new URLSearchParams(url.slice(query)).get('token')) ?? undefined
}
