import { describe, expect, it } from 'vitest'
import { defaultBundlePolicies } from './bundleCatalogue.ts'
import { parseBundleSettings } from './parseBundleSettings.ts'

describe('parseBundleSettings', () => {
  it('is the catalogue without settings', () => {
    expect(parseBundleSettings(undefined)).toEqual({
      policies: defaultBundlePolicies,
      sources: {},
      unusable: new Set(),
      problems: [],
    })
  })

  it('reads policy and sources, as YAML or JSON', () => {
    const { policies, sources, problems } = parseBundleSettings({
      kubeletClientCa: '{"policy": "Hold"}',
      cloudProviderCa: 'from:\n- {kind: Secret, namespace: a, name: b, key: c}\n',
      imageRegistryUserCas: 'from: [{namespace: a, name: b}]',
    })
    expect(policies).toEqual({ ...defaultBundlePolicies, kubeletClientCa: 'Hold' })
    expect(sources).toEqual({
      cloudProviderCa: [{ kind: 'Secret', namespace: 'a', name: 'b', key: 'c' }],
      imageRegistryUserCas: [{ kind: 'ConfigMap', namespace: 'a', name: 'b' }],
    })
    expect(problems).toEqual([])
  })

  it.each([
    [{ kubeletCa: '{}' }, 'kubeletCa: there is no such bundle, expected one of kubeletClientCa'],
    [{ kubeletClientCa: '{' }, 'kubeletClientCa: expected an object with policy and from'],
    [{ kubeletClientCa: 'policy: hold' }, 'kubeletClientCa: policy is "hold", expected Hold or Deliver'],
    [{ userCa: 'policy: Deliver' }, 'userCa: policy is "Deliver", expected Hold: a change of it restarts'],
    [{ rootCa: 'policy: Hold' }, 'rootCa: it is not written to nodes and has no policy; leave policy out'],
    [{ userCa: 'from: []' }, 'userCa: from is not a list of one to ten objects'],
    [{ userCa: 'from: [{name: a}]' }, 'userCa: from[0]: namespace and name are expected'],
    [{ userCa: 'from: [{namespace: a, name: a}]' }, 'userCa: from[0]: key is missing'],
    [{ userCa: 'from: [{kind: Pod}]' }, 'userCa: from[0]: kind is "Pod", expected ConfigMap or Secret'],
    [{ userCa: 'sources: []' }, 'userCa: sources is not known, expected policy or from'],
  ])('says what is wrong with %j and keeps the defaults', (data, problem) => {
    const { policies, sources, problems } = parseBundleSettings(data)
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect([policies, sources]).toEqual([defaultBundlePolicies, {}])
  })

  it('keeps the policy in force where there is a mistake', () => {
    const inForce = { ...defaultBundlePolicies, kubeletClientCa: 'Hold' as const }
    const { policies, unusable } = parseBundleSettings({ kubeletClientCa: 'policy: deliver' }, inForce)
    expect([policies, [...unusable]]).toEqual([inForce, ['kubeletClientCa']])
    expect(parseBundleSettings({}, inForce).policies).toEqual(defaultBundlePolicies)
  })

  it('never quotes a text that cannot be read', () => {
    const { problems } = parseBundleSettings({ userCa: '-----BEGIN PRIVATE KEY-----\n: c2VjcmV0' })
    expect(problems.join()).not.toContain('c2VjcmV0')
  })
})
