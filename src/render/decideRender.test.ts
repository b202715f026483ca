import { expect, test } from 'vitest'
import { controllerConfig, fragment, hash, ignition, pool, version, withFile } from '../../test/kube/renderObjects.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { osImageStreamAnnotation } from '../api/names.ts'
import type { OSImageStream } from '../api/osImageStream.ts'
import { decideRender, type RenderDecision, type RenderSnapshot } from './decideRender.ts'
import { fragmentParser } from './parseFragment.ts'
import type { RenderAction } from './renderAction.ts'

const now = new Date('2026-01-01T00:00:00Z')
const { parse } = fragmentParser()

const snapshot = (overrides: Partial<RenderSnapshot> = {}): RenderSnapshot => ({
  pool: pool(),
  configs: [fragment('99-b', { config: withFile('/etc/b') }), fragment('00-a', { config: withFile('/etc/a') })],
  controllerConfig: controllerConfig(),
  kubeletConfigs: [],
  containerRuntimeConfigs: [],
  overrides: {},
  version,
  hash,
  now,
  ...overrides,
})

const decide = (overrides: Partial<RenderSnapshot> = {}) => decideRender(snapshot(overrides), { parse })

function rendered(decision: RenderDecision): Extract<RenderDecision, { kind: 'rendered' }> {
  if (decision.kind !== 'rendered') throw new Error(`expected a rendered pool, got ${JSON.stringify(decision)}`)
  return decision
}

const actionsOf = (decision: RenderDecision): readonly RenderAction[] => ('actions' in decision ? decision.actions : [])
const kinds = (decision: RenderDecision): string[] => actionsOf(decision).map(({ kind }) => kind)
const failureOf = (decision: RenderDecision): string => (decision.kind === 'failed' ? decision.message : decision.kind)

/** The pool and the configs after the decision was carried out. */
function applied(before: RenderSnapshot, decision: RenderDecision): RenderSnapshot {
  let { pool: target, configs } = before
  for (const action of actionsOf(decision)) {
    if (action.kind === 'createRendered') configs = [...configs, action.object]
    if (action.kind === 'setTarget') {
      target = { ...target, spec: { ...target.spec, configuration: action.configuration } }
    }
    if (action.kind === 'setRenderDegraded') {
      const status = action.failure === undefined ? 'False' : 'True'
      const condition = {
        type: 'RenderDegraded',
        status,
        reason: '',
        message: action.failure ?? '',
        lastTransitionTime: null,
      }
      target = { ...target, status: { conditions: [condition] } }
    }
  }
  return { ...before, pool: target, configs }
}

const settledSnapshot = (): RenderSnapshot => applied(snapshot(), decide())

test('decideRender of a pool without a config creates the rendered one, then targets it', () => {
  const decision = rendered(decide())
  expect(kinds(decision)).toEqual(['createRendered', 'event', 'setTarget', 'setRenderDegraded'])
  const name = decision.rendered.metadata.name
  expect(decision.actions[1]).toMatchObject({
    reason: 'RenderedConfigGenerated',
    message: `${name} successfully generated (release version: 4.23.0, controller version: abc123)`,
  })
  expect(decision.actions[2]).toMatchObject({
    configuration: { name, source: [{ name: '00-a' }, { name: '99-b' }] },
  })
})

test('decideRender writes nothing the second time', () => {
  expect(rendered(decideRender(settledSnapshot(), { parse })).actions).toEqual([])
})

test('decideRender repairs an edited rendered config and leaves the pool alone', () => {
  const before = settledSnapshot()
  const configs = before.configs.map((config) =>
    config.metadata.name?.startsWith('rendered-')
      ? { ...config, spec: { ...config.spec, osImageURL: 'edited' } }
      : config,
  )
  expect(kinds(decideRender({ ...before, configs }, { parse }))).toEqual(['updateRendered'])
})

test('decideRender puts an edit back that nodes could not take', () => {
  const before = settledSnapshot()
  const config = ignition({ storage: { disks: [{ device: '/dev/a', wipeTable: true }] } })
  const configs = before.configs.map((object) =>
    object.metadata.name?.startsWith('rendered-') ? { ...object, spec: { ...object.spec, config } } : object,
  )
  expect(kinds(decideRender({ ...before, configs }, { parse }))).toEqual(['updateRendered'])
})

test('decideRender updates the source when the same result comes from other MachineConfigs', () => {
  const before = settledSnapshot()
  const decision = rendered(decideRender({ ...before, configs: [...before.configs, fragment('50-empty')] }, { parse }))
  expect(decision.actions).toMatchObject([
    { kind: 'setTarget', because: 'the same result comes from other MachineConfigs' },
  ])
})

test('decideRender renders a paused pool: the rollout holds it back', () => {
  expect(kinds(decide({ pool: pool('worker', { paused: true }) }))).toContain('setTarget')
})

test('decideRender recreates a target that was deleted, without the reconcile check', () => {
  const target = pool('worker', { configuration: { name: 'rendered-worker-gone' } })
  expect(kinds(decide({ pool: target }))).toContain('createRendered')
})

test('decideRender reports an image that a user overrides', () => {
  const decision = rendered(decide({ configs: [fragment('a', { osImageURL: 'quay.io/custom@sha256:1' })] }))
  expect(decision.overridden).toBe(true)
  expect(decision.actions.find((action) => action.kind === 'event' && action.on === 'rendered')).toMatchObject({
    reason: 'OSImageURLOverridden',
    message: `OSImageURL was overridden via machineconfig in ${decision.rendered.metadata.name} (was: registry.example.com/os@sha256:00 is: quay.io/custom@sha256:1)`,
  })
})

