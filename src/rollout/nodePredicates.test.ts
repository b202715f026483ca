import { describe, expect, it } from 'vitest'
import { aNode, type NodeOptions } from '../../test/unit/rolloutBuilders.ts'
import {
  hasGivenUp,
  isDoneAt,
  isFailing,
  isNodeDone,
  isReady,
  isUnavailable,
  readinessError,
} from './nodePredicates.ts'
import { nodeToView } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

const view = (options: NodeOptions) => nodeToView(aNode('n', options))
const is = (type: string, status: 'True' | 'False' | 'Unknown') => ({ type, status })

describe('isReady', () => {
  it.each([
    ['Ready', { conditions: [is('Ready', 'True')] }, true],
    ['not Ready', { conditions: [is('Ready', 'False')] }, false],
    ['disk pressure', { conditions: [is('DiskPressure', 'True')] }, false],
    ['no disk pressure', { conditions: [is('DiskPressure', 'False')] }, true],
    ['Ready under disk pressure', { conditions: [is('Ready', 'True'), is('DiskPressure', 'True')] }, false],
    ['Ready without disk pressure', { conditions: [is('Ready', 'True'), is('DiskPressure', 'False')] }, true],
    ['no network', { conditions: [is('NetworkUnavailable', 'Unknown')] }, false],
    ['unschedulable', { unschedulable: true }, false],
    ['no conditions at all', { conditions: [] }, true],
  ])('of a node that is %s', (_name, options: NodeOptions, expected) => {
    expect(isReady(view(options))).toBe(expected)
  })

  it('names the first bad condition', () => {
    const conditions = [is('DiskPressure', 'True'), is('Ready', 'False')]
    expect(readinessError(view({ conditions }))).toBe('node n is reporting OutOfDisk=True')
    expect(readinessError(view({ unschedulable: true }))).toBe('node n is reporting Unschedulable')
  })
})

describe('isUnavailable', () => {
  it.each<[string, NodeOptions, boolean]>([
    ['done', { current: 'v0' }, false],
    ['done but NotReady', { current: 'v0', ready: 'False' }, true],
    ['targeted and not started', { current: 'v0', desired: 'v1', state: 'Done' }, true],
    ['joining, without annotations', {}, true],
    ['degraded at its own config', { current: 'v0', state: 'Degraded' }, true],
    ['degraded on the way to another config', { current: 'v0', desired: 'v1', state: 'Degraded' }, false],
    ['unreconcilable on the way', { current: 'v0', desired: 'v1', state: 'Unreconcilable' }, false],
    ['rebooting with equal configs', { current: 'v0', state: 'Rebooting' }, true],
    ['failing an image only', { current: 'v0', currentImage: 'i0', desiredImage: 'i1', state: 'Degraded' }, true],
    ['given its first image', { current: 'v0', desiredImage: 'i1', state: 'Done' }, true],
    ['settled on an image', { current: 'v0', currentImage: 'i1', desiredImage: 'i1' }, false],
    ['going back from an image', { current: 'v0', currentImage: 'i1' }, true],
  ])('of a node %s', (_name, options, expected) => {
    expect(isUnavailable(view(options))).toBe(expected)
  })
})

describe('isDoneAt', () => {
  const layered: RolloutTarget = { kind: 'layered', config: 'v1', buildConfig: 'v1', image: 'i1' }
  const plain: RolloutTarget = { kind: 'plain', config: 'v1' }
  it.each<[string, RolloutTarget, NodeOptions, boolean]>([
    ['plain, at the config', plain, { current: 'v1' }, true],
    ['plain, at another config', plain, { current: 'v0' }, false],
    ['plain, still with an image', plain, { current: 'v1', currentImage: 'i', desiredImage: 'i' }, false],
    ['layered, at config and image', layered, { current: 'v1', currentImage: 'i1', desiredImage: 'i1' }, true],
    ['layered, at an older image', layered, { current: 'v1', currentImage: 'i0', desiredImage: 'i0' }, false],
    ['layered, without an image', layered, { current: 'v1' }, false],
    ['layered, image not finished', { kind: 'layered', config: 'v1' }, { current: 'v1' }, false],
  ])('%s', (_name, target, options, expected) => {
    expect(isDoneAt(view(options), target)).toBe(expected)
  })
})

it('a node that gave up is failing only on the way to another config', () => {
  const drift = view({ current: 'v0', state: 'Degraded' })
  const stuck = view({ current: 'v0', desired: 'v1', state: 'Degraded' })
  expect([hasGivenUp(drift), isFailing(drift)]).toEqual([true, false])
  expect([hasGivenUp(stuck), isFailing(stuck)]).toEqual([true, true])
  expect(isNodeDone(drift)).toBe(false)
})
