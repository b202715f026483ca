import { describe, expect, it } from 'vitest'
import { machineConfig } from '../../test/daemon/builders.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import { emptyConfigName } from './change.ts'
import { kubeConfigSource } from './configSource.ts'

/** Only `get` is ever asked. */
function kubeWith(names: readonly string[]) {
  const asked: string[] = []
  const get = async (_kind: unknown, { name }: { name: string }) => {
    asked.push(name)
    if (!names.includes(name))
      throw new ApiError({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 404,
        reason: 'NotFound',
      })
    return machineConfig({ name })
  }
  return { asked, kube: { get } as unknown as KubeApi }
}

describe('kubeConfigSource', () => {
  it('reads and parses a config once for many daemons', async () => {
    const { asked, kube } = kubeWith(['a'])
    const source = kubeConfigSource(kube)
    const [first, second] = await Promise.all([source.load('a'), source.load('a')])
    expect(first).toBe(second)
    expect(asked).toEqual(['a'])
  })
  it('keeps the ones used last', async () => {
    const { asked, kube } = kubeWith(['a', 'b', 'c'])
    const source = kubeConfigSource(kube, { maxRemembered: 2 })
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await source.load(name)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })
  it('asks again for one that was not there', async () => {
    const { asked, kube } = kubeWith([])
    const source = kubeConfigSource(kube)
    for (let n = 0; n < 2; n++)
      await expect(source.load('a')).rejects.toMatchObject({
        name: 'Retryable',
        message: expect.stringContaining('"a" not found'),
      })
    expect(asked).toEqual(['a', 'a'])
  })
  it('knows the empty config without asking', async () => {
    const { asked, kube } = kubeWith([])
    expect((await kubeConfigSource(kube).load(emptyConfigName)).view.name).toBe(emptyConfigName)
    expect(asked).toEqual([])
  })
})
