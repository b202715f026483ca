import { Secret } from '../api/core.ts'
import { operatorNamespace } from '../api/names.ts'
import { pairOf } from '../certificates/certificateSecret.ts'
import { startStatusServer } from '../daemon/statusServer.ts'
import type { Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import { startEventRecorder } from '../kube/eventRecorder.ts'
import { createInformers, type Informers } from '../kube/informers.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { noMetrics } from '../kube/metrics.ts'
import type { OnServed } from './admission.ts'
import { clusterSource, isOptionalKind, scopeOfKind } from './clusterSource.ts'
import { type ConfigService, type ListenAddress, type ServiceLimits, startConfigService } from './configService.ts'
import { credentialDirectory } from './joinCredentials.ts'
import type { JoinFormat } from './joinFiles.ts'
import type { JoinChoice } from './joinSource.ts'
import { joinReporter } from './joins/joinReporter.ts'
import { auditEventLimits, servedEvents } from './joins/servedEvents.ts'
import { keepSnapshots, openKeptSnapshots, withKeptSnapshots } from './keptSnapshots.ts'
import { keepTokens, openKeptTokens, withKeptTokens } from './keptTokens.ts'
import { preparedBodies } from './preparedBodies.ts'
import { accessMetrics, addGauges, bootMetrics } from './processMetrics.ts'
import type { JoinFile, ServeStyle } from './servedConfig.ts'
import { serverMetricsPage } from './serverMetrics.ts'
import {
  type CertificateFiles,
  type CertificateHolder,
  certificateHolder,
  followFiles,
  readPair,
} from './servingCertificate.ts'
import type { TlsSettings } from './tlsSettings.ts'
import { BootLedger } from './tokens/bootLedger.ts'
import { type AccessMode, tokenGate } from './tokens/tokenGate.ts'
import { watchTokens } from './tokens/tokenSource.ts'

export interface ServerProcessOptions {
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly listen: ServerAddresses
  readonly certificate: CertificateOrigin
  readonly tls: TlsSettings
  readonly access: AccessMode
  readonly allowsOpenSecrets: boolean
  readonly join: JoinOrigin
  readonly style: ServeStyle
  readonly limits?: Partial<ServiceLimits>
  /** Where the last known configs are kept; undefined keeps none. */
  readonly keepDirectory?: string
  /** Where `/healthz` and `/metrics` are answered. */
  readonly status: { readonly host: string; readonly port: number }
  readonly onServed?: OnServed
  /** Called once, when everything listens. */
  readonly onListening?: (urls: readonly string[]) => void
}

type JoinOrigin =
  /** A mounted Secret, which is read again and again. */
  | {
      readonly kind: 'directory'
      readonly directory: string
      readonly format: JoinFormat
      readonly apiServerUrl: string
    }
  | { readonly kind: 'fixed'; readonly files: readonly JoinFile[] }

interface ServerAddresses {
  readonly host?: string
  readonly securePort: number
  /** Plain HTTP: everybody on the way reads what is served. */
  readonly insecurePort?: number
}

type CertificateOrigin =
  /** The join tokens may then be in a namespace of their own, so that the server sees no other Secret. */
  | ({ readonly kind: 'files'; readonly tokenNamespace?: string } & CertificateFiles)
  /** A TLS Secret of the operator's namespace, beside the tokens; the server listens when it is there. */
  | { readonly kind: 'secret'; readonly name: string }

/** An API server that is away must not hold up the end of the process. */
const lastEventsMs = 1000

/** The config server of a running cluster, until the signal. */
export async function runServerProcess(options: ServerProcessOptions, signal: AbortSignal): Promise<void> {
  const { kube, clock, random, log, keepDirectory, access, certificate } = options
  const onlyTokens = certificate.kind === 'files'
  const tokenNamespace = (onlyTokens ? certificate.tokenNamespace : undefined) ?? operatorNamespace
  const stop = new AbortController()
  const page = serverMetricsPage()
  const alive = new Map<string, Date>()
  const informers = createInformers({
    kube,
    clock,
    random,
    log,
    signal: stop.signal,
    scopeOf: (kind) => scopeOfKind(kind, { tokenNamespace, onlyTokens }),
    isOptional: isOptionalKind,
    metrics: { ...noMetrics, cacheAlive: (kind, at) => void alive.set(kind, at) },
  })
  const background: Promise<void>[] = []
  const about = { component: 'machine-config-server', limits: auditEventLimits }
  const recorder = startEventRecorder({ kube, clock, random, log, ...about })
  let service: ConfigService | undefined
  const status = await startStatusServer({ ...options.status, fault: () => undefined, metrics: page.render })
  try {
    const join = await openJoin(options, background, stop.signal)
    const source = clusterSource({ informers, join })
    const kept = keepDirectory === undefined ? undefined : await openKeptSnapshots(keepDirectory, log)
    if (kept) background.push(keepSnapshots(source, kept, { clock, log }, stop.signal))
    const bodies = preparedBodies({
      source: kept ? withKeptSnapshots(source, kept) : source,
      style: options.style,
      onPrepared: (prepared) => log.info('config prepared', { ...prepared }),
    })
    const ledger = new BootLedger()
    const keptTokens = keepDirectory === undefined ? undefined : await openKeptTokens(keepDirectory, log)
    if (keptTokens) background.push(keepTokens(informers, keptTokens, { clock, log }, stop.signal))
    const watched = watchTokens(informers, tokenNamespace)
    const tokens = keptTokens ? withKeptTokens(watched, keptTokens) : watched
    const gate = tokenGate({ mode: access, tokens, ledger, log, metrics: accessMetrics(page) })
    const boots = bootMetrics(informers, page, log)
    const joins = joinReporter({ kube, clock, log, namespace: operatorNamespace, tokenNamespace })
    background.push(joins.run(stop.signal))
    const audit = servedEvents({ events: recorder, clock, informers })
    background.push(audit.run(stop.signal))
    const holder = await openCertificate(options, informers, background, stop.signal, signal)
    if (!holder) return
    addGauges(page, { source, alive, holder, informers, clock })
    service = await startConfigService({
      listen: listenAddresses(options, holder),
      bodies,
      gate,
      now: () => clock.now(),
      isReady: () => source.isSynced() || (kept?.pools().length ?? 0) > 0,
      allowsOpenSecrets: options.allowsOpenSecrets,
      ...(options.limits && { limits: options.limits }),
      metrics: page,
      log,
      onServed(served) {
        boots.started(served)
        joins.onServed(served)
        audit.onServed(served)
        options.onServed?.(served)
      },
    })
    log.info('config server started', { urls: service.urls, access, status: status.url })
    options.onListening?.(service.urls)
    await aborted(signal)
    log.info('config server stops')
  } finally {
    // The answers that are under way still need the caches.
    await service?.close()
    stop.abort(new Error('the config server has ended'))
    await Promise.all([...background, informers.stopped(), status.close()])
    await recorder.close(lastEventsMs)
  }
}

/** Plain HTTP only when it was asked for. */
export function listenAddresses(
  { listen: { host, securePort, insecurePort }, tls }: Pick<ServerProcessOptions, 'listen' | 'tls'>,
  certificate: CertificateHolder,
): readonly ListenAddress[] {
  const at = host === undefined ? {} : { host }
  return [
    { kind: 'tls', ...at, port: securePort, certificate, settings: tls },
    ...(insecurePort === undefined ? [] : [{ kind: 'plain', ...at, port: insecurePort } as const]),
  ]
}

async function openJoin(
  { join, clock, log }: ServerProcessOptions,
  background: Promise<void>[],
  stop: AbortSignal,
): Promise<JoinChoice> {
  if (join.kind === 'fixed') return join
  const { directory, format, apiServerUrl } = join
  const credentials = await credentialDirectory(directory, { clock, log })
  background.push(credentials.follow(stop))
  return { kind: 'credentials', credentials, format, apiServerUrl }
}

/** Undefined when the process is told to end before there is a certificate. */
async function openCertificate(
  { certificate, clock, log }: ServerProcessOptions,
  informers: Informers,
  background: Promise<void>[],
  stop: AbortSignal,
  signal: AbortSignal,
): Promise<CertificateHolder | undefined> {
  if (certificate.kind === 'files') {
    const holder = certificateHolder(await readPair(certificate))
    background.push(followFiles(holder, certificate, { clock, log }, stop))
    return holder
  }
  return await new Promise((resolve) => {
    let holder: CertificateHolder | undefined
    signal.addEventListener('abort', () => resolve(holder), { once: true })
    informers.subscribe(Secret, ({ now }) => {
      if (now?.metadata.name !== certificate.name || now.metadata.namespace !== operatorNamespace) return
      const pair = pairOf(now)
      if (!pair) return log.warn('the serving certificate cannot be used', { secret: certificate.name })
      if (holder?.replace(pair)) log.info('serving certificate replaced', { notAfter: holder.notAfter().toISOString() })
      holder ??= certificateHolder(pair)
      resolve(holder)
    })
  })
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
