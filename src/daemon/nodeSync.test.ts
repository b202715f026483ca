import { describe, expect, it } from 'vitest'
import { nodeAnnotation as key } from '../api/names.ts'
import { emptyConfigName } from './change.ts'
import { drainRequestedAnnotation, drainStep } from './drainStep.ts'
import { decideNodeSync, type NodeSyncView, prepareSync } from './nodeSync.ts'

const now = new Date('2026-01-01T12:00:00Z')

interface Row {
  readonly current?: string
  readonly desired?: string
  readonly state?: string
  readonly currentImage?: string
  readonly desiredImage?: string
  readonly drain?: string
  readonly applied?: string
}

const annotations = ({
  current,
  desired,
  state,
  currentImage,
  desiredImage,
  drain,
  applied,
}: Row): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      [key.currentConfig]: current,
      [key.desiredConfig]: desired,
      [key.state]: state,
      [key.currentImage]: currentImage,
      [key.desiredImage]: desiredImage,
      [key.desiredDrain]: drain,
      [key.lastAppliedDrain]: applied,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

const view = (row: Row, rest: Partial<NodeSyncView> = {}): NodeSyncView => ({
  annotations: annotations(row),
  deleting: false,
  diskConfig: row.current,
  diskImage: row.currentImage ?? '',
  initialAnnotations: undefined,
  forceFile: false,
  bootOwed: false,
  failed: undefined,
  now,
  ...rest,
})

describe('prepareSync, the table of what is to be done', () => {
  it.each([
    ['test1', 'test1', 'test2', '', '', '', '', 'test1 -> test2'],
    ['test1', 'test1', 'test1', '', '', '', 'Done', 'none'],
    ['test3', 'test1', 'test2', '', '', '', '', 'test3 -> test2'],
    ['test1', 'test1', 'test1', 'image1', 'image1', 'image1', '', 'test1 image1 -> test1 image1'],
    ['test1', 'test1', 'test1', 'image2', 'image1', 'image1', '', 'test1 image2 -> test1 image1'],
    ['test1', 'test1', 'test1', 'image1', 'image1', 'image1', 'Done', 'none'],
    ['test1', 'test1', 'test1', 'image3', 'image2', 'image1', '', 'test1 image3 -> test1 image1'],
  ])(
    'disk %s, current %s, desired %s, image on disk "%s", current image "%s", desired image "%s", state "%s": %s',
    (disk, current, desired, diskImage, currentImage, desiredImage, state, expected) => {
      const work = prepareSync({
        annotations: annotations({ current, desired, state, currentImage, desiredImage }),
        diskConfig: disk,
        diskImage,
      })
      const show = ({ config, image }: { config: string; image: string }) => (image ? `${config} ${image}` : config)
      expect(work.kind === 'none' ? 'none' : `${show(work.from)} -> ${show(work.to)}`).toBe(expected)
    },
  )
})

