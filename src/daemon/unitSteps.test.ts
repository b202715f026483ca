import { describe, expect, it } from 'vitest'
import type { Step } from './step.ts'
import { changedUnits, isAmong, touchesUnitFiles } from './unitSteps.ts'

const remove = (path: string): Step => ({ id: path, kind: 'remove', path })

describe('changedUnits', () => {
  it('names the units whose files steps touch, not those of drop-ins and links', () => {
    const steps: Step[] = [
      remove('/etc/systemd/system/a.service'),
      { id: '2', kind: 'writeSymlink', path: '/etc/systemd/system/b.service', target: '/dev/null' },
      remove('/usr/local/lib/systemd/system/c@.service'),
      remove('/etc/systemd/system/d.service.d/x.conf'),
      remove('/etc/systemd/system.conf'),
      { id: '6', kind: 'enableUnits', units: ['e.service'] },
    ]
    expect([...changedUnits(steps)]).toEqual(['a.service', 'b.service', 'c@.service'])
  })

  it.each([
    ['a.service', true],
    ['c@one.service', true],
    ['one.service', false],
  ])('has %s among them: %s', (name, expected) => {
    expect(isAmong(new Set(['a.service', 'c@.service']), name)).toBe(expected)
  })
})

describe('touchesUnitFiles', () => {
  it.each([
    ['/etc/systemd/system/d.service.d/x.conf', true],
    ['/etc/systemd/journald.conf', false],
  ])('of %s is %s', (path, expected) => {
    expect(touchesUnitFiles([remove(path)])).toBe(expected)
  })
})
