import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { serverObject } from '../api/names.ts'
import type { Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { kubeletKubeconfigPath } from '../server/joinFiles.ts'
import { privateStyle } from '../server/servedConfig.ts'
import { runServerProcess } from '../server/serverProcess.ts'
import { tlsSettings } from '../server/tlsSettings.ts'
import type { RunningApiServer } from './server/start.ts'

export interface EmbeddedConfigServerOptions {
  readonly server: RunningApiServer
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly port: number
  /** Where the last known configs are kept; undefined keeps none. */
  readonly dataDir?: string
}

const host = '127.0.0.1'

/** A port that is free now: pointers name it before anything listens there. 0 picks one; a given one that is taken is an error. */
export async function reservePort(port: number): Promise<number> {
  const probe = createServer()
  const failed = once(probe, 'error').then(([error]) => Promise.reject(error))
  probe.listen(port, host)
  await Promise.race([once(probe, 'listening'), failed])
  // Bound to a port, so this is no pipe.
  const { port: found } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return found
}

/**
 * The config server beside the embedded API, with the cluster's own authority, until the signal. It begins to listen when the
 * certificate is there. A machine that joins gets a kubeconfig that may ask for an identity, and nothing else.
 */
export async function runConfigServer(options: EmbeddedConfigServerOptions, signal: AbortSignal): Promise<void> {
  const { server, kube, clock, random, log, port, dataDir } = options
  const tls = tlsSettings({})
  if (tls.kind === 'invalid') throw new Error(tls.message)
  const kubeconfig = await server.issueKubeconfig('system:bootstrap:config-server', ['system:bootstrappers'])
  try {
    await runServerProcess(
      {
        kube,
        clock,
        random,
        log,
        listen: { host, securePort: port },
        certificate: { kind: 'secret', name: serverObject.tls },
        tls: tls.settings,
        access: 'token',
        allowsOpenSecrets: false,
        join: { kind: 'fixed', files: [{ path: kubeletKubeconfigPath, text: kubeconfig }] },
        style: privateStyle,
        status: { host, port: 0 },
        ...(dataDir !== undefined && { keepDirectory: join(dataDir, 'config-server') }),
      },
      signal,
    )
  } catch (error) {
    // The cluster is of use without it.
    log.error('the config server ended', { error: messageOf(error) })
  }
}