test('decideRender leaves a pool with an empty selector alone, with a warning', () => {
  const decision = decide({ pool: pool('worker', { machineConfigSelector: { matchLabels: {} } }) })
  expect(decision).toMatchObject({ kind: 'ignored', actions: [{ type: 'Warning', reason: 'SelectingAll' }] })
})

test('decideRender waits for a KubeletConfig of the pool and says so', () => {
  const broken: KubeletConfig = {
    metadata: { name: 'k' },
    spec: { machineConfigPoolSelector: {} },
    status: { conditions: [] },
  }
  const decision = decide({ kubeletConfigs: [broken] })
  expect(decision).toMatchObject({ kind: 'waiting', reasons: ['KubeletConfig has not completed'] })
  expect(kinds(decision)).toEqual(['event'])
})

const failure = (error: string) => `Failed to render configuration for pool worker: ${error}`
const generation = (error: string) => failure(`could not generate rendered MachineConfig: ${error}`)
const invalidVersion =
  'parsing Ignition config failed: invalid version. Supported spec versions: 2.2,3.0,3.1,3.2,3.3,3.4,3.5'

test.each<readonly [string, Partial<RenderSnapshot>, string]>([
  [
    'nothing selected',
    { configs: [] },
    failure('no MachineConfigs found matching selector machineconfiguration.openshift.io/role in (worker)'),
  ],
  ['a config without a version', { configs: [fragment('a', { config: {} })] }, generation(invalidVersion)],
  ['an unknown kernel', { configs: [fragment('a', { kernelType: 'x' })] }, generation('kernelType=x is invalid')],
  [
    'a controller of another version',
    { version: 'v2' },
    generation('ignoring controller config generated from v1 (my version: v2)'),
  ],
  [
    'a bad selector',
    { pool: pool('worker', { machineConfigSelector: { matchExpressions: [{ key: 'a', operator: 'Foo' }] } }) },
    failure('invalid label selector: "Foo" is not a valid label selector operator'),
  ],
])('decideRender with %s fails and keeps the present config', (_name, overrides, message) => {
  const decision = decide(overrides)
  expect(failureOf(decision)).toBe(message)
  expect(actionsOf(decision)).toEqual([{ kind: 'setRenderDegraded', failure: message }])
})

test('decideRender refuses a config that running nodes could not take, and names the fragment', () => {
  const before = settledSnapshot()
  const disk = fragment('50-disk', {
    config: ignition({ storage: { disks: [{ device: '/dev/a', wipeTable: true }] } }),
  })
  const decision = decideRender({ ...before, configs: [...before.configs, disk] }, { parse })
  expect(failureOf(decision)).toContain('and base config "50-disk": ignition disks section contains changes')
  expect(kinds(decision)).toEqual(['setRenderDegraded'])
  const allowed = decideRender(
    { ...before, configs: [...before.configs, disk], overrides: { storage: ['Disks'] } },
    { parse },
  )
  expect(allowed.kind).toBe('rendered')
})

test('decideRender refuses a config that etcd could not store', () => {
  const big = (index: number) => fragment(`${index}`, { config: withFile(`/etc/${index}`, 'x'.repeat(800_000)) })
  expect(failureOf(decide({ configs: [big(0), big(1)] }))).toContain('size validation failed: rendered MachineConfig')
})

const runc = ignition({
  storage: {
    files: [
      {
        path: '/etc/crio/crio.conf.d/00-x',
        contents: { source: 'data:,%5Bcrio.runtime%5D%0Adefault_runtime%20%3D%20%22runc%22%0A' },
      },
    ],
  },
})
const rhel10: OSImageStream = {
  metadata: { name: 'cluster', annotations: { [osImageStreamAnnotation.releaseImageVersion]: hash } },
  spec: { defaultStream: 'rhel-10' },
  status: {
    defaultStream: 'rhel-10',
    availableStreams: [{ name: 'rhel-10', osImage: 'os10', osExtensionsImage: 'ext10' }],
  },
}
const streams = (worker?: MachineConfigPool) => ({ object: rhel10, worker })

test('decideRender takes the images of the stream', () => {
  expect(rendered(decide({ streams: streams() })).rendered.spec).toMatchObject({ osImageURL: 'os10' })
})

test('decideRender refuses runc where the stream has none', () => {
  const decision = decide({ streams: streams(), configs: [fragment('a', { config: runc })] })
  expect(decision).toMatchObject({ kind: 'failed', reason: 'RuncUnavailable' })
})

const overridden: readonly MachineConfig[] = [fragment('a', { config: runc, osImageURL: 'custom@sha256:1' })]

test.each([
  [{ kind: 'stream', name: 'rhel-10' }, 'failed'],
  [{ kind: 'stream', name: 'rhel-9' }, 'rendered'],
  [{ kind: 'unlabelled' }, 'rendered'],
  [{ kind: 'unavailable' }, 'rendered'],
  [{ kind: 'failed', error: 'timeout' }, 'failed'],
] as const)('decideRender with runc in an overridden image that is %j is %s', (result, expected) => {
  expect(decide({ configs: overridden })).toEqual({ kind: 'inspect', image: 'custom@sha256:1' })
  expect(decide({ configs: overridden, inspected: { image: 'custom@sha256:1', result } }).kind).toBe(expected)
})
