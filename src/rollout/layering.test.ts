import { describe, expect, it } from 'vitest'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { findLayering, isBuildUnderWay, judgeImage, layeringToTarget } from './layering.ts'

const pool = { name: 'worker', config: 'v1' }

function config(image?: string, annotations: Record<string, string> = {}): MachineOSConfig {
  return {
    metadata: { name: 'mosc', annotations },
    spec: {
      machineConfigPool: { name: 'worker' },
      imageBuilder: { imageBuilderType: 'Job' },
      renderedImagePushSecret: { name: 's' },
      renderedImagePushSpec: 'r/i:latest',
    },
    ...(image && { status: { currentImagePullSpec: image } }),
  }
}

function build(name: string, phase?: string, image = 'i1', machineConfig = 'v1'): MachineOSBuild {
  const conditions = phase
    ? [{ type: phase, status: 'True', reason: 'r', message: '', lastTransitionTime: '' } as const]
    : []
  return {
    metadata: { name },
    spec: { machineConfig: { name: machineConfig }, machineOSConfig: { name: 'mosc' }, renderedImagePushSpec: 'r' },
    status: { digestedImagePushSpec: image, conditions },
  }
}

describe('judgeImage', () => {
  const layered = (image?: string, of?: MachineOSBuild) =>
    judgeImage({ kind: 'layered', config: config(image), ...(of && { build: of }) })
  it.each([
    ['no build', layered('i1'), 'wait', 'No MachineOSConfig or MachineOSBuild for this pool'],
    ['no image yet', layered(undefined, build('b', 'Succeeded')), 'wait', 'Desired image not set in MachineOSConfig'],
    ['succeeded', layered('i1', build('b', 'Succeeded')), 'go', 'Image built successfully, pullspec: i1'],
    [
      'succeeded, not taken over',
      layered('i0', build('b', 'Succeeded')),
      'wait',
      'Image built successfully, pullspec: i1 but MachineOSConfig "mosc" has not updated yet',
    ],
    ['building', layered('i1', build('b', 'Building')), 'wait', 'Image build pending'],
    ['failed', layered('i1', build('b', 'Failed')), 'failed', 'image build for MachineConfigPool b failed'],
    ['interrupted', layered('i1', build('b', 'Interrupted')), 'wait', 'Image is not ready yet'],
    [
      'orphaned',
      judgeImage({ kind: 'layered', build: build('b') }),
      'failed',
      'orphaned MachineOSBuild "b" found, but MachineOSConfig "mosc" not found',
    ],
    ['plain', judgeImage({ kind: 'plain' }), 'go', ''],
  ])('%s', (_name, verdict, kind, reason) => {
    expect(verdict).toEqual({ kind, reason })
  })
})

describe('findLayering', () => {
  const annotation = 'machineconfiguration.openshift.io/current-machine-os-build'
  it('takes the build that the annotation names', () => {
    const found = findLayering(pool, [config('i1', { [annotation]: 'b2' })], [build('b1'), build('b2')])
    expect(found).toMatchObject({ build: { metadata: { name: 'b2' } } })
    expect(found).not.toHaveProperty('staleBuildName')
  })

  it('reports a name that leads nowhere and takes the build of the present config', () => {
    const stale = build('b1', undefined, 'i', 'v0')
    const found = findLayering(pool, [config('i1', { [annotation]: 'b1' })], [stale, build('b2')])
    expect(found).toMatchObject({ build: { metadata: { name: 'b2' } }, staleBuildName: 'b1' })
  })

  it('is plain without a MachineOSConfig of this pool', () => {
    expect(findLayering({ name: 'infra', config: 'v1' }, [config('i1')], [build('b')])).toEqual({ kind: 'plain' })
  })
})

it('layeringToTarget leaves out what is not known yet', () => {
  expect(layeringToTarget({ kind: 'layered', config: config() }, 'v1')).toEqual({ kind: 'layered', config: 'v1' })
})

it.each([
  ['Building', 'i1', true],
  ['Prepared', 'i1', true],
  ['Failed', 'i1', true],
  ['Succeeded', 'i1', false],
  ['Succeeded', 'i0', true],
  ['Interrupted', 'i1', false],
])('isBuildUnderWay of a build that is %s while the pool runs %s is %s', (phase, image, expected) => {
  expect(isBuildUnderWay({ kind: 'layered', config: config(image), build: build('b', phase) })).toBe(expected)
})
