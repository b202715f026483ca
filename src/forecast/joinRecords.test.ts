import { describe, expect, it } from 'vitest'
import { type JoinRecord, joinsToText, mergeJoins, readJoins } from './joinRecords.ts'

const start = new Date('2026-03-01T12:00:00Z')
const minute = (count: number) => new Date(start.getTime() + count * 60_000)
const record = (changes: Partial<JoinRecord> = {}): JoinRecord => ({
  pool: 'worker',
  address: '10.0.0.7',
  config: 'rendered-worker-1',
  firstAt: start,
  lastAt: start,
  requests: 1,
  ...changes,
})

describe('mergeJoins', () => {
  it('makes one of the requests of one boot, whichever server tells first', () => {
    const early = record({ token: 'abcd1234' })
    const late = record({ firstAt: minute(3), lastAt: minute(4), requests: 2, config: 'rendered-worker-2' })
    const whole = record({ token: 'abcd1234', lastAt: minute(4), requests: 3, config: 'rendered-worker-2' })
    expect(mergeJoins([early], [late], minute(5))).toEqual([whole])
    expect(mergeJoins([late], [early], minute(5))).toEqual([whole])
  })

  it('keeps apart pools, addresses, and boots after one that ended or is an hour old', () => {
    const known = [record(), record({ address: '10.0.0.8', readyAt: minute(2), node: 'n' })]
    const fresh = [
      record({ pool: 'infra', firstAt: minute(1), lastAt: minute(1) }),
      record({ address: '10.0.0.8', firstAt: minute(10), lastAt: minute(10) }),
      record({ firstAt: minute(61), lastAt: minute(61) }),
    ]
    expect(mergeJoins(known, fresh, minute(62)).map(({ pool, address }) => `${pool} ${address}`)).toEqual([
      'worker 10.0.0.7',
      'worker 10.0.0.8',
      'infra 10.0.0.7',
      'worker 10.0.0.8',
      'worker 10.0.0.7',
    ])
  })

  it('forgets after a day and never holds more than a thousand', () => {
    const many = Array.from({ length: 1500 }, (_, index) => record({ address: `a${index}`, lastAt: minute(5) }))
    const kept = mergeJoins([record({ address: 'old', lastAt: minute(-1440) })], many, minute(5))
    expect([kept.length, kept.some(({ address }) => address === 'old')]).toEqual([1000, false])
    expect(joinsToText(kept).length).toBeLessThan(300_000)
  })
})

describe('the text of joins', () => {
  it('comes back as it was', () => {
    const records = [record({ token: 't', machine: 'm', node: 'n', readyAt: minute(9) }), record({ pool: 'infra' })]
    expect(readJoins({ data: { joins: joinsToText(records) } })).toEqual(records)
  })

  it.each([undefined, {}, { data: {} }, { data: { joins: 'x\n{}\nnull\n[1]\n{"pool":1}\n' } }])(
    'that is missing or damaged holds nothing',
    (configMap) => expect(readJoins(configMap)).toEqual([]),
  )
})
