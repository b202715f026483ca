import { describe, expect, test } from 'vitest'
import type { Pod } from '../../api/core.ts'
import { nextStatefulStep, type StatefulStep } from './statefulSetController.ts'

const pod = (
  ordinal: number,
  labels: { old?: boolean; unready?: boolean; going?: boolean; failed?: boolean } = {},
): Pod => ({
  metadata: {
    name: `db-${ordinal}`,
    labels: labels.old ? { old: '' } : {},
    ...(labels.going && { deletionTimestamp: 'now' }),
  },
  status: {
    phase: labels.failed ? 'Failed' : 'Running',
    conditions: [{ type: 'Ready', status: labels.unready ? 'False' : 'True' }],
  },
})
const isCurrent = ({ metadata }: Pod) => metadata.labels?.old === undefined

function told(step: StatefulStep): string {
  if (step.kind === 'create') return `create ${step.name}`
  return step.kind === 'delete' ? `delete ${step.pod.metadata.name}` : 'none'
}

describe('nextStatefulStep', () => {
  const rows: [string, number, Pod[], string][] = [
    ['creates the first', 2, [], 'create db-0'],
    ['waits for its predecessor', 2, [pod(0, { unready: true })], 'none'],
    ['creates the next', 2, [pod(0)], 'create db-1'],
    ['waits while a pod of its name terminates', 2, [pod(0, { going: true }), pod(1)], 'none'],
    ['fills a gap', 3, [pod(0), pod(2)], 'create db-1'],
    ['removes a pod that has ended, to start it anew', 1, [pod(0, { failed: true })], 'delete db-0'],
    ['removes the highest first', 1, [pod(0), pod(1), pod(2)], 'delete db-2'],
    ['removes one at a time', 1, [pod(0), pod(1), pod(2, { going: true })], 'none'],
    ['updates the highest first', 2, [pod(0, { old: true }), pod(1, { old: true })], 'delete db-1'],
    ['goes on when the updated is ready', 2, [pod(0, { old: true }), pod(1)], 'delete db-0'],
    ['waits when the updated is not ready', 2, [pod(0, { old: true }), pod(1, { unready: true })], 'none'],
    ['replaces an old pod that is not ready at once', 2, [pod(0), pod(1, { old: true, unready: true })], 'delete db-1'],
    ['is content', 2, [pod(0), pod(1)], 'none'],
  ]
  test.each(rows)('%s', (_, replicas, pods, expected) => {
    expect(told(nextStatefulStep('db', replicas, pods, isCurrent))).toBe(expected)
  })
})
