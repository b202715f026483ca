import process from 'node:process'
import { ConfigMap, Node } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { operatorNamespace } from '../api/names.ts'
import { systemClock } from '../kube/clock.ts'
import { createInformers } from '../kube/informers.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import { asCliError } from './connect.ts'
import { CliError } from './exitCodes.ts'
import type { Terminal } from './terminal.ts'

/** At most five times a second; where reading takes long, a fifth of the time at most is spent on it. */
const shortestPauseMs = 200
const pausePerReading = 4
/** Deadlines pass without any object changing. */
const longestPauseMs = 15_000

/** Prints `textOf` again whenever the cluster has changed and the text with it; Ctrl-C ends the looking, not the work. */
export async function watchCluster(terminal: Terminal, kube: KubeApi, textOf: () => Promise<string>): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('interrupted')))
  const informers = createInformers({
    kube,
    clock: systemClock,
    random: Math.random,
    signal: stop.signal,
    isOptional: (kind) => kind.kind === MachineConfigNode.kind,
    scopeOf: (kind) => (kind.kind === ConfigMap.kind ? { namespace: operatorNamespace } : undefined),
  })
  let changed: () => void = () => undefined
  for (const kind of [MachineConfigPool, Node, MachineConfigNode, ConfigMap] as readonly Kind<KubernetesObject>[])
    informers.subscribe(kind, () => changed())
  let shown = ''
  let pauseMs = shortestPauseMs
  while (!stop.signal.aborted) {
    // From here on a change is noticed, also one that comes while this text is made.
    const change = new Promise<void>((resolve) => {
      changed = resolve
    })
    const startedMs = Date.now()
    const text = await textOf().catch(toText)
    pauseMs = Math.max(shortestPauseMs, (Date.now() - startedMs) * pausePerReading)
    if (text !== shown && !stop.signal.aborted)
      terminal.out(`${terminal.isTty ? '\u001b[2J\u001b[H' : shown === '' ? '' : '---\n'}${text}`)
    shown = text
    await systemClock.sleep(pauseMs, stop.signal).catch(ifAborted)
    await Promise.race([change, systemClock.sleep(longestPauseMs, stop.signal).catch(ifAborted)])
  }
  await informers.stopped()

  /** An API server that is away comes back; the looking goes on. */
  function toText(error: unknown): string {
    const known = asCliError(error)
    if (known instanceof CliError) return known.message
    throw error
  }

  function ifAborted(error: unknown): void {
    if (!stop.signal.aborted) throw error
  }
}
