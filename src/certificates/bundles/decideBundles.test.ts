import { beforeAll, describe, expect, it } from 'vitest'
import type { ControllerConfigSpec } from '../../api/controllerConfig.ts'
import { createAuthority } from '../issueCertificate.ts'
import type { BundleSource } from './bundleCatalogue.ts'
import { changeText } from './bundleChange.ts'
import { bundlePaths, controllerCertificates, readBundleField } from './bundleFields.ts'
import { type BundlesInput, decideBundles } from './decideBundles.ts'

const now = new Date('2026-01-01T00:00:00Z')
const openshift = 'ConfigMap openshift-config-managed/kube-apiserver-client-ca ca-bundle.crt'
const plain = 'ConfigMap kube-system/extension-apiserver-authentication client-ca-file'
const pem: Record<'old' | 'fresh' | 'ended', string> = { old: '', fresh: '', ended: '' }

beforeAll(async () => {
  const make = async (name: string, notAfter: string) =>
    (await createAuthority(name, new Date('2020-01-01T00:00:00Z'), { notAfter: new Date(notAfter) })).certificatePem
  pem.old = await make('signer@1', '2026-03-01T00:00:00Z')
  pem.fresh = await make('signer@2', '2027-01-01T00:00:00Z')
  pem.ended = await make('signer@0', '2021-01-01T00:00:00Z')
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const emptySpec = { kubeAPIServerServingCAData: '' } as ControllerConfigSpec
const specWith = (text: string): ControllerConfigSpec => ({ ...emptySpec, kubeAPIServerServingCAData: base64(text) })
const nameOf = ({ namespace, name }: BundleSource): string => `${namespace}/${name}`

function decide(objects: Record<string, Record<string, string>>, input: Partial<BundlesInput> = {}) {
  return decideBundles({
    spec: emptySpec,
    state: {},
    settings: { sources: {}, unusable: new Set() },
    find: (source) => objects[nameOf(source)],
    now,
    ...input,
  })
}

const inPlain = (text: string) => ({ 'kube-system/extension-apiserver-authentication': { 'client-ca-file': text } })
const known = { kubeletClientCa: { source: plain, certificates: 1, since: '2025-01-01T00:00:00.000Z' } }

describe('decideBundles', () => {
  it('takes the first bundle that it finds, and says what is in it', () => {
    const { spec, state, changes } = decide(inPlain(pem.old))
    expect(spec).toEqual({ kubeAPIServerServingCAData: base64(pem.old) })
    expect(state.kubeletClientCa).toEqual({ source: plain, certificates: 1, since: now.toISOString() })
    expect(changes.map(changeText)).toEqual([
      'bundle kubeletClientCa: new: CN=signer@1 (until 2026-03-01T00:00:00.000Z)',
    ])
  })

  it("prefers OpenShift's object", () => {
    const objects = {
      ...inPlain(pem.old),
      'openshift-config-managed/kube-apiserver-client-ca': { 'ca-bundle.crt': pem.fresh },
    }
    expect(decide(objects).state.kubeletClientCa?.source).toBe(openshift)
  })

  it('changes nothing the second time', () => {
    const first = decide(inPlain(pem.old + pem.fresh))
    const second = decide(inPlain(pem.old + pem.fresh), {
      spec: { ...emptySpec, ...first.spec },
      state: first.state,
      now: new Date('2026-01-02T00:00:00Z'),
    })
    expect(second).toEqual({ spec: {}, state: first.state, changes: [], problems: [] })
  })

  it('names what a rotation brings and takes', () => {
    const { spec, changes } = decide(inPlain(pem.fresh), { spec: specWith(pem.old), state: known })
    expect(spec).toEqual({ kubeAPIServerServingCAData: base64(pem.fresh) })
    expect(changes.map(({ added, removed }) => [added, removed])).toEqual([
      [['CN=signer@2 (until 2027-01-01T00:00:00.000Z)'], ['CN=signer@1 (until 2026-03-01T00:00:00.000Z)']],
    ])
  })

  it('takes certificates and nothing that stands between them, each once', () => {
    const secret = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n'
    const { spec } = decide(inPlain(`# comment\n${secret}${pem.old}${pem.old}`))
    expect(spec).toEqual({ kubeAPIServerServingCAData: base64(pem.old) })
  })

  it.each([
    ['an empty text', '', 'SourceEmpty'],
    ['garbage', 'not a certificate', 'Unreadable'],
    ['a damaged block', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', 'Unreadable'],
  ])('keeps a good bundle against %s, and says so once', (_, text, reason) => {
    const first = decide(inPlain(text), { spec: specWith(pem.old), state: known })
    expect([first.spec, first.changes, first.state.kubeletClientCa?.problem?.reason]).toEqual([{}, [], reason])
    expect(first.problems).toHaveLength(1)
    const later = new Date('2026-01-02T00:00:00Z')
    const second = decide(inPlain(text), { spec: specWith(pem.old), state: first.state, now: later })
    expect(second).toEqual({ ...first, problems: [] })
  })

  it('keeps a good bundle against an ended one, and against one that is damaged in part', () => {
    const damaged = `${pem.fresh}-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n`
    const reasonFor = (text: string) => {
      const { spec, state } = decide(inPlain(text), { spec: specWith(pem.old), state: known })
      return [spec, state.kubeletClientCa?.problem?.reason]
    }
    expect(reasonFor(pem.ended)).toEqual([{}, 'Expired'])
    expect(reasonFor(damaged)).toEqual([{}, 'Damaged'])
    expect(decide(inPlain(damaged)).spec).toEqual({ kubeAPIServerServingCAData: base64(pem.fresh) })
  })

  it('keeps the last known bundle when its source is gone, and does not fall to one of lower rank', () => {
    const gone = decide({}, { spec: specWith(pem.old), state: known })
    expect(gone.spec).toEqual({})
    expect(gone.problems.map(({ problem }) => problem)).toEqual([
      {
        reason: 'SourceMissing',
        message: `${plain} does not exist; the last known bundle stays. Create it again, or name another source`,
      },
    ])
    const state = { kubeletClientCa: { ...known.kubeletClientCa, source: openshift } }
    const fallen = decide(inPlain(pem.fresh), { spec: specWith(pem.old), state })
    expect([fallen.spec, fallen.state.kubeletClientCa?.problem?.reason]).toEqual([{}, 'SourceMissing'])
  })

  it('leaves alone a bundle whose settings have a mistake', () => {
    const settings = { sources: {}, unusable: new Set(['kubeletClientCa'] as const) }
    const decision = decide(inPlain(pem.fresh), { spec: specWith(pem.old), state: known, settings })
    expect(decision).toEqual({ spec: {}, state: known, changes: [], problems: [] })
  })

  it('leaves alone what nobody is the source of', () => {
    expect(decide({}, { spec: specWith(pem.old) })).toEqual({ spec: {}, state: {}, changes: [], problems: [] })
  })

  it('handles a thousand certificates, and refuses what an object of the API cannot hold', () => {
    const thousand = Array.from({ length: 1_000 }, () => pem.old).join('')
    expect(decide(inPlain(thousand)).spec).toEqual({ kubeAPIServerServingCAData: base64(pem.old) })
    const registries = Object.fromEntries(Array.from({ length: 1_800 }, (_, index) => [`registry-${index}`, pem.old]))
    const source = { kind: 'ConfigMap', namespace: 'n', name: 'cas' } as const
    const { spec, state } = decide(
      { 'n/cas': registries },
      { settings: { sources: { imageRegistryUserCas: [source] }, unusable: new Set() } },
    )
    expect([spec, state.imageRegistryUserCas?.problem?.reason]).toEqual([{}, 'TooLarge'])
  })

  it('reads a file for each registry; one that is no bundle keeps what it had, one that is gone goes', () => {
    const objects = {
      'openshift-config-managed/image-registry-ca': { 'a..5000': pem.fresh, b: 'garbage', '../x': pem.fresh },
    }
    const entry = (file: string) => ({ file, data: base64(pem.old) })
    const spec = { ...emptySpec, imageRegistryBundleData: [entry('a..5000'), entry('b'), entry('c')] }
    const decision = decide(objects, { spec })
    expect(decision.spec).toEqual({
      imageRegistryBundleData: [{ file: 'a..5000', data: base64(pem.fresh) }, entry('b')],
    })
    expect(decision.state.imageRegistryCas?.problem?.message).toContain('"../x" is no name of a registry')
    const files = readBundleField('imageRegistryCas', { ...spec, ...decision.spec })
    expect([...bundlePaths('imageRegistryCas', files).keys()]).toEqual([
      '/etc/docker/certs.d/a:5000/ca.crt',
      '/etc/docker/certs.d/b/ca.crt',
    ])
  })
})

describe('controllerCertificates', () => {
  it('lists every certificate under the name of its bundle', () => {
    const spec = { ...specWith(pem.old), imageRegistryBundleData: [{ file: 'r..5000', data: base64(pem.fresh) }] }
    expect(controllerCertificates(spec)).toEqual([
      {
        bundleFile: 'KubeAPIServerServingCAData',
        subject: 'CN=signer@1',
        signer: 'CN=signer@1',
        notBefore: '2019-12-31T23:00:00Z',
        notAfter: '2026-03-01T00:00:00Z',
      },
      {
        bundleFile: 'r..5000',
        subject: 'CN=signer@2',
        signer: 'CN=signer@2',
        notBefore: '2019-12-31T23:00:00Z',
        notAfter: '2027-01-01T00:00:00Z',
      },
    ])
  })
})
