import { describe, expect, it } from 'vitest'
import type { MachineConfiguration } from '../api/machineConfiguration.ts'
import { classifyChange } from './classifyChange.ts'
import type { MachineConfigView } from './configDiff.ts'
import { defaultPolicies, type PolicyAction } from './disruptionPolicies.ts'
import { effectivePolicies, policyGlobsAnnotation, poolPoliciesAnnotation } from './effectivePolicies.ts'
import { parsePoolPolicies } from './poolPolicies.ts'
import { runtimeOf } from './runtimePolicies.ts'

const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const settings = (files: readonly unknown[], annotations: Readonly<Record<string, string>> = {}) =>
  ({ metadata: { name: 'cluster', annotations }, spec: { nodeDisruptionPolicy: { files } } }) as MachineConfiguration
const poolAnnotations = (value: unknown) => ({
  [poolPoliciesAnnotation]: typeof value === 'string' ? value : JSON.stringify(value),
})
const view = (text: string, path: string): MachineConfigView => ({
  name: text,
  osImageURL: '',
  kernelArguments: [],
  extensions: [],
  fips: false,
  kernelType: '',
  ignition: { ignition: { version: '3.5.0' }, storage: { files: [{ path, contents: { source: `data:,${text}` } }] } },
})
const actionsFor = (path: string, sources: Parameters<typeof effectivePolicies>[0]) =>
  classifyChange(view('a', path), view('b', path), effectivePolicies(sources)).actions

const withAuthorities = {
  ...defaultPolicies,
  files: [
    ...defaultPolicies.files,
    { path: '/etc/kubernetes/kubelet-ca.crt', actions: [{ type: 'None' }] },
    { path: '/etc/kubernetes/static-pod-resources/configmaps/cloud-config/ca-bundle.pem', actions: [{ type: 'None' }] },
    { path: '/etc/docker/certs.d', actions: [{ type: 'None' }] },
  ],
}

describe('effectivePolicies', () => {
  it('are the defaults without anything else', () => {
    expect(effectivePolicies({ settings: undefined })).toEqual({ policies: withAuthorities })
  })

  it('disturbs nobody for authorities that come with a config, unless a user says otherwise', () => {
    const path = '/etc/kubernetes/kubelet-ca.crt'
    expect(actionsFor(path, { settings: undefined })).toEqual([{ type: 'None' }])
    const files = [{ path: '/etc/kubernetes', actions: [restart('kubelet.service')] }]
    expect(actionsFor(path, { settings: settings(files) })).toEqual([restart('kubelet.service')])
    const globs = settings([{ path: '/etc/**', actions: [restart('a.service')] }], { [policyGlobsAnnotation]: 'true' })
    expect(actionsFor(path, { settings: globs })).toEqual([restart('a.service')])
  })

  it('takes globs literally, unless the annotation says otherwise', () => {
    const files = [{ path: '/etc/app/**/*.conf', actions: [restart('app.service')] }]
    expect(actionsFor('/etc/app/x/a.conf', { settings: settings(files) })).toEqual([{ type: 'Reboot' }])
    const globs = settings(files, { [policyGlobsAnnotation]: 'true' })
    expect(actionsFor('/etc/app/x/a.conf', { settings: globs })).toEqual([restart('app.service')])
    expect(actionsFor('/etc/app/x/a.txt', { settings: globs })).toEqual([{ type: 'Reboot' }])
  })

  it('prefers any plain path to a glob, and the longer glob', () => {
    const files = [
      { path: '/**', actions: [{ type: 'None' }] },
      { path: '/etc/*', actions: [restart('short.service')] },
      { path: '/etc/*.conf', actions: [restart('long.service')] },
    ]
    const globs = settings(files, { [policyGlobsAnnotation]: 'true' })
    expect(actionsFor('/etc/a.conf', { settings: globs })).toEqual([restart('long.service')])
    expect(actionsFor('/opt/a', { settings: globs })).toEqual([{ type: 'None' }])
    expect(actionsFor('/etc/containers/policy.json', { settings: globs })).toEqual([
      { type: 'Reload', reload: { serviceName: 'crio.service' } },
    ])
  })

  it("lays a pool's policies over the cluster's, in this pool only", () => {
    const cluster = settings([{ path: '/etc/a', actions: [restart('cluster.service')] }])
    const own = poolAnnotations({ files: [{ path: '/etc/a', actions: [restart('pool.service')] }] })
    expect(actionsFor('/etc/a', { settings: cluster })).toEqual([restart('cluster.service')])
    expect(actionsFor('/etc/a', { settings: cluster, poolAnnotations: own })).toEqual([restart('pool.service')])
    expect(actionsFor('/var/lib/kubelet/config.json', { settings: cluster, poolAnnotations: own })).toEqual([
      { type: 'None' },
    ])
  })

  it("says what is wrong with a pool's policies and what to do", () => {
    expect(
      effectivePolicies({ settings: undefined, poolName: 'infra', poolAnnotations: poolAnnotations('{') }),
    ).toEqual({
      policies: withAuthorities,
      problem:
        'pool infra: annotation machineconfig.io/node-disruption-policy is not usable: it is not JSON; correct or remove it',
    })
  })

  it('restarts containerd where CRI-O would be reloaded', () => {
    const runtime = runtimeOf('containerd://1.7.12')
    const onContainerd = { settings: undefined, runtime }
    expect(actionsFor('/etc/containers/policy.json', onContainerd)).toEqual([restart('containerd.service')])
    expect(actionsFor('/etc/containers/registries.conf', onContainerd)).toEqual([restart('containerd.service')])
    expect(actionsFor('/etc/kubernetes/credential-providers/x', onContainerd)).toEqual([restart('kubelet.service')])
    expect(runtimeOf('cri-o://1.32.0')).toBe('cri-o')
    expect(runtimeOf(undefined)).toBe('cri-o')
  })
})

describe('parsePoolPolicies', () => {
  it.each([
    ['{}', undefined],
    ['{"sshkey":{"actions":[{"type":"Reboot"}]}}', undefined],
    ['[]', 'the policy is no object'],
    ['{"file":[]}', 'the policy has an unknown member "file"'],
    ['{"files":{}}', 'files is no list'],
    ['{"files":[{"path":"/a"}]}', 'files[0].actions names no action'],
    ['{"files":[{"actions":[{"type":"None"}]}]}', 'files[0].path is no text'],
    [
      '{"units":[{"name":"a","actions":[{"type":"Special"}]}]}',
      'units[0].actions[0].type is "Special", expected one of',
    ],
    [
      '{"units":[{"name":"a","actions":[{"type":"Reboot"},{"type":"Drain"}]}]}',
      'units[0].actions: Reboot stands alone',
    ],
    ['{"units":[{"name":"a","actions":[{"type":"Restart"}]}]}', 'units[0].actions[0].restart is no object'],
    [
      '{"units":[{"name":"a","actions":[{"type":"Reload","reload":{"serviceName":"x y"}}]}]}',
      'units[0].actions[0].reload.serviceName is no name of a unit: x y',
    ],
  ])('%s', (text, problem) => {
    const parsed = parsePoolPolicies(text)
    if (problem === undefined) expect(parsed.kind).toBe('parsed')
    else expect(parsed).toMatchObject({ kind: 'unusable', problem: expect.stringContaining(problem) })
  })
})
