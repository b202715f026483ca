import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectionLimit } from './connectionLimit.ts'

/** What the limit uses of a socket. */
class Connection extends EventEmitter {
  readonly remotePort: number
  readonly remoteAddress: string
  constructor(remotePort: number, remoteAddress = '10.0.0.1') {
    super()
    this.remotePort = remotePort
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.emit('close')
  }
}
const socket = (port: number, address?: string): Socket => new Connection(port, address) as unknown as Socket

function limited(most: number, mostPerAddress = 100) {
  const gaveWay: string[] = []
  const limit = connectionLimit({ most, mostPerAddress, onGaveWay: (address) => gaveWay.push(address) })
  return { limit, gaveWay }
}

describe('connectionLimit', () => {
  it('lets the longest waiting connection give way to a newcomer', () => {
    const { limit, gaveWay } = limited(2)
    const [first, second] = [socket(1, '10.0.0.1'), socket(2, '10.0.0.2')]
    expect([limit.refusal(first), limit.refusal(second)]).toEqual([undefined, undefined])
    limit.isAnswered(first)
    limit.waits(first)
    expect(limit.refusal(socket(3, '10.0.0.3'))).toBeUndefined()
    expect(gaveWay).toEqual(['10.0.0.2'])
    expect(limit.refusal(socket(4, '10.0.0.4'))).toBeUndefined()
    expect(gaveWay).toEqual(['10.0.0.2', '10.0.0.1'])
  })

  it('refuses a newcomer only while everybody is being answered', () => {
    const { limit } = limited(1)
    const first = socket(1)
    limit.refusal(first)
    limit.isAnswered(first)
    expect(limit.refusal(socket(2))).toBe('TooManyConnections')
    limit.waits(first)
    expect(limit.refusal(socket(3))).toBeUndefined()
  })

  it('counts per address, and forgets what is closed', () => {
    const { limit } = limited(10, 2)
    const first = socket(1)
    expect([limit.refusal(first), limit.refusal(socket(2))]).toEqual([undefined, undefined])
    expect(limit.refusal(socket(3))).toBe('TooManyConnectionsOfAddress')
    expect(limit.refusal(socket(3, '10.0.0.9'))).toBeUndefined()
    first.destroy()
    expect(limit.refusal(socket(4))).toBeUndefined()
    // An answer that ends after its connection brings nothing back.
    limit.waits(first)
    expect(limit.refusal(socket(5))).toBe('TooManyConnectionsOfAddress')
  })
})
