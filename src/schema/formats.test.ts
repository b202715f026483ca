import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrContainsIp, parseCidr, parseIp } from './cidr.ts'
import { formatChecks } from './formats.ts'

describe('formatChecks', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'date-time',
      ['2026-08-20T10:00:00Z', '2026-08-20t10:00:00.123456+02:00', '2024-02-29T23:59:60Z'],
      ['2026-08-20', '2026-02-30T10:00:00Z', '2026-08-20T24:00:00Z', '2026-08-20T10:00:00', 'now'],
    ],
    ['date', ['2026-08-20'], ['2026-13-01', '2026-8-2']],
    ['byte', ['', 'YQ==', 'YWJj', 'YW\nJj'], ['YQ', 'a b=', '====']],
    ['duration', ['1h30m', '1.5s', '-2ms', '0'], ['1', 'h', '1d', '']],
    ['uri', ['https://a.b/c', '/a'], ['a b', 'abc']],
    ['hostname', ['a.b', 'A-1.b.'], ['-a', 'a..b', 'x'.repeat(300)]],
    ['ipv4', ['10.0.0.1'], ['10.0.0', '256.0.0.1', '01.0.0.1', '::1']],
    [
      'ipv6',
      ['::1', '2001:db8::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
      ['1.2.3.4', ':::', '1:2:3:4:5:6:7:8:9', '1::2::3', 'fe80::1%eth0'],
    ],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08']],
    ['uuid', ['5c4f0a4e-0000-4000-8000-000000000000'], ['5c4f0a4e']],
    ['mac', ['00:11:22:aa:bb:cc'], ['00:11']],
    ['email', ['a@b'], ['a']],
  ])('%s', (format, valid, invalid) => {
    const check = formatChecks[format] ?? (() => undefined)
    expect(valid.filter((text) => check(text) !== true)).toEqual([])
    expect(invalid.filter((text) => check(text) !== false)).toEqual([])
  })

  test('a network contains its own address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(32), (text, length) => {
        const address = parseIp(text)
        const cidr = parseCidr(`${text}/${length}`)
        expect(address && cidr && cidrContainsIp(cidr, address)).toBe(true)
      }),
    )
  })
})
