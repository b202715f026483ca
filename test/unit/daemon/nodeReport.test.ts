import { afterEach, describe, expect, it } from 'vitest'
import { MachineConfigNode } from '../../../src/api/machineConfigNode.ts'
import { ApiError, type KubeApi } from '../../../src/kube/kubeApi.ts'
import { endWorlds, isDoneAt, nodeAt, type World } from '../../daemon/world.ts'

afterEach(endWorlds)

const refusal = (code: number) =>
  ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message: 'not now' }) as const

/** Refuses the first writes to MachineConfigNodes. */
function refusing(kube: KubeApi, code: number, count: number) {
  const tries = { left: count, made: 0 }
  const patch: KubeApi['patch'] = (kind, key, body, options) => {
    if (kind.kind !== MachineConfigNode.kind) return kube.patch(kind, key, body, options)
    tries.made += 1
    if (tries.left === 0) return kube.patch(kind, key, body, options)
    tries.left -= 1
    return Promise.reject(new ApiError(refusal(code)))
  }
  const { get, list, watch, create, update, updateStatus, evict } = kube
  const api: KubeApi = { get, list, watch, create, update, updateStatus, evict, delete: kube.delete, patch }
  return { tries, api }
}

const updating = async (): Promise<World> => {
  const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
  await it.stop()
  await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
  await it.desire('rendered-2')
  return it
}

const condition = async ({ kube }: World, type: string) => {
  const { status } = await kube.get(MachineConfigNode, { name: 'node-1' })
  return status?.conditions?.find((one) => one.type === type)?.status
}

describe('nodeReport', () => {
  it('tells the last word when the API server takes it again, although nothing else happens', async () => {
    const it = await updating()
    await expect.poll(() => condition(it, 'Updated')).toBe('True')
    const { api, tries } = refusing(it.kube, 503, Number.POSITIVE_INFINITY)
    const daemon = it.start({ kube: api })
    await it.until(isDoneAt('rendered-2'))
    await expect.poll(() => tries.made).toBeGreaterThan(2)
    const known = async () => (await it.kube.get(MachineConfigNode, { name: 'node-1' })).status?.configVersion?.current
    expect(await known()).toBe('rendered-1')
    const madeWhileAway = tries.made
    tries.left = 0
    await expect.poll(known, { timeout: 5_000 }).toBe('rendered-2')
    expect(await condition(it, 'Updated')).toBe('True')
    expect(await condition(it, 'NodeDegraded')).toBe('False')
    // In one write, and with a pause before it.
    expect(tries.made - madeWhileAway).toBeLessThanOrEqual(2)
    await daemon.stop()
  })

  it('does not repeat what the API server refuses for good, and tells what comes after it', async () => {
    const it = await updating()
    const { api, tries } = refusing(it.kube, 422, 1)
    it.start({ kube: api })
    await it.until(isDoneAt('rendered-2'))
    await expect.poll(() => condition(it, 'Updated')).toBe('True')
    expect(tries.left).toBe(0)
  })
})
