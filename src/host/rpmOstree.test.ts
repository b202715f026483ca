import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, type Tree } from '../../test/host/tree.ts'
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

  it('reads an image with its manifest in the commit, as rpm-ostree 2024.9 of Fedora CoreOS 41 prints it', () => {
    const manifest = JSON.stringify({
      schemaVersion: 2,
      layers: [{ digest, annotations: { 'ostree.components': 'a' } }],
    })
    const image = `quay.io/fedora/fedora-coreos@${digest}`
    const entry = {
      'base-commit-meta': {
        'ostree.importer.version': '0.15.3',
        'ostree.tar-filtered': {},
        'ostree.manifest': manifest,
      },
      'base-remote-replacements': {},
      'custom-origin': [image, 'Fedora CoreOS stable stream'],
      'container-image-reference': `ostree-remote-image:fedora:registry:${image}`,
      'container-image-reference-digest': digest,
      booted: true,
      version: '41.20250105.2.0',
    }
    const text = JSON.stringify({ deployments: [deployment(entry)], transaction: null, 'update-driver': null })
    expect(parseRpmOstreeStatus(text)).toEqual([
      { booted: true, image, requestedPackages: [], packages: [], localPackages: [], removedBasePackages: [] },
    ])
  })

  it('reads packages that wait for the next boot, as rpm-ostree 2023.3 of Fedora Silverblue 38 prints them', () => {
    const layered = {
      origin: 'fedora:fedora/38/x86_64/silverblue',
      'base-checksum': 'c3'.repeat(32),
      'layered-commit-meta': { 'rpmostree.clientlayer': true, 'rpmostree.rpmmd-repos': [] },
      'requested-modules': [],
      modules: [],
      signatures: [[true, false, false, false, false, 'C4'.repeat(20), 1_700_000_000, 0, 'RSA', 'SHA256']],
    }
    const waiting = { ...layered, staged: true, 'requested-packages': ['vim'], packages: ['vim'] }
    expect(parseRpmOstreeStatus(status(waiting, { ...layered, booted: true }))).toEqual([
      {
        booted: false,
        image: '',
        requestedPackages: ['vim'],
        packages: ['vim'],
        localPackages: [],
        removedBasePackages: [],
      },
      { booted: true, image: '', requestedPackages: [], packages: [], localPackages: [], removedBasePackages: [] },
    ])
  })

  it('takes lists that are left out for empty ones, as rpm-ostree 2021.5 of RHEL for Edge leaves some out', () => {
    const text = JSON.stringify({ deployments: [{ booted: true, osname: 'rhel', origin: 'edge:rhel/8/x86_64/edge' }] })
    expect(parseRpmOstreeStatus(text)).toEqual([
      { booted: true, image: '', requestedPackages: [], packages: [], localPackages: [], removedBasePackages: [] },
    ])
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

describe('rpmOstreePackages.foreign', () => {
  it('names what was layered by hand, not what configs ask for', async () => {
    const booted = {
      booted: true,
      'requested-packages': ['sysstat', 'kernel-rt-core', 'htop'],
      'requested-local-packages': ['tool-1.0-1.x86_64'],
    }
    const staged = { 'requested-packages': ['vim'] }
    const packages = rpmOstreePackages(scriptedExec({ 'rpm-ostree status --json': status(staged, booted) }))
    expect(await packages.foreign()).toEqual(['htop', 'tool-1.0-1.x86_64'])
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
