import { access } from 'node:fs/promises'
import { startStatusServer } from '../daemon/statusServer.ts'
import { openGate } from './admission.ts'
import type { Bodies } from './answerRequest.ts'
import { type ConfigService, startConfigService } from './configService.ts'
import { serverMetricsPage } from './serverMetrics.ts'
import { aborted, listenAddresses, type ServerProcessOptions } from './serverProcess.ts'
import { type CertificateFiles, certificateHolder, followFiles, readPair } from './servingCertificate.ts'

export interface BootstrapServerOptions
  extends Pick<ServerProcessOptions, 'clock' | 'log' | 'listen' | 'tls' | 'limits' | 'status' | 'onListening'> {
  readonly files: CertificateFiles
  readonly bodies: Bodies
  /** Served as it is; it must be there at the start. */
  readonly kubeconfigFile: string
}

/** The config server before there is a cluster: whoever asks is served, as nobody could have been given a token. */
export async function runBootstrapServer(options: BootstrapServerOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, files, bodies } = options
  const stop = new AbortController()
  const page = serverMetricsPage()
  await access(options.kubeconfigFile)
  const holder = certificateHolder(await readPair(files))
  const status = await startStatusServer({ ...options.status, fault: () => undefined, metrics: page.render })
  const following = followFiles(holder, files, { clock, log }, stop.signal)
  let service: ConfigService | undefined
  try {
    service = await startConfigService({
      listen: listenAddresses(options, holder),
      bodies,
      gate: openGate,
      now: () => clock.now(),
      isReady: () => true,
      allowsOpenSecrets: true,
      ...(options.limits && { limits: options.limits }),
      metrics: page,
      log,
    })
    log.info('bootstrap config server started', { urls: service.urls, status: status.url })
    options.onListening?.(service.urls)
    await aborted(signal)
  } finally {
    await service?.close()
    stop.abort(new Error('the config server has ended'))
    await Promise.all([following, status.close()])
  }
}
