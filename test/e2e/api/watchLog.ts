import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawApi } from './rawApi.ts'

export interface SeenEvent {
  readonly type: string
  readonly name: string
  readonly version: number
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds, looked into by the assertions
  readonly object: any
}

/** A watch and everything it has seen; what arrives is in `events` at once. */
export interface WatchLog {
  readonly events: readonly SeenEvent[]
  /** Waits for an event that fits. */
  until(fits: (event: SeenEvent) => boolean, what: string, timeoutMs?: number): Promise<SeenEvent>
  /** The end of the stream, by the server or by `close`. */
  readonly ended: Promise<void>
  close(): void
}

export async function watchLog(api: RawApi, path: string): Promise<WatchLog> {
  const events: SeenEvent[] = []
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (finish = resolve))
  const { hostname, port } = api.url
  const tls = { ca: api.ca, cert: api.admin.certificatePem, key: api.admin.keyPem, agent: false as const }
  const sent = request({ host: hostname, port, path, ...tls })
  await new Promise<void>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      let rest = ''
      response.on('data', (chunk: Buffer) => {
        const lines = `${rest}${chunk.toString('utf8')}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) events.push(seen(line))
      })
      response.once('close', finish)
      response.on('error', finish)
      resolve()
    })
    sent.end()
  })
  // A watch that is cut off tells by its end; the reason does not matter here.
  sent.on('error', finish)
  return {
    events,
    ended,
    async until(fits, what, timeoutMs = 20_000) {
      const deadline = Date.now() + timeoutMs
      for (let next = 0; ; ) {
        for (; next < events.length; next += 1) {
          const event = events[next]
          if (event && fits(event)) return event
        }
        if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}; saw ${events.length} events`)
        await sleep(10)
      }
    },
    close: () => sent.destroy(),
  }
}

function seen(line: string): SeenEvent {
  const { type, object } = JSON.parse(line)
  return { type, name: object.metadata?.name ?? '', version: Number(object.metadata?.resourceVersion ?? 0), object }
}
