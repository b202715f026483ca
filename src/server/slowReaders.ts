import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { plainAddress } from './plainAddress.ts'

/** Ends answers that are not read in time. A client that reads one byte per second is never idle, so no idle timeout ends it. */
export interface SlowReaders {
  watch(response: ServerResponse, socket: Socket): void
  /** It was read, or its connection is gone. */
  forget(response: ServerResponse): void
  close(): void
}

export function slowReaders(timeoutMs: number, onEnded: (remoteAddress: string) => void): SlowReaders {
  const reading = new Map<ServerResponse, { readonly socket: Socket; readonly untilMs: number }>()
  const sweep = setInterval(
    () => {
      const nowMs = performance.now()
      for (const [response, { socket, untilMs }] of reading) {
        // In the order of their deadlines: the rest is younger.
        if (untilMs > nowMs) return
        reading.delete(response)
        onEnded(plainAddress(socket.remoteAddress))
        socket.destroy()
      }
    },
    Math.min(1000, Math.max(10, timeoutMs / 2)),
  )
  sweep.unref()
  return {
    watch(response, socket) {
      reading.set(response, { socket, untilMs: performance.now() + timeoutMs })
    },
    forget: (response) => void reading.delete(response),
    close: () => clearInterval(sweep),
  }
}
