import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Disk } from '../ignition/types.ts'
import { irreconcilableReport } from './irreconcilableReport.ts'

const disk = (device: string): Disk => ({ device, wipeTable: true })

test('irreconcilableReport names a changed device', () => {
  expect(irreconcilableReport({ disks: [disk('/dev/sda')] }, { disks: [disk('/dev/sdb')] })).toEqual([
    { fieldPath: 'spec.config.storage.disks[0].device', diff: '- "/dev/sda"\n+ "/dev/sdb"\n' },
  ])
})

test('irreconcilableReport says nothing about files', () => {
  expect(irreconcilableReport({ files: [{ path: '/a' }] }, undefined)).toEqual([])
})

test('irreconcilableReport stays within the limits of the MachineConfigNode schema', () => {
  const long = 'x'.repeat(5000)
  const raid = Array.from({ length: 40 }, (_, index) => ({
    name: `m${index}`,
    level: 'raid1',
    devices: [`/dev/${index}`],
  }))
  const changed = raid.map((array) => ({ ...array, devices: [`${array.devices[0]}-${long}`] }))
  const report = irreconcilableReport({ raid }, { raid: changed })
  expect(report).toHaveLength(32)
  expect(report.at(-1)).toEqual({ fieldPath: 'spec.config.storage', diff: '  9 more differences are not listed\n' })
  for (const { diff } of report) expect(diff.length).toBeLessThanOrEqual(4096)
})

test('irreconcilableReport is empty exactly for equal storage, and its paths are unique', () => {
  const disks = fc.array(fc.constantFrom('/dev/a', '/dev/b', '/dev/c').map(disk), { maxLength: 5 })
  fc.assert(
    fc.property(disks, disks, (before, after) => {
      const report = irreconcilableReport({ disks: before }, { disks: after })
      expect(report.length === 0).toBe(JSON.stringify(before) === JSON.stringify(after))
      expect(new Set(report.map(({ fieldPath }) => fieldPath)).size).toBe(report.length)
    }),
  )
})
