import { describe, expect, test } from 'vitest'
import type { Issue } from '../ignition/issues.ts'
import {
  type AdmissionDecision,
  admitInternalReleaseImageDeletion,
  admitMachineConfig,
  admitMachineConfigNode,
  admitMachineConfigPool,
  admitMachineConfiguration,
  admitNetworkPolicyChange,
  admitOSImageStreamDeletion,
  type MachineConfigVerdict,
} from './admission.ts'
import type { Infrastructure } from './config.ts'
import type { MachineConfig } from './machineConfig.ts'
import type { MachineConfigPool } from './machineConfigPool.ts'
import type { MachineManager } from './machineConfiguration.ts'
import type { LabelSelector } from './meta.ts'
import { authentication, machineConfigLabel, operatorNamespace } from './names.ts'
import type { OSImageStream } from './osImageStream.ts'

/** The policy that refuses and its message, or undefined. */
const refusal = (decision: AdmissionDecision) => (decision.allowed ? undefined : [decision.policy, decision.message])

describe('admitMachineConfigPool', () => {
  const pool = (machineConfigSelector?: LabelSelector, stream?: string): MachineConfigPool => ({
    metadata: { name: 'infra' },
    spec: {
      ...(machineConfigSelector ? { machineConfigSelector } : {}),
      ...(stream === undefined ? {} : { osImageStream: { name: stream } }),
    },
  })
  const role = (operator: string, ...values: string[]): LabelSelector => ({
    matchExpressions: [{ key: machineConfigLabel.role, operator, values }],
  })
  const byLabel = (value: string): LabelSelector => ({ matchLabels: { [machineConfigLabel.role]: value } })

  test.each<[string, LabelSelector | undefined, boolean]>([
    ['label role=worker', byLabel('worker'), true],
    ['label role=master', byLabel('master'), true],
    ['label role=arbiter', byLabel('arbiter'), true],
    ['label of its own role only', byLabel('infra'), false],
    ['In with worker', role('In', 'infra', 'worker'), true],
    ['In without worker', role('In', 'infra'), false],
    ['NotIn without worker', role('NotIn', 'master'), true],
    ['NotIn with worker', role('NotIn', 'worker'), false],
    ['Exists', role('Exists'), false],
    ['another key', { matchExpressions: [{ key: 'other', operator: 'In', values: ['worker'] }] }, false],
    ['no selector', undefined, false],
  ])('%s', (_case, selector, allowed) => {
    expect(refusal(admitMachineConfigPool(pool(selector), undefined))).toEqual(
      allowed
        ? undefined
        : [
            'custom-machine-config-pool-selector',
            "All custom MachineConfigPools must inherit from the worker pool and must have a machineConfigSelector that matches for a 'machineconfiguration.openshift.io/role: worker' label",
          ],
    )
  })

  test('refuses a stream that the cluster does not offer', () => {
    const offered: OSImageStream = {
      metadata: { name: 'cluster' },
      spec: { defaultStream: 'rhel-9' },
      status: { defaultStream: 'rhel-9', availableStreams: [{ name: 'rhel-9', osImage: 'a', osExtensionsImage: 'b' }] },
    }
    const refused = [
      'machineconfigpool-osimagestream-reference-validation',
      'The specified osImageStream name must reference a valid stream from the cluster OSImageStream resource',
    ]
    expect(refusal(admitMachineConfigPool(pool(byLabel('worker'), 'rhel-9'), offered))).toBeUndefined()
    expect(refusal(admitMachineConfigPool(pool(byLabel('worker'), 'rhel-10'), offered))).toEqual(refused)
    expect(refusal(admitMachineConfigPool(pool(byLabel('worker'), 'rhel-9'), undefined))).toEqual(refused)
  })
})

describe('admitMachineConfiguration', () => {
  const manager = (resource: MachineManager['resource']): MachineManager => ({
    resource,
    apiGroup: 'machine.openshift.io',
    selection: { mode: 'All' },
  })
  const on = (type: string): Infrastructure => ({ metadata: { name: 'cluster' }, status: { platformStatus: { type } } })
  const platforms = 'This feature is only supported on these platforms: GCP, AWS, VSphere, Azure'
  const controlPlanePlatforms =
    'The control plane machineset boot image update feature is only supported on these platforms: GCP, AWS, Azure'

  test.each<[string, string, MachineManager[] | undefined, Infrastructure | undefined, string | undefined]>([
    [
      'other name',
      'default',
      undefined,
      undefined,
      'Only a single object of MachineConfiguration is allowed and it must be named cluster.',
    ],
    ['no boot images', 'cluster', undefined, undefined, undefined],
    ['AWS', 'cluster', [manager('machinesets')], on('AWS'), undefined],
    ['BareMetal', 'cluster', [manager('machinesets')], on('BareMetal'), platforms],
    ['no Infrastructure', 'cluster', [], undefined, platforms],
    ['control plane on Azure', 'cluster', [manager('controlplanemachinesets')], on('Azure'), undefined],
    ['control plane on VSphere', 'cluster', [manager('controlplanemachinesets')], on('VSphere'), controlPlanePlatforms],
    ['workers on VSphere', 'cluster', [manager('machinesets')], on('VSphere'), undefined],
  ])('%s', (_case, name, machineManagers, infrastructure, message) => {
    const spec = machineManagers ? { managedBootImages: { machineManagers } } : {}
    expect(refusal(admitMachineConfiguration({ metadata: { name }, spec }, infrastructure))?.[1]).toBe(message)
  })
})

