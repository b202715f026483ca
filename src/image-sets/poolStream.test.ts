import { expect, test } from 'vitest'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { osImageStreamAnnotation } from '../api/names.ts'
import type { OSImageStream } from '../api/osImageStream.ts'
import { poolStream, streamNameOf } from './poolStream.ts'

const pool = (name: string, stream?: string): MachineConfigPool => ({
  metadata: { name },
  spec: stream === undefined ? {} : { osImageStream: { name: stream } },
})

test.each([
  ['infra', 'rhel-10', 'rhel-9', 'rhel-10'],
  ['infra', undefined, 'rhel-9', 'rhel-9'],
  ['infra', undefined, undefined, ''],
  ['master', 'rhel-10', 'rhel-9', 'rhel-10'],
  ['master', undefined, 'rhel-9', ''],
  ['arbiter', undefined, 'rhel-9', ''],
  ['worker', undefined, undefined, ''],
])('streamNameOf pool %s with stream %s beside a worker pool with %s is %j', (name, own, workers, expected) => {
  expect(streamNameOf(pool(name, own), pool('worker', workers))).toBe(expected)
})

test('streamNameOf a custom pool without a worker pool is the default', () => {
  expect(streamNameOf(pool('infra'), undefined)).toBe('')
})

const set = { name: 'rhel-9', osImage: 'os', osExtensionsImage: 'ext' }
const stream = (annotations: Readonly<Record<string, string>>): OSImageStream => ({
  metadata: { name: 'cluster', annotations },
  spec: { defaultStream: 'rhel-9' },
  status: { defaultStream: 'rhel-9', availableStreams: [set] },
})
const stamped = (hash: string) => stream({ [osImageStreamAnnotation.releaseImageVersion]: hash })

test.each([
  ['of this build', stamped('h'), { kind: 'found', set }],
  [
    'of another build',
    stamped('x'),
    { kind: 'refused', message: 'ignoring OSImageStream with version x (my version: h)' },
  ],
  [
    'without a stamp',
    stream({}),
    {
      kind: 'refused',
      message:
        'ignoring OSImageStream without machineconfiguration.openshift.io/release-image-version annotation (my version: h)',
    },
  ],
  [
    'that does not exist',
    undefined,
    {
      kind: 'refused',
      message:
        'could not get OSImageStream for pool infra: osimagestreams.machineconfiguration.openshift.io "cluster" not found',
    },
  ],
])('poolStream with an object %s', (_name, object, expected) => {
  expect(poolStream({ pool: pool('infra'), worker: undefined, stream: object, hash: 'h' })).toEqual(expected)
})

test('poolStream names the pool that asks for an unknown stream', () => {
  expect(poolStream({ pool: pool('infra', 'x'), worker: undefined, stream: stamped('h'), hash: 'h' })).toEqual({
    kind: 'refused',
    message:
      'could not get OSImageStreamSet for pool infra: osimagestreams.machineconfiguration.openshift.io "x" not found',
  })
})
