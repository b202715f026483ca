import type { Socket } from 'node:net'

/** Counts open connections per address. */
export interface ConnectionLimit {
  /** False when the address has too many already. */
  admits(address: string, socket: Pick<Socket, 'once'>): boolean
}

export function connectionLimit(mostPerAddress: number): ConnectionLimit {
  const open = new Map<string, number>()
  return {
    admits(address, socket) {
      const count = open.get(address) ?? 0
      if (count >= mostPerAddress) return false
      open.set(address, count + 1)
      socket.once('close', () => {
        const left = (open.get(address) ?? 1) - 1
        if (left === 0) open.delete(address)
        else open.set(address, left)
      })
      return true
    },
  }
}
