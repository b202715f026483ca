import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'

export interface IdleConnections {
  /** How many are still open. */
  open(): number
  end(): void
}

/** Connections that send nothing, from eight addresses, opened as fast as the server takes them. */
export async function openIdleConnections(port: number, count: number): Promise<IdleConnections> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(250, count - sockets.length) }, (_, n) =>
      opened(port, `127.0.1.${(n % 8) + 1}`),
    )
    sockets.push(...(await Promise.all(batch)))
  }
  return {
    open: () => sockets.filter((socket) => !socket.closed).length,
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** How many files this process, and one that it starts, may have open. */
export async function openFileLimit(): Promise<number> {
  const [, hard = '0'] = /^Max open files +\d+ +(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? []
  return Number(hard)
}

function opened(port: number, localAddress: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.once('connect', () => {
      socket.off('error', reject)
      // The server may end it, also with a reset.
      socket.on('error', () => socket.destroy())
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
