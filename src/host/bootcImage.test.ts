import { describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { bootcImage, parseBootcStatus } from './bootcImage.ts'

const ostree = { checksum: 'b2'.repeat(32), deploySerial: 0 }
/** Of an image, in the form of bootc 1.1. */
const entry = (image: string, transport = 'registry') => ({
  image: { image: { image, transport }, version: '42.1', timestamp: null, imageDigest: `sha256:${'a1'.repeat(32)}` },
  cachedUpdate: null,
  incompatible: false,
  pinned: false,
  store: 'ostreeContainer',
  ostree,
})
/** Of something that rpm-ostree changed, or that came from an ostree remote. */
const noImage = { image: null, cachedUpdate: null, incompatible: true, pinned: false, store: null, ostree }
const host = (status: object) =>
  JSON.stringify({
    apiVersion: 'org.containers.bootc/v1',
    kind: 'BootcHost',
    metadata: { name: 'host' },
    spec: { image: { image: 'quay.io/os:1', transport: 'registry' }, bootOrder: 'default' },
    status: { staged: null, booted: entry('quay.io/os:1'), rollback: null, type: 'bootcHost', ...status },
  })
const queued = { rollback: entry('quay.io/os:0'), rollbackQueued: true }

describe('parseBootcStatus', () => {
  it.each<[string, object, object]>([
    ['a booted image', {}, {}],
    ['a staged one', { staged: entry('quay.io/os:2') }, { staged: 'quay.io/os:2' }],
    ['a rollback that is queued', queued, { rollback: 'quay.io/os:0', rollbackQueued: true }],
    ['an image that comes from no registry', { staged: entry('/var/mnt/os', 'oci') }, { staged: 'oci:/var/mnt/os' }],
    ['a staged deployment that is no image', { staged: noImage }, { staged: '' }],
    ['a booted deployment that is no image', { booted: noImage }, { booted: '' }],
  ])('reads %s', (_, status, expected) => {
    const usual = { booted: 'quay.io/os:1', staged: undefined, rollback: undefined, rollbackQueued: false }
    expect(parseBootcStatus(host(status))).toEqual({ ...usual, ...expected })
  })

  it('takes an image without a transport, as bootc 0.1 leaves it out, for one of a registry', () => {
    const booted = { image: { image: { image: 'quay.io/os:1' } } }
    expect(parseBootcStatus(host({ booted })).booted).toBe('quay.io/os:1')
  })

  it.each([host({ booted: null, type: null }), '{}', '[]', 'no JSON'])(
    'refuses what bootc did not boot: %s',
    (text) => {
      expect(() => parseBootcStatus(text)).toThrow(/bootc status --json/)
    },
  )
})

describe('bootcImage', () => {
  it.each<[string, object, string, string | undefined]>([
    ['switches to another image', {}, 'quay.io/os:2', 'bootc switch quay.io/os:2'],
    ['does nothing when the image is booted', {}, 'quay.io/os:1', undefined],
    ['does nothing when the image is staged', { staged: entry('quay.io/os:2') }, 'quay.io/os:2', undefined],
    ['drops a staged image to go back', { staged: entry('quay.io/os:2') }, 'quay.io/os:1', 'ostree admin undeploy 0'],
    ['drops a staged deployment that is no image', { staged: noImage }, 'quay.io/os:1', 'ostree admin undeploy 0'],
    ['takes a queued rollback back', queued, 'quay.io/os:1', 'bootc rollback'],
    ['leaves a queued rollback to the wanted image', queued, 'quay.io/os:0', undefined],
    ['leaves what is no image for one', { booted: noImage }, 'quay.io/os:1', 'bootc switch quay.io/os:1'],
  ])('%s', async (_, status, image, command) => {
    const exec = scriptedExec({ 'bootc status --json': host(status) })
    await bootcImage(exec).setPending(image)
    expect(exec.ran).toEqual(['bootc status --json', ...(command === undefined ? [] : [command])])
  })

  it('says what the next boot will use', async () => {
    const pending = (status: object) => bootcImage(scriptedExec({ 'bootc status --json': host(status) })).pending()
    expect(await pending({})).toBe('quay.io/os:1')
    expect(await pending({ staged: entry('quay.io/os:2') })).toBe('quay.io/os:2')
    expect(await pending({ staged: noImage })).toBe('')
    expect(await pending(queued)).toBe('quay.io/os:0')
  })
})
