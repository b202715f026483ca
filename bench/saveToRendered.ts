import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { MachineConfigPool } from '../src/api/machineConfigPool.ts'
import { kubeClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { clusterConnection } from '../src/kube/clusterConnection.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
import { createInformers } from '../src/kube/informers.ts'
import { flags, percentile, ratioText, report } from './figures.ts'
import { mcoUp } from './mcoUp.ts'

/**
 * From the moment a client saves one of 200 MachineConfigs until its watch shows the pool with the new rendered config,
 * both over HTTPS against `mco up` with its data on disk. The pool is paused, so that no rollout runs beside it.
 */
const targetMs = 1000
const saves = flags.quick ? 20 : 200
const worker = { name: 'worker' }
const [recorded] = JSON.parse(readFileSync(join('test', 'golden', 'cases', 'bench-merge', 'n200.json'), 'utf8'))
const fragments: readonly MachineConfig[] = recorded.input.configs

const mco = await mcoUp(1)
const stop = new AbortController()
try {
  const connection = await clusterConnection({ env: {}, kubeconfig: join(mco.directory, 'kubeconfig') })
  const kube = kubeClient(httpTransport(connection), { userAgent: 'bench' })
  const informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
  const pool = poolWatch()
  informers.subscribe(MachineConfigPool, ({ now }) => now?.metadata.name === worker.name && pool.show(now))
  await informers.synced(stop.signal, [MachineConfigPool])

  await kube.patch(MachineConfigPool, worker, { type: 'merge', body: { spec: { paused: true } } })
  for (const fragment of fragments) {
    const { name = '' } = fragment.metadata
    await kube.patch(MachineConfig, { name }, { type: 'apply', body: fragment, force: true }, { fieldManager: 'bench' })
  }
  // The pool's base config is one more.
  await pool.shows(({ spec }) => spec.configuration?.source?.length === fragments.length + 1)

  const times: number[] = []
  for (let save = 0; save < saves; save += 1) times.push(await saveOne(save))
  const figures = {
    fragments: fragments.length,
    saves,
    p50Ms: Math.round(percentile(times, 0.5)),
    p99Ms: Math.round(percentile(times, 0.99)),
    targetMs,
    ratioToTarget: percentile(times, 0.99) / targetMs,
  }
  report(
    figures,
    () =>
      `saved to rendered, ${figures.fragments} fragments, ${saves} saves: p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms (${ratioText(figures.p99Ms, targetMs, 'ms')})`,
  )

  async function saveOne(save: number): Promise<number> {
    const { metadata, spec } = fragments[(save * 37) % fragments.length] ?? {}
    const config = spec?.config as { readonly storage?: { readonly files?: readonly object[] } }
    const [first, ...others] = config.storage?.files ?? []
    const files = [{ ...first, contents: { source: `data:,save%20${save}` } }, ...others]
    const body = { spec: { config: { ...config, storage: { ...config.storage, files } } } }
    const before = pool.current()?.spec.configuration?.name
    const started = performance.now()
    await kube.patch(MachineConfig, { name: metadata?.name ?? '' }, { type: 'merge', body })
    await pool.shows(({ spec: { configuration } }) => configuration?.name !== before)
    return performance.now() - started
  }
} finally {
  stop.abort(new Error('measured'))
  await mco.stop()
}

/** Remembers the pool as the watch shows it, and waits until it shows something. */
function poolWatch() {
  let shown: MachineConfigPool | undefined
  let check = (): void => undefined
  return {
    current: () => shown,
    show(pool: MachineConfigPool): void {
      shown = pool
      check()
    },
    shows: (isWanted: (pool: MachineConfigPool) => boolean): Promise<void> =>
      new Promise((resolve) => {
        check = () => {
          if (shown && isWanted(shown)) resolve()
        }
        check()
      }),
  }
}
