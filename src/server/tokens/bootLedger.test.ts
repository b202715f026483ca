import { expect, it } from 'vitest'
import { BootLedger } from './bootLedger.ts'

const start = new Date('2026-03-01T12:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

it('BootLedger remembers the first request of a boot, and the next boot after an hour', () => {
  const ledger = new BootLedger()
  ledger.admit('t', '10.0.0.1', start)
  ledger.admit('t', '10.0.0.1', later(30))
  expect([...ledger.of('t', later(30))]).toEqual([['10.0.0.1', start]])
  ledger.admit('t', '10.0.0.1', later(61))
  expect([...ledger.of('t', later(61))]).toEqual([['10.0.0.1', later(61)]])
  expect(ledger.of('other', later(61)).size).toBe(0)
  // Looking is enough: a token that only gets refusals must not stay used up by boots that were never served.
  expect(ledger.of('t', later(122)).size).toBe(0)
})

it('BootLedger forgets what ended, and never grows beyond its limit', () => {
  const ledger = new BootLedger({ mostPerToken: 3 })
  for (let index = 0; index < 10; index++) ledger.admit('t', `10.0.0.${index}`, later(index))
  expect([...ledger.of('t', later(10)).keys()]).toEqual(['10.0.0.7', '10.0.0.8', '10.0.0.9'])
  ledger.forgetOld(later(68))
  expect([...ledger.of('t', later(68)).keys()]).toEqual(['10.0.0.9'])
  ledger.forgetOld(later(70))
  expect(ledger.of('t', later(70)).size).toBe(0)
})
