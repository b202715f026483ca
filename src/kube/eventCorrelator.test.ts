import { describe, expect, test } from 'vitest'
import { EventCorrelator, type Saying } from './eventCorrelator.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const saying = (message: string, name = 'worker-0'): Saying => ({
  about: { apiVersion: 'v1', kind: 'Node', name, uid: name },
  type: 'Normal',
  reason: 'Drain',
  message,
})

describe('EventCorrelator', () => {
  test('counts the same saying in one record', () => {
    const correlator = new EventCorrelator()
    correlator.observe(saying('x'), at(0))
    expect(correlator.observe(saying('x'), at(5))).toMatchObject({ count: 2, firstAt: at(0), lastAt: at(5) })
  })

  test('keeps different messages, reasons and objects apart', () => {
    const correlator = new EventCorrelator()
    const keys = [saying('x'), saying('y'), saying('x', 'worker-1'), { ...saying('x'), reason: 'Other' }].map(
      (each) => correlator.observe(each, at(0))?.key,
    )
    expect(new Set(keys).size).toBe(4)
  })

  test('tells the tenth similar message and all that follow as one', () => {
    const correlator = new EventCorrelator()
    const records = Array.from({ length: 12 }, (_, index) => correlator.observe(saying(`pod-${index}`), at(index)))
    expect(records.slice(8).map((record) => [record?.saying.message, record?.count])).toEqual([
      ['pod-8', 1],
      ['(combined from similar events): pod-9', 1],
      ['(combined from similar events): pod-10', 2],
      ['(combined from similar events): pod-11', 3],
    ])
  })

  test('forgets similar messages after the window', () => {
    const correlator = new EventCorrelator()
    for (let index = 0; index < 9; index++) correlator.observe(saying(`pod-${index}`), at(0))
    expect(correlator.observe(saying('pod-9'), at(601))?.saying.message).toBe('pod-9')
  })

  test('lets a burst of 25 about one object pass, then one per five minutes, and counts the rest', () => {
    const correlator = new EventCorrelator()
    const passed = Array.from({ length: 30 }, () => correlator.observe(saying('x'), at(0))).filter(Boolean)
    expect(passed).toHaveLength(25)
    expect(correlator.observe(saying('x', 'worker-1'), at(0))).toBeDefined()
    expect(correlator.observe(saying('x'), at(299))).toBeUndefined()
    expect(correlator.observe(saying('x'), at(300))?.count).toBe(32)
    expect(correlator.observe(saying('x'), at(300))).toBeUndefined()
  })

  test('remembers a bounded number of objects', () => {
    const correlator = new EventCorrelator({ burst: 1, refillMs: 1e9, similarMax: 10, similarWindowMs: 1, memory: 2 })
    correlator.observe(saying('x', 'a'), at(0))
    for (const name of ['b', 'c']) correlator.observe(saying('x', name), at(0))
    expect(correlator.observe(saying('x', 'a'), at(0))?.count).toBe(1)
  })
})
