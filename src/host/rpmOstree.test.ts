import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, type Tree } from '../../test/host/tree.ts'
import { bootcImage, parseBootcStatus } from './bootcImage.ts'
import { kernelArgumentChanges, rpmOstreeImage, rpmOstreeKernelArguments } from './rpmOstree.ts'
import { rpmOstreeKernel } from './rpmOstreeKernel.ts'
import { rpmOstreePackages } from './rpmOstreePackages.ts'
import { parseRpmOstreeStatus } from './rpmOstreeStatus.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})

const digest = `sha256:${'a1'.repeat(32)}`
const deployment = (fields: object) => ({
  id: 'fedora-coreos-0',
  osname: 'fedora-coreos',
  serial: 0,
  checksum: 'b2'.repeat(32),
  booted: false,
  staged: false,
  pinned: false,
  unlocked: 'none',
  packages: [],
  'requested-packages': [],
  'requested-local-packages': [],
  'requested-base-removals': [],
  'base-removals': [],
  timestamp: 1_700_000_000,
  ...fields,
})
const status = (...deployments: object[]) =>
  JSON.stringify({ deployments: deployments.map(deployment), transaction: null, 'cached-update': null })
const registry = (image: string) => `ostree-unverified-registry:${image}`

describe('parseRpmOstreeStatus', () => {
  it.each([
    [{ 'container-image-reference': `ostree-unverified-registry:quay.io/os@${digest}` }, `quay.io/os@${digest}`],
    [
      { 'container-image-reference': 'ostree-remote-registry:fedora:quay.io/fedora/coreos:stable' },
      'quay.io/fedora/coreos:stable',
    ],
    [{ 'container-image-reference': 'ostree-unverified-image:docker://quay.io/os:1' }, 'quay.io/os:1'],
    [{ 'container-image-reference': 'ostree-remote-image:fedora:docker://quay.io:443/os:1' }, 'quay.io:443/os:1'],
    [{ 'container-image-reference': 'ostree-image-signed:registry:quay.io/os:1' }, 'quay.io/os:1'],
    [{ 'custom-origin': [`pivot://quay.io/os@${digest}`, 'Managed by the operator'] }, `quay.io/os@${digest}`],
    [{ origin: 'fedora:fedora/x86_64/coreos/stable' }, ''],
  ])('reads the image of %j as %s', (fields, image) => {
    expect(parseRpmOstreeStatus(status(fields))[0]?.image).toBe(image)
  })

  it.each(['', '[]', '{}', '{"deployments":[]}'])('refuses %j', (text) => {
    expect(() => parseRpmOstreeStatus(text)).toThrow(/rpm-ostree status --json/)
  })
})

describe('rpmOstreeImage', () => {
  const booted = { booted: true, 'container-image-reference': registry('quay.io/os:1') }
  const staged = { staged: true, 'container-image-reference': registry('quay.io/os:2') }
  it('tells the booted image from the one of the next boot', async () => {
    const image = rpmOstreeImage(scriptedExec({ 'rpm-ostree status --json': status(staged, booted) }))
    expect([await image.booted(), await image.pending()]).toEqual(['quay.io/os:1', 'quay.io/os:2'])
  })

  it('rebases to another image and drops a staged one to go back', async () => {
    const forth = scriptedExec({ 'rpm-ostree status --json': status(booted) })
    await rpmOstreeImage(forth).setPending('quay.io/os:2')
    expect(forth.ran.at(-1)).toBe('rpm-ostree rebase --experimental ostree-unverified-registry:quay.io/os:2')
    const back = scriptedExec({ 'rpm-ostree status --json': status(staged, booted) })
    await rpmOstreeImage(back).setPending('quay.io/os:1')
    expect(back.ran.at(-1)).toBe('rpm-ostree cleanup -p')
    const nothing = scriptedExec({ 'rpm-ostree status --json': status(booted) })
    await rpmOstreeImage(nothing).setPending('quay.io/os:1')
    expect(nothing.ran).toEqual(['rpm-ostree status --json'])
  })
})

