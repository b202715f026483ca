import { afterEach, describe, expect, it } from 'vitest'
import { newRoot, put, removeRoots, testHost, tree } from '../../test/daemon/builders.ts'
import { oweBoot, owesBoot } from './bootDebt.ts'

afterEach(removeRoots)

describe('bootDebt', () => {
  it('lasts until the next boot, also when it was noted twice', async () => {
    const root = newRoot({})
    const host = testHost(root)
    expect(await owesBoot(host)).toBe(false)
    await oweBoot(host)
    await oweBoot(host)
    expect(await owesBoot(host)).toBe(true)
    await host.power.reboot('test')
    expect(await owesBoot(host)).toBe(false)
    expect(Object.keys(tree(root)).filter((path) => path.includes('boot-owed'))).toEqual([])
  })

  it('replaces a note that was cut short', async () => {
    const root = newRoot({})
    put(root, 'run/mco/boot-owed.new', 'half')
    const host = testHost(root)
    await oweBoot(host)
    expect(await owesBoot(host)).toBe(true)
  })
})