describe('decideNodeSync', () => {
  const done = { current: 'a', desired: 'a', state: 'Done' }
  it.each<[string, NodeSyncView, object]>([
    ['ignores a node that is being deleted', view(done, { deleting: true }), { kind: 'ignore' }],
    ['is idle when everything agrees', view(done), { kind: 'idle', target: { config: 'a', image: '' } }],
    [
      'updates to a new target',
      view({ ...done, desired: 'b' }),
      { kind: 'update', from: { config: 'a', image: '' }, to: { config: 'b', image: '' }, force: false },
    ],
    [
      'finishes when the disk is ahead of the annotation',
      view({ ...done, desired: 'b' }, { diskConfig: 'b' }),
      { kind: 'finish', target: { config: 'b', image: '' } },
    ],
    [
      'goes back from the disk when the target was moved back',
      view(done, { diskConfig: 'b' }),
      { kind: 'update', from: { config: 'b', image: '' }, to: { config: 'a', image: '' } },
    ],
    ['finishes what is not Done', view({ ...done, state: 'Degraded' }), { kind: 'finish' }],
    ['finishes a node without a state', view({ current: 'a', desired: 'a' }), { kind: 'finish' }],
    [
      'verifies and records a config that the disk does not know',
      view(done, { diskConfig: undefined }),
      { kind: 'finish' },
    ],
    [
      'is idle on a host that has no config yet',
      view({ current: emptyConfigName, desired: emptyConfigName, state: 'Done' }, { diskConfig: undefined }),
      { kind: 'idle' },
    ],
    [
      'takes the annotations of the config server',
      view({}, { initialAnnotations: { [key.currentConfig]: 'a' } }),
      { kind: 'introduce', annotations: { [key.currentConfig]: 'a' } },
    ],
    [
      'takes the config on the disk when the node knows none',
      view({}, { diskConfig: 'a' }),
      { kind: 'introduce', annotations: { [key.currentConfig]: 'a', [key.desiredConfig]: 'a' } },
    ],
    ['does not know what to do at a first contact', view({}, { diskConfig: undefined }), { kind: 'firstContact' }],
    [
      'waits for its drain',
      view({ ...done, desired: 'b', drain: 'drain-b', applied: 'uncordon-a' }),
      { kind: 'awaitDrain', target: { config: 'b', image: '' } },
    ],
    [
      'goes on after its drain',
      view({ ...done, desired: 'b', drain: 'drain-b', applied: 'drain-b' }),
      { kind: 'update' },
    ],
    [
      'does not wait for the drain of a withdrawn target',
      view({ ...done, desired: 'c', drain: 'drain-b', applied: 'uncordon-a' }),
      { kind: 'update', to: { config: 'c', image: '' } },
    ],
    [
      'finishes when the target was moved back during the drain',
      view({ ...done, state: 'Working', drain: 'drain-b', applied: 'uncordon-a' }),
      { kind: 'finish', target: { config: 'a', image: '' } },
    ],
    [
      'waits for its uncordon',
      view({ ...done, state: 'Working', drain: 'uncordon-a', applied: 'drain-a' }),
      { kind: 'awaitDrain' },
    ],
    ['obeys the force file when idle', view(done, { forceFile: true }), { kind: 'update', force: true }],
    [
      'obeys the force file when degraded',
      view({ ...done, state: 'Degraded' }, { forceFile: true }),
      { kind: 'update', force: true },
    ],
    [
      'paces a target that failed',
      view({ ...done, desired: 'b' }, { failed: { target: { config: 'b', image: '' }, retryAt: new Date(+now + 1) } }),
      { kind: 'awaitRetry' },
    ],
    [
      'tries a failed target again when it is time',
      view({ ...done, desired: 'b' }, { failed: { target: { config: 'b', image: '' }, retryAt: now } }),
      { kind: 'update' },
    ],
    [
      'does not wait for a day when the clock was set back',
      view(
        { ...done, desired: 'b' },
        { failed: { target: { config: 'b', image: '' }, retryAt: new Date(+now + 86_400_000) } },
      ),
      { kind: 'update' },
    ],
    [
      'follows another target at once',
      view({ ...done, desired: 'c' }, { failed: { target: { config: 'b', image: '' }, retryAt: new Date(+now + 1) } }),
      { kind: 'update', to: { config: 'c', image: '' } },
    ],
    [
      'follows a revert at once',
      view(
        { ...done, state: 'Degraded' },
        { failed: { target: { config: 'b', image: '' }, retryAt: new Date(+now + 1) } },
      ),
      { kind: 'finish' },
    ],
    [
      'tries a failed target at once with the force file',
      view(
        { ...done, desired: 'b' },
        { forceFile: true, failed: { target: { config: 'b', image: '' }, retryAt: new Date(+now + 1) } },
      ),
      { kind: 'update', force: true },
    ],
    [
      'boots again before it finishes',
      view({ ...done, state: 'Degraded' }, { bootOwed: true }),
      { kind: 'bootAgain', target: { config: 'a', image: '' } },
    ],
    ['boots again when nothing else is to do', view(done, { bootOwed: true }), { kind: 'bootAgain' }],
    [
      'updates a machine that owes a boot first',
      view({ ...done, desired: 'b' }, { bootOwed: true }),
      { kind: 'update' },
    ],
    [
      'paces requests to boot that failed',
      view(done, { bootOwed: true, failed: { target: { config: 'a', image: '' }, retryAt: new Date(+now + 1) } }),
      { kind: 'awaitRetry' },
    ],
    [
      'waits for the drain before it boots again',
      view({ ...done, drain: 'drain-a', applied: 'uncordon-a' }, { bootOwed: true }),
      { kind: 'awaitDrain' },
    ],
    [
      'obeys the force file when it owes a boot',
      view(done, { bootOwed: true, forceFile: true }),
      { kind: 'update', force: true },
    ],
  ])('%s', (_name, input, expected) => {
    expect(decideNodeSync(input)).toMatchObject(expected)
  })
})

describe('drainStep', () => {
  const limit = 60_000
  const at = (ms: number) => new Date(+now + ms).toISOString()
  it.each<[string, Record<string, string>, object]>([
    ['asks when nothing is asked', {}, { kind: 'request', value: 'drain-a' }],
    [
      'asks when something else is asked',
      { ...annotations({ drain: 'uncordon-b', applied: 'uncordon-b' }) },
      { kind: 'request' },
    ],
    ['asks again when the time of the request is not known', annotations({ drain: 'drain-a' }), { kind: 'request' }],
    [
      'waits until the limit, counted from the request',
      { ...annotations({ drain: 'drain-a' }), [drainRequestedAnnotation]: at(-20_000) },
      { kind: 'wait', until: new Date(+now + 40_000) },
    ],
    [
      'is overdue at the limit',
      { ...annotations({ drain: 'drain-a' }), [drainRequestedAnnotation]: at(-limit) },
      { kind: 'overdue' },
    ],
    ['is granted', annotations({ drain: 'drain-a', applied: 'drain-a' }), { kind: 'granted' }],
    [
      'is granted late',
      { ...annotations({ drain: 'drain-a', applied: 'drain-a' }), [drainRequestedAnnotation]: at(-9 * limit) },
      { kind: 'granted' },
    ],
    [
      'is not granted by a grant that was taken back',
      annotations({ drain: 'uncordon-b', applied: 'drain-a' }),
      { kind: 'request' },
    ],
  ])('%s', (_name, input, expected) => {
    expect(drainStep(input, 'drain-a', limit, now)).toMatchObject(expected)
  })
})