describe('rpmOstreeKernelArguments', () => {
  it('leaves what both lists start with and does the rest in one call', async () => {
    const tree = hostTree({ 'proc/cmdline': 'root=UUID=1 rw nosmt\n' })
    trees.push(tree)
    const exec = scriptedExec({ 'rpm-ostree kargs': 'root=UUID=1 rw bar="hello world"\n' })
    const use = rpmOstreeKernelArguments(exec, tree.files)
    expect(await use.pending()).toEqual(['root=UUID=1', 'rw', 'bar="hello world"'])
    expect(await use.booted()).toEqual(['root=UUID=1', 'rw', 'nosmt'])
    await use.setPending(['root=UUID=1', 'rw', 'nosmt', 'foo'])
    expect(exec.ran.at(-1)).toBe('rpm-ostree kargs --delete-if-present=bar="hello world" --append=nosmt --append=foo')
  })

  it.each([
    [['a', 'b'], ['a', 'b'], []],
    [['a'], ['a', 'b'], ['--append=b']],
    [['a', 'b'], ['a'], ['--delete-if-present=b']],
    // Which `a` a deletion would take is not ours to guess.
    [
      ['a', 'b', 'a'],
      ['a', 'c'],
      ['--delete-if-present=a', '--delete-if-present=b', '--delete-if-present=a', '--append=a', '--append=c'],
    ],
  ])('goes from %j to %j by %j', (from, to, changes) => {
    expect(kernelArgumentChanges(from, to)).toEqual(changes)
  })
})

describe('rpmOstreePackages', () => {
  it('fails when the next deployment does not have what was asked for', async () => {
    const exec = scriptedExec({ 'rpm-ostree status --json': status({ booted: true }) })
    await expect(rpmOstreePackages(exec).setPending(['sysstat'])).rejects.toThrow(/lacks packages.*: sysstat/)
  })

  it('refuses an extension that does not exist and reads those that are complete', async () => {
    const requested = ['sysstat', 'libreswan']
    const exec = scriptedExec({ 'rpm-ostree status --json': status({ booted: true, 'requested-packages': requested }) })
    expect(await rpmOstreePackages(exec).pending()).toEqual(['sysstat'])
    await expect(rpmOstreePackages(exec).setPending(['none'])).rejects.toThrow(/invalid extensions found: \[none\]/)
  })
})

describe('rpmOstreeKernel', () => {
  it('exchanges the kernel packages and puts the image back to its own', async () => {
    const forth = scriptedExec({ 'rpm-ostree status --json': status({ booted: true }) })
    await rpmOstreeKernel(forth).setPending('realtime')
    expect(forth.ran.at(-1)).toBe(
      'rpm-ostree override remove kernel kernel-core kernel-modules kernel-modules-core kernel-modules-extra ' +
        '--install kernel-rt-core --install kernel-rt-modules --install kernel-rt-modules-extra',
    )
    const swapped = {
      booted: true,
      'requested-packages': ['kernel-rt-core'],
      'requested-base-removals': ['kernel-core'],
    }
    const back = scriptedExec({ 'rpm-ostree status --json': status(swapped) })
    expect(await rpmOstreeKernel(back).pending()).toBe('realtime')
    await rpmOstreeKernel(back).setPending('default')
    expect(back.ran.at(-1)).toBe('rpm-ostree override reset kernel-core --uninstall kernel-rt-core')
  })
})

describe('bootcImage', () => {
  const entry = (image: string) => ({
    image: { image: { image, transport: 'registry' }, version: '42.1', timestamp: null, imageDigest: digest },
    cachedUpdate: null,
    incompatible: false,
    pinned: false,
    ostree: { checksum: 'b2'.repeat(32), deploySerial: 0 },
  })
  const bootc = (staged: string | undefined) =>
    JSON.stringify({
      apiVersion: 'org.containers.bootc/v1',
      kind: 'BootcHost',
      metadata: { name: 'host' },
      spec: { image: { image: 'quay.io/os:1', transport: 'registry' }, bootOrder: 'default' },
      status: {
        staged: staged ? entry(staged) : null,
        booted: entry('quay.io/os:1'),
        rollback: null,
        type: 'bootcHost',
      },
    })

  it('reads the booted and the staged image, and refuses a machine that bootc did not boot', () => {
    expect(parseBootcStatus(bootc('quay.io/os:2'))).toEqual({ booted: 'quay.io/os:1', staged: 'quay.io/os:2' })
    expect(parseBootcStatus(bootc(undefined))).toEqual({ booted: 'quay.io/os:1', staged: undefined })
    expect(() => parseBootcStatus('{"status":{"booted":null}}')).toThrow(/no booted image/)
  })

  it('switches, and takes a staged image out of the line to go back', async () => {
    const forth = scriptedExec({ 'bootc status --json': bootc(undefined) })
    await bootcImage(forth).setPending('quay.io/os:2')
    expect(forth.ran.at(-1)).toBe('bootc switch quay.io/os:2')
    const back = scriptedExec({ 'bootc status --json': bootc('quay.io/os:2') })
    await bootcImage(back).setPending('quay.io/os:1')
    expect(back.ran.at(-1)).toBe('ostree admin undeploy 0')
  })
})
