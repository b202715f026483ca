import { Agent } from 'node:https'
import { fetchConfig, type JoinPlace } from './joinCluster.ts'

/** One request of a machine: `200`, `401 TokenRevoked`, or the code of what ended the connection. */
interface Attempt {
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: string
}

export interface BootingMachines {
  attempts(): readonly Attempt[]
  /** When every machine has got at least one more answer to a request that began after this call. */
  oneMoreEach(): Promise<void>
  /** Lets the requests under way end; all attempts, by what came of them. */
  stop(): Promise<Readonly<Record<string, number>>>
}

const pauseMs = 10

/**
 * Machines in the middle of their boot, each with an address and a pointer: they fetch again and again. Half of them keep their
 * connection, the others make a new one for every request.
 */
export function bootingMachines(
  place: JoinPlace,
  { count, firstAddress }: { readonly count: number; readonly firstAddress: number },
): BootingMachines {
  const machines = Array.from({ length: count }, (_, index) => {
    const attempts: Attempt[] = []
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 })
    const from = `127.0.0.${firstAddress + index}`
    return { attempts, agent, from }
  })
  let isStopped = false
  const running = machines.map(async ({ attempts, agent, from }) => {
    while (!isStopped) {
      const startedAt = performance.now()
      const outcome = await fetchConfig(place, '3.3.0', { agent, from }).then(
        ({ status, headers, body }) =>
          status === 200
            ? `200${JSON.parse(body).ignition.version === '3.3.0' ? '' : ' with a wrong body'}`
            : `${status} ${headers['x-machine-config-error']}`,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )
      attempts.push({ startedAt, endedAt: performance.now(), outcome })
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    agent.destroy()
  })
  const all = (): readonly Attempt[] => machines.flatMap(({ attempts }) => attempts)
  return {
    attempts: all,
    async oneMoreEach() {
      const since = performance.now()
      const deadline = since + 20_000
      while (!machines.every(({ attempts }) => (attempts.at(-1)?.startedAt ?? 0) > since)) {
        if (performance.now() > deadline) throw new Error('a booting machine got no answer for 20 s')
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
    async stop() {
      isStopped = true
      await Promise.all(running)
      const counts: Record<string, number> = {}
      for (const { outcome } of all()) counts[outcome] = (counts[outcome] ?? 0) + 1
      return counts
    },
  }
}
