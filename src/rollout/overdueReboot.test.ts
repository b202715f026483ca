import { describe, expect, it } from 'vitest'
import { aNode } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { ConditionStatus } from '../api/meta.ts'
import { nodeAnnotation } from '../api/names.ts'
import { nodeToView } from './nodeView.ts'
import { judgeReboot, rebootLimitOf } from './overdueReboot.ts'

const began = '2026-01-01T12:00:00Z'
const minutesLater = (minutes: number) => new Date(Date.parse(began) + minutes * 60_000)

function view(ready: boolean, action = 'Rebooting') {
  const node = aNode('n', { current: 'v0', annotations: { [nodeAnnotation.postConfigAction]: action } })
  return nodeToView({
    ...node,
    status: { ...node.status, conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
  })
}

const report = (status: ConditionStatus, lastTransitionTime = began) =>
  ({
    status: { conditions: [{ type: 'RebootedNode', status, lastTransitionTime, reason: 'r', message: 'm' }] },
  }) as unknown as MachineConfigNode

const limit = rebootLimitOf(undefined)

describe('judgeReboot', () => {
  it.each([
    ['a node that does not reboot', view(false, ''), report('Unknown'), 20],
    ['a reboot that was reported done', view(true), report('True'), 20],
    ['no MachineConfigNode', view(false), undefined, 20],
    ['a time that is none', view(false), report('Unknown', 'soon'), 20],
  ])('says nothing about %s', (_what, node, reported, minutes) => {
    expect(judgeReboot(node, reported, limit, minutesLater(minutes))).toEqual({ kind: 'none' })
  })

  it('gives a node ten minutes', () => {
    const underWay = { kind: 'underWay', until: minutesLater(10) }
    expect(judgeReboot(view(false), report('Unknown'), limit, minutesLater(0))).toEqual(underWay)
    expect(judgeReboot(view(false), report('Unknown'), limit, minutesLater(9.9))).toEqual(underWay)
  })

  it.each([
    [false, /^it is not back from the reboot that it began at 2026-01-01T12:00:00Z.*not ready: look at its console/],
    [true, /^it is not back from the reboot.*its kubelet is ready, but its daemon has not reported another boot/],
  ])('tells what to look at then (kubelet ready: %s), in words that stay', (ready, message) => {
    const verdict = judgeReboot(view(ready), report('Unknown'), limit, minutesLater(10))
    expect(verdict).toEqual({ kind: 'overdue', message: expect.stringMatching(message) })
    expect(judgeReboot(view(ready), report('Unknown'), limit, minutesLater(500))).toEqual(verdict)
  })

  it.each([
    ['2m', 2, /after more than 2 minutes; its kubelet is ready/],
    ['soon', 10, /after more than 10 minutes; .*; machineconfig\.io\/reboot-limit: "soon" is no duration/],
  ])('takes the limit of the pool: %s', (text, minutes, message) => {
    const ofPool = rebootLimitOf({ 'machineconfig.io/reboot-limit': text })
    const underWay = { kind: 'underWay', until: minutesLater(minutes) }
    expect(judgeReboot(view(true), report('Unknown'), ofPool, minutesLater(0))).toEqual(underWay)
    const verdict = judgeReboot(view(true), report('Unknown'), ofPool, minutesLater(minutes))
    expect(verdict).toEqual({ kind: 'overdue', message: expect.stringMatching(message) })
  })
})
