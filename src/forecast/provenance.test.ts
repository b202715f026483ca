import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fragment, ignition } from '../../test/kube/renderObjects.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { IgnitionConfig } from '../ignition/types.ts'
import { mergeMachineConfigs, mergeOrder } from '../render/mergeMachineConfigs.ts'
import { type Fragment, fragmentParser } from '../render/parseFragment.ts'
import { describeProvenance, provenanceOf } from './provenance.ts'

const parse = (configs: readonly MachineConfig[]): Fragment[] => configs.map(fragmentParser().parse)

const files = (...entries: readonly object[]) => ({ config: ignition({ storage: { files: entries } }) })
const data = (text: string) => ({ source: `data:,${text}` })

describe('provenanceOf', () => {
  it('follows the order of the merge: roles first, then names', () => {
    const custom = fragment('01-infra', files({ path: '/a', contents: data('infra') }), { role: 'infra' })
    const inherited = fragment('99-worker', files({ path: '/a', contents: data('worker') }))
    expect(provenanceOf(parse([custom, inherited])).get('/a')).toEqual({
      subject: '/a',
      setBy: [{ fragment: '01-infra', sets: ['contents'] }],
      overridden: ['99-worker'],
    })
  })

  it('tells members apart that come from different fragments', () => {
    const base = fragment('10-base', files({ path: '/a', mode: 0o600, contents: data('x') }))
    const mode = fragment('20-mode', files({ path: '/a', mode: 0o644 }))
    const found = provenanceOf(parse([base, mode])).get('/a')
    expect(found).toEqual({
      subject: '/a',
      setBy: [
        { fragment: '10-base', sets: ['contents'] },
        { fragment: '20-mode', sets: ['mode'] },
      ],
      overridden: [],
    })
    expect(found && describeProvenance(found)).toBe('10-base (contents), 20-mode (mode)')
  })

  it('gives a path that becomes a link to the link alone', () => {
    const file = fragment('10-file', files({ path: '/a', contents: data('x') }))
    const link = fragment('20-link', { config: ignition({ storage: { links: [{ path: '/a', target: '/b' }] } }) })
    expect(provenanceOf(parse([file, link])).get('/a')).toMatchObject({
      setBy: [{ fragment: '20-link', sets: ['link', 'target'] }],
      overridden: ['10-file'],
    })
  })

  it('names every fragment of a list and the winner of a field', () => {
    const one = fragment('10-one', { kernelArguments: ['a=1'], kernelType: 'realtime', osImageURL: 'one' })
    const two = fragment('20-two', { kernelArguments: ['b=2'], kernelType: 'default', osImageURL: 'two', fips: true })
    const found = provenanceOf(parse([one, two]))
    expect(found.get('kernelArguments')?.setBy).toEqual([
      { fragment: '10-one', sets: ['a=1'] },
      { fragment: '20-two', sets: ['b=2'] },
    ])
    // A plain kernel does not undo a special one.
    expect(found.get('kernelType')?.setBy.map((share) => share.fragment)).toEqual(['10-one'])
    expect(found.get('osImageURL')).toMatchObject({ overridden: ['10-one'] })
    expect(found.get('fips')?.setBy.map((share) => share.fragment)).toEqual(['20-two'])
  })

  it('keeps units, drop-ins and keys apart', () => {
    const one = fragment('10-one', {
      config: ignition({
        systemd: { units: [{ name: 'a.service', enabled: true, dropins: [{ name: 'x.conf', contents: 'x' }] }] },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['k1'] }] },
      }),
    })
    const two = fragment('20-two', {
      config: ignition({
        systemd: { units: [{ name: 'a.service', dropins: [{ name: 'x.conf', contents: 'y' }] }] },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['k2', 'k3'] }] },
      }),
    })
    const found = provenanceOf(parse([one, two]))
    expect(found.get('unit a.service')?.setBy).toEqual([{ fragment: '10-one', sets: ['enabled'] }])
    expect(found.get('unit a.service drop-in x.conf')).toMatchObject({ overridden: ['10-one'] })
    expect(found.get('user core')?.setBy.map(({ sets }) => sets.join())).toEqual(['1 ssh key', '2 ssh keys'])
  })

  it('property: what is overridden could as well not be there', () => {
    const path = fc.constantFrom('/a', '/b')
    const file = fc.record(
      { path, mode: fc.constantFrom(0o600, 0o644), contents: fc.constantFrom('x', 'y').map(data) },
      { requiredKeys: ['path'] },
    )
    const spec = fc
      .record({
        files: fc.uniqueArray(file, { selector: (entry) => entry.path }),
        link: fc.option(path),
        role: fc.boolean(),
      })
      .map(({ files: entries, link, role }) => ({
        role: role ? 'worker' : 'infra',
        storage: {
          files: entries.filter((entry) => entry.path !== link),
          ...(link !== null && { links: [{ path: link, target: '/t' }] }),
        },
      }))
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 4 }), (specs) => {
        const configs = specs.map(({ role, storage }, index) =>
          fragment(`${index}-x`, { config: ignition({ storage }) }, { role }),
        )
        const whole = merged(configs)
        for (const { subject, overridden, setBy } of provenanceOf(parse(configs)).values()) {
          if (!subject.startsWith('/')) continue
          const without = configs.map((config) =>
            overridden.includes(config.metadata.name ?? '') ? withoutPath(config, subject) : config,
          )
          expect(entryOf(merged(without), subject)).toEqual(entryOf(whole, subject))
          // Whoever sets something alone is missed.
          const last = setBy.at(-1)
          if (!last || setBy.length > 1 || overridden.length > 0) continue
          const missing = configs.map((config) =>
            config.metadata.name === last.fragment ? withoutPath(config, subject) : config,
          )
          expect(entryOf(merged(missing), subject)).toBeUndefined()
        }
      }),
    )
  })
})

function merged(configs: readonly MachineConfig[]): IgnitionConfig {
  const merge = mergeMachineConfigs(mergeOrder(parse(configs)), { osImage: '', extensionsImage: '' })
  if (merge.kind !== 'merged') throw new Error(`not merged: ${merge.kind}`)
  return merge.spec.config
}

/** The compression default that a later fragment adds is no part of what is compared. */
function entryOf({ storage = {} }: IgnitionConfig, path: string): unknown {
  const entries = [...(storage.files ?? []), ...(storage.links ?? [])]
  return entries.find((entry) => entry.path === path)
}

interface Storage {
  readonly files: readonly { readonly path: string }[]
  readonly links?: readonly { readonly path: string }[]
}

function withoutPath(config: MachineConfig, path: string): MachineConfig {
  const { storage } = (config.spec?.config ?? {}) as { readonly storage: Storage }
  const others = (entries: readonly { readonly path: string }[] = []) => entries.filter((entry) => entry.path !== path)
  return {
    ...config,
    spec: { config: ignition({ storage: { files: others(storage.files), links: others(storage.links) } }) },
  }
}
