import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { newRoot, put, removeRoots, testHost } from '../../test/daemon/builders.ts'
import { lockHost } from './hostLock.ts'
import { hostLockPath } from './hostPaths.ts'

afterEach(removeRoots)

describe('lockHost', () => {
  it('keeps a second process off and names the first, until it is released', async () => {
    const { files } = testHost(newRoot())
    const release = await lockHost(files)
    await expect(lockHost(files)).rejects.toThrow(`process ${process.pid} already works on this host`)
    await release()
    await (await lockHost(files))()
    expect(await files.status(hostLockPath)).toBeUndefined()
  })

  it.each([
    ['a process that is gone', '999999999 1'],
    ['another process that got the number later', `${process.pid} 1`],
    ['nobody, after a cut-off write', ''],
  ])('takes over from %s', async (_holder, text) => {
    const root = newRoot({ [hostLockPath.slice(1)]: text })
    const { files } = testHost(root)
    await lockHost(files)
    expect((await files.list('/run/mco')).length).toBe(1)
  })

  it('leaves a lock alone that another process has taken meanwhile', async () => {
    const root = newRoot()
    const { files } = testHost(root)
    const release = await lockHost(files)
    put(root, hostLockPath, 'someone else')
    await release()
    expect((await files.read(hostLockPath)).toString()).toBe('someone else')
  })
})
