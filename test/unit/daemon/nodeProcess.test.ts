import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { emptyConfigName } from '../../../src/daemon/change.ts'
import { runNodeProcess } from '../../../src/daemon/nodeProcess.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { type Log, silentLog } from '../../../src/kube/log.ts'
import { machineConfig, put, testHost, text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, type World, world } from '../../daemon/world.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await endWorlds()
})

/** Resolves with the address of its status server. */
async function start({ kube, root }: World, port = 0): Promise<string> {
  const host = testHost(root)
  const stop = new AbortController()
  let url = (_url: string): void => undefined
  const started = new Promise<string>((resolve) => {
    url = resolve
  })
  const log: Log = {
    ...silentLog,
    info: (message, fields) => message === 'daemon started' && url(String(fields?.status)),
  }
  const running = runNodeProcess(
    {
      nodeName: 'node-1',
      kube,
      host,
      clock: systemClock,
      random: Math.random,
      log,
      status: { host: '127.0.0.1', port },
      driftMode: 'repair',
      probeKubelet: () => Promise.reject(new Error('connection refused')),
    },
    stop.signal,
  ).finally(() => host.close())
  stops.push(async () => {
    stop.abort()
    await running.catch(() => undefined)
  })
  return Promise.race([started, running.then(() => Promise.reject(new Error('ended before it started')))])
}

describe('runNodeProcess', () => {
  it('takes its node to its config, repairs drift, and tells on its status port', async () => {
    const it = await world()
    await it.kube.create(MachineConfig, machineConfig({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } }))
    const url = await start(it)
    await it.until(isDoneAt(emptyConfigName))
    await it.desire('rendered-1')
    await it.until(isDoneAt('rendered-1'))
    put(it.root, 'etc/app.conf', 'two')
    for (const deadline = Date.now() + 5_000; text(it.root, 'etc/app.conf') !== 'one'; ) {
      if (Date.now() > deadline) throw new Error('drift was not repaired')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toMatch(/^mcd_state\{state="Done",reason=""\} \d+$/m)
    expect(metrics).toMatch(/^mcd_update_state\{config="rendered-1",err=""\} \d+$/m)
    expect(metrics).toContain('mcd_host_os_and_version{os="UNKNOWN",version=""} 1\n')
    expect(metrics).toContain('mcd_kubelet_state 1\n')
  })

  it('refuses a host that another daemon works on, and leaves no lock when its port is taken', async () => {
    const it = await world()
    await start(it)
    await expect(start(it)).rejects.toThrow(/process \d+ already works on this host/)
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const other = await world()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    await expect(start(other, port)).rejects.toThrow(/EADDRINUSE/)
    taken.close()
    await start(other)
  })
})