describe('deletions and protected objects', () => {
  test('an OSImageStream is never deleted', () => {
    expect(refusal(admitOSImageStreamDeletion())).toEqual([
      'osimagestream-prevent-deletion',
      'Deletion of OSImageStream resources is not allowed',
    ])
  })

  test('an InternalReleaseImage stays while the cluster runs one of its releases', () => {
    const version = { metadata: { name: 'version' }, status: { desired: { image: 'quay.io/rel@sha256:aa' } } }
    expect(refusal(admitInternalReleaseImageDeletion(['localhost/x@sha256:aa'], version))?.[0]).toBe(
      'internalreleaseimage-deletion-guard',
    )
    expect(admitInternalReleaseImageDeletion(['localhost/x@sha256:bb'], version).allowed).toBe(true)
    expect(admitInternalReleaseImageDeletion(['localhost/x'], undefined).allowed).toBe(true)
  })

  test('a NetworkPolicy of the operator is changed by the operator only', () => {
    const own = { namespace: operatorNamespace, name: 'default-deny' }
    const user = { username: 'alice' }
    expect(refusal(admitNetworkPolicyChange('UPDATE', own, user))?.[0]).toBe('networkpolicy-prevent-update')
    expect(refusal(admitNetworkPolicyChange('DELETE', own, user))?.[0]).toBe('networkpolicy-prevent-deletion')
    expect(admitNetworkPolicyChange('DELETE', own, { username: authentication.operatorUser }).allowed).toBe(true)
    expect(admitNetworkPolicyChange('DELETE', { ...own, namespace: 'default' }, user).allowed).toBe(true)
    expect(admitNetworkPolicyChange('DELETE', { ...own, name: 'mine' }, user).allowed).toBe(true)
  })
})

describe('admitMachineConfigNode', () => {
  const node = { metadata: { name: 'node-1' } }
  const daemon = (...claims: string[]) => ({
    username: authentication.daemonUser,
    extra: { [authentication.nodeNameClaim]: claims },
  })
  test.each([
    ['another user', { username: 'alice' }, undefined],
    ['the daemon of the node', daemon('node-1'), undefined],
    [
      'the daemon of another node',
      daemon('node-2'),
      "updates to MCN node-1 can only be done from the MCN's owner node",
    ],
    ['a daemon without a claim', daemon(), 'this user must have a "authentication.kubernetes.io/node-name" claim'],
    [
      'a daemon without extras',
      { username: authentication.daemonUser },
      'this user must have a "authentication.kubernetes.io/node-name" claim',
    ],
  ])('%s', (_case, user, message) => {
    expect(refusal(admitMachineConfigNode(node, user))?.[1]).toBe(message)
  })
})

describe('admitMachineConfig', () => {
  const config = (spec: MachineConfig['spec'] = { fips: true }): MachineConfig => ({ metadata: { name: '99-a' }, spec })
  const issue = (severity: Issue['severity'], path: string, message: string): Issue => ({ severity, path, message })
  const verdict = (value: MachineConfigVerdict) => () => value
  const broken = {
    whyNotRendered: 'kernelType=x is invalid',
    issues: [
      issue('error', '$.spec.kernelType', 'unknown'),
      issue('warning', '$.spec.config.storage', 'odd'),
      issue('error', '$.spec.config.storage.files[0].mode', 'mode 644 is decimal; did you mean 0644?'),
    ],
  }

  test('refuses what would not render, with every error at once and the warnings beside', () => {
    expect(admitMachineConfig(config(), undefined, verdict(broken))).toEqual({
      allowed: false,
      policy: 'machineconfig-renders',
      message:
        'this MachineConfig cannot be rendered: spec.kernelType: unknown; spec.config.storage.files[0].mode: mode 644 is decimal; did you mean 0644?',
      warnings: ['spec.config.storage: odd'],
    })
  })

  test("refuses with the renderer's own sentence when it has no finer issue", () => {
    expect(
      refusal(admitMachineConfig(config(), undefined, verdict({ whyNotRendered: 'too odd', issues: [] })))?.[1],
    ).toBe('this MachineConfig cannot be rendered: too odd')
  })

  test('only warns about errors that do not keep a pool from rendering', () => {
    const issues = [issue('error', '$.spec.extensions[0]', 'extension "x" is not known')]
    expect(admitMachineConfig(config(), undefined, verdict({ issues }))).toEqual({
      allowed: true,
      warnings: ['spec.extensions[0]: extension "x" is not known'],
    })
  })

  test('warns about a spec that says nothing', () => {
    for (const spec of [{}, { osImageURL: '', config: null, kernelArguments: [], fips: false }]) {
      const decision = admitMachineConfig(config(spec), undefined, verdict({ issues: [] }))
      expect(decision).toEqual({ allowed: true, warnings: [expect.stringContaining('check the indentation')] })
    }
  })

  test('lets a broken object be edited outside of its spec, but not made broken', () => {
    expect(admitMachineConfig(config(), config(), verdict(broken)).allowed).toBe(true)
    expect(admitMachineConfig(config(), config({ fips: false }), verdict(broken)).allowed).toBe(false)
  })
})
