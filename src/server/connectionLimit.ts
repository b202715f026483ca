import type { Socket } from 'node:net'
import { plainAddress } from './plainAddress.ts'

export interface ConnectionLimitOptions {
  readonly most: number
  readonly mostPerAddress: number
  /** A connection without a request was ended for a newcomer. */
  readonly onGaveWay: (remoteAddress: string) => void
}

type Connection = Pick<Socket, 'remoteAddress' | 'remotePort'>

/**
 * Who may stay connected. Whoever is being answered keeps its place; of those who only wait, the longest waiting one gives way
 * to a newcomer, so that idle connections cannot keep a machine from booting.
 */
export interface ConnectionLimit {
  /** The reason why there is no place, or undefined. */
  refusal(socket: Socket): 'TooManyConnections' | 'TooManyConnectionsOfAddress' | undefined
  /** Its request is being answered: until the same is told to `waits`. */
  isAnswered(connection: Connection): void
  waits(connection: Connection): void
}

export function connectionLimit({ most, mostPerAddress, onGaveWay }: ConnectionLimitOptions): ConnectionLimit {
  const open = new Map<string, Socket>()
  const perAddress = new Map<string, number>()
  /** In the order in which they began to wait. */
  const waiting = new Map<string, Socket>()

  const register = (key: string, address: string, socket: Socket): void => {
    open.set(key, socket)
    waiting.set(key, socket)
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => {
      open.delete(key)
      waiting.delete(key)
      const left = (perAddress.get(address) ?? 1) - 1
      if (left === 0) perAddress.delete(address)
      else perAddress.set(address, left)
    })
  }

  return {
    refusal(socket) {
      const address = plainAddress(socket.remoteAddress)
      if ((perAddress.get(address) ?? 0) >= mostPerAddress) return 'TooManyConnectionsOfAddress'
      if (open.size >= most) {
        const [longest] = waiting
        if (!longest) return 'TooManyConnections'
        const [key, idle] = longest
        // At once: it is gone for the count, whenever its end is told.
        open.delete(key)
        waiting.delete(key)
        onGaveWay(plainAddress(idle.remoteAddress))
        idle.destroy()
      }
      register(keyOf(socket), address, socket)
      return undefined
    },
    isAnswered: (connection) => void waiting.delete(keyOf(connection)),
    waits(connection) {
      const key = keyOf(connection)
      const socket = open.get(key)
      if (socket) waiting.set(key, socket)
    },
  }
}

/** The same for a TLS connection and the one below it. */
const keyOf = ({ remoteAddress, remotePort }: Connection): string => `${remoteAddress} ${remotePort}`
