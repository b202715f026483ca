import process from 'node:process'
import { kubeClient } from '../kube/client.ts'
import { clusterConnection } from '../kube/clusterConnection.ts'
import { messageOf, Retryable, Terminal } from '../kube/errors.ts'
import { httpTransport } from '../kube/httpTransport.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { version } from './version.ts'

export interface ConnectFlags {
  readonly kubeconfig?: string
  readonly context?: string
}

/** The cluster that kubectl would talk to. What cannot be reached is a CliError that says so. */
export async function connect({ kubeconfig, context }: ConnectFlags, userAgent = `mco/${version}`): Promise<KubeApi> {
  const connection = await clusterConnection({
    env: process.env,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  }).catch((error: unknown) => {
    throw asCliError(error)
  })
  return kubeClient(httpTransport(connection), { userAgent })
}

/** Errors of a cluster that is away or refuses, as one sentence for people; our own bugs stay what they are. */
export function asCliError(error: unknown): unknown {
  if (error instanceof Terminal || error instanceof Retryable || error instanceof ApiError) {
    return new CliError(messageOf(error), exitCodes.unavailable, { cause: error })
  }
  return error
}
