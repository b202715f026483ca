import { describe, expect, it } from 'vitest'
import { aNode, aPool, type NodeOptions } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import { bootPoolLabels } from './bootPoolLabels.ts'
import { controlPlaneChange } from './controlPlaneNode.ts'
import { nodeToView } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'
import { targetAnnotations, targetSpec } from './targetNode.ts'
import { updateTaint } from './updateTaint.ts'

const prefix = 'machineconfiguration.openshift.io/'
const plain: RolloutTarget = { kind: 'plain', config: 'v1' }
const layered: RolloutTarget = { kind: 'layered', config: 'v1', buildConfig: 'v1', image: 'i1' }
const view = (options: NodeOptions) => nodeToView(aNode('n', options))
const ours = { key: 'UpdateInProgress', effect: 'PreferNoSchedule' } as const
const other = { key: 'x', effect: 'NoSchedule' } as const

describe('updateTaint', () => {
  it.each<[string, RolloutTarget, NodeOptions, unknown]>([
    ['leaves a targeted node alone', plain, { current: 'v1' }, undefined],
    ['taints a node that waits', plain, { current: 'v0' }, [ours]],
    ['keeps the taint of a node that waits', plain, { current: 'v0', taints: [ours] }, undefined],
    ['removes only ours', plain, { current: 'v1', taints: [ours, other] }, [other]],
    ['adds ours after the others', plain, { current: 'v0', taints: [other] }, [other, ours]],
    ['taints a node with an older image', layered, { current: 'v1', currentImage: 'i0', desiredImage: 'i0' }, [ours]],
    [
      'frees a node with the image',
      layered,
      { current: 'v1', currentImage: 'i1', desiredImage: 'i1', taints: [ours] },
      [],
    ],
    [
      'taints a node that must lose its image',
      plain,
      { current: 'v1', currentImage: 'i1', desiredImage: 'i1' },
      [ours],
    ],
  ])('%s', (_name, target, options, expected) => {
    expect(updateTaint(view(options), target)).toEqual(expected)
  })
})

describe('targetAnnotations', () => {
  it.each<[string, RolloutTarget, NodeOptions, unknown]>([
    ['set the config', plain, { current: 'v0' }, { [`${prefix}desiredConfig`]: 'v1' }],
    ['set the config of a node without annotations', plain, {}, { [`${prefix}desiredConfig`]: 'v1' }],
    ['are none for a targeted node', plain, { current: 'v0', desired: 'v1' }, undefined],
    [
      'set config and image',
      layered,
      { current: 'v0', currentImage: 'i0', desiredImage: 'i0' },
      { [`${prefix}desiredConfig`]: 'v1', [`${prefix}desiredImage`]: 'i1' },
    ],
    [
      'take the desired image back',
      plain,
      { current: 'v1', currentImage: 'i1', desiredImage: 'i1' },
      { [`${prefix}desiredImage`]: null },
    ],
  ])('%s', (_name, target, options, expected) => {
    expect(targetAnnotations(view(options), target)).toEqual(expected)
  })
})

it('targetSpec changes the desired config, and the image only where it is shown', () => {
  const spec = { node: { name: 'n' }, pool: { name: 'worker' }, configVersion: { desired: 'v0' } }
  const object = { metadata: { name: 'n' }, spec }
  expect(targetSpec(object, plain, new Set())).toEqual({ ...spec, configVersion: { desired: 'v1' } })
  expect(targetSpec(object, layered, new Set(['ImageModeStatusReporting']))).toEqual({
    ...spec,
    configVersion: { desired: 'v1' },
    configImage: { desiredImage: 'i1' },
  })
  expect(
    targetSpec({ ...object, spec: { ...spec, configVersion: { desired: 'v1' } } }, plain, new Set()),
  ).toBeUndefined()
})

describe('bootPoolLabels', () => {
  const rendered = (owner: string): MachineConfig =>
    ({
      metadata: { name: 'r', ownerReferences: [{ apiVersion: '', kind: '', name: owner, uid: 'u', controller: true }] },
      spec: {},
    }) as MachineConfig
  const selector = {
    matchLabels: { a: '1' },
    matchExpressions: [
      { key: 'a', operator: 'In', values: ['2'] },
      { key: 'b', operator: 'In', values: ['1', '2'] },
      { key: 'c', operator: 'Exists' },
      { key: 'd', operator: 'DoesNotExist' },
    ],
  }
  const labelsOf = (owner: string, annotations: Record<string, string>) =>
    bootPoolLabels(
      view({ current: 'v0', annotations }),
      (name) => (name === 'r' ? rendered(owner) : undefined),
      (name) => (name === 'infra' ? aPool('infra', { selector }) : undefined),
    )
  const booted = { [`${prefix}firstPivotConfig`]: 'r' }
  it.each([
    ['of the custom pool, as far as its selector names one value', 'infra', booted, { a: '1', c: '' }],
    ['are none when applied before', 'infra', { ...booted, [`${prefix}customPoolLabelsApplied`]: '' }, undefined],
    ['are none for the worker pool', 'worker', booted, undefined],
    ['are none when the pool is gone', 'gone', booted, undefined],
    ['are none for an unknown config', 'infra', { [`${prefix}firstPivotConfig`]: 'q' }, undefined],
  ])('%s', (_name, owner, annotations, expected) => {
    expect(labelsOf(owner, annotations as Record<string, string>)).toEqual(expected)
  })
})

describe('controlPlaneChange', () => {
  const role = (...names: string[]) => Object.fromEntries(names.map((name) => [`node-role.kubernetes.io/${name}`, '']))
  const master = role('master', 'control-plane')
  const taint = { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' } as const
  const scheduler = (mastersSchedulable: boolean) => ({ metadata: { name: 'cluster' }, spec: { mastersSchedulable } })
  it.each<[string, NodeOptions, boolean | undefined, unknown]>([
    ['adds the control-plane label', { labels: role('master') }, undefined, { labels: role('control-plane') }],
    ['never touches workers', { labels: role('worker') }, true, undefined],
    ['decides nothing about schedulability without a Scheduler', { labels: master }, undefined, undefined],
    ['opens a master', { labels: master, taints: [taint, other] }, true, { labels: role('worker'), taints: [other] }],
    [
      'closes a master',
      { labels: { ...master, ...role('worker') } },
      false,
      { labels: { 'node-role.kubernetes.io/worker': null }, taints: [taint] },
    ],
    ['leaves a closed master', { labels: master, taints: [taint] }, false, undefined],
    ['knows the control-plane label alone', { labels: role('control-plane') }, false, { taints: [taint] }],
  ])('%s', (_name, options, isSchedulable, expected) => {
    const given = isSchedulable === undefined ? undefined : scheduler(isSchedulable)
    expect(controlPlaneChange(view(options), given)).toEqual(expected)
  })
})
