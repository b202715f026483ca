import { describe, expect, it } from 'vitest'
import type { Step, StepBody } from './step.ts'
import { stepBatches } from './stepBatches.ts'

const remove = (path: string): StepBody => ({ kind: 'remove', path })
const link = (path: string): StepBody => ({ kind: 'writeSymlink', path, target: '/dev/null' })
const units: StepBody = { kind: 'enableUnits', units: ['a.service'] }
const aside: StepBody = { kind: 'setAside', path: '/etc/d' }

describe('stepBatches', () => {
  it.each<[string, StepBody[], number[][]]>([
    ['nothing', [], []],
    ['steps of one path each', [remove('/etc/a'), link('/etc/b'), remove('/etc/c')], [[0, 1, 2]]],
    ['a step that is more than a path stands alone', [link('/a'), units, link('/b'), link('/c')], [[0], [1], [2, 3]]],
    ['what is moved aside is moved before the next looks', [aside, link('/etc/d'), link('/etc/e')], [[0], [1, 2]]],
    ['a path below one that becomes a directory', [remove('/etc/d'), link('/etc/d/x/y')], [[0], [1]]],
    ['a name that only begins alike', [remove('/etc/d'), link('/etc/d.conf')], [[0, 1]]],
    ['a copy of what was written', [link('/etc/a'), { kind: 'copyFile', path: '/b', from: '/etc/a' }], [[0], [1]]],
    ['a copy of what was there', [{ kind: 'copyFile', path: '/b', from: '/etc/a' }, link('/etc/a')], [[0, 1]]],
    ['a hard link', [link('/etc/a'), { kind: 'writeHardLink', path: '/b', target: '/etc/c' }], [[0], [1]]],
    ['the same path twice', [remove('/etc/d'), link('/etc/d')], [[0, 1]]],
  ])('%s', (_, bodies, expected) => {
    expect(indexes(stepBatches(stepsOf(bodies)))).toEqual(expected)
  })

  it('bounds a batch', () => {
    const batches = stepBatches(stepsOf(Array.from({ length: 4001 }, (_, n) => remove(`/etc/${n}`))))
    expect(batches.map((batch) => batch.length)).toEqual([4000, 1])
  })
})

const stepsOf = (bodies: readonly StepBody[]): Step[] => bodies.map((body, index) => ({ id: `${index}`, ...body }))
const indexes = (batches: ReturnType<typeof stepBatches>) => batches.map((batch) => batch.map(({ index }) => index))
