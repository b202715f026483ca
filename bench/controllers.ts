import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { productControllers } from '../src/embedded/productControllers.ts'
import type { BuildIdentity } from '../src/embedded/seed.ts'
import { kubeClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { clusterConnection } from '../src/kube/clusterConnection.ts'
import { startEventRecorder } from '../src/kube/eventRecorder.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
import { createInformers } from '../src/kube/informers.ts'
import { silentLog } from '../src/kube/log.ts'
import { runController } from '../src/kube/runController.ts'
import { cpuMsSince, residentMb } from './figures.ts'

export interface ControllersUsage {
  readonly cpuMs: number
  readonly residentMb: number
}

/** The product's controllers alone in a process of their own, over HTTPS as on a real cluster. */
export interface ControllersProcess {
  /** CPU since the process started, and memory now. */
  usage(): Promise<ControllersUsage>
  stop(): void
}

/** `script` is the running benchmark: it answers `--controllers KUBECONFIG` by calling `serveControllers`. */
export function forkControllers(script: string, kubeconfig: string): ControllersProcess {
  const child: ChildProcess = fork(script, ['--controllers', kubeconfig], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.once('exit', (code) => {
    if (code) throw new Error(`the controllers' process ended with code ${code}`)
  })
  return {
    async usage() {
      const answer = once(child, 'message')
      child.send('usage')
      const [usage] = (await answer) as [ControllersUsage]
      return usage
    },
    stop: () => child.disconnect(),
  }
}

/** Runs the controllers until the parent disconnects. */
export async function serveControllers(kubeconfig: string, build: BuildIdentity): Promise<void> {
  const start = process.cpuUsage()
  const kube = kubeClient(httpTransport(await clusterConnection({ kubeconfig, env: {} })), { userAgent: 'mco-bench' })
  const [clock, random, log] = [systemClock, Math.random, silentLog]
  const { signal } = new AbortController()
  const informers = createInformers({ kube, clock, random, signal, isOptional: () => true })
  const eventsOf = (component: string) => startEventRecorder({ kube, clock, random, component })
  process.on('message', () => process.send?.({ cpuMs: cpuMsSince(start), residentMb: residentMb() }))
  process.once('disconnect', () => process.exit())
  const controllers = productControllers({ kube, informers, clock, random, log, eventsOf }, build)
  await Promise.all(controllers.map((controller) => runController(controller, { informers, clock }, signal)))
}
